#include "output/unfinished_file.h"

#include <cerrno>
#include <cstdint>

#include "common/checked_io.h"
#include "common/format.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kDefaultMode = 0666; ///< less the umask
constexpr int kAttempts = 100;

} // namespace

/// Never opens what is there already, be it a link that somebody has left.
bool UnfinishedFile::create_named(const std::string &path, unsigned mode)
{
    const std::scoped_lock lock(mutex_);
    if (abandoned_) {
        errno = ECANCELED;
        return false;
    }
    fd_ = UniqueFd(files::create(path, mode));
    if (fd_.valid())
        path_ = path;
    return fd_.valid();
}

bool UnfinishedFile::create(const std::string &directory, std::optional<unsigned> mode)
{
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::uint64_t number = 0;
        if (!files::random_number(number))
            return false;
        if (create_named(formatted("{}/.vmaf-{:016x}", directory, number), mode.value_or(kDefaultMode))) {
            if (mode) // the umask has taken from it; a file system without modes does as it likes
                files::set_mode(fd_.get(), *mode);
            return true;
        }
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool UnfinishedFile::write(std::string_view text)
{
    return write_all(fd_.get(), text) && fd_.close();
}

bool UnfinishedFile::move_to(const std::string &path)
{
    const std::scoped_lock lock(mutex_);
    if (!files::move(path_, path))
        return false;
    path_.clear();
    return true;
}

void UnfinishedFile::abandon()
{
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
    if (!path_.empty())
        files::remove(path_);
    path_.clear();
}

} // namespace vmaf::tool
