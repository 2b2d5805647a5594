#include "output/unfinished_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "common/checked_io.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr mode_t kDefaultMode = 0666; ///< less the umask
constexpr int kAttempts = 100;

} // namespace

/// Never opens what is there already, be it a link that somebody has left.
bool UnfinishedFile::create_named(const std::string &path, mode_t mode)
{
    const std::scoped_lock lock(mutex_);
    if (abandoned_) {
        errno = ECANCELED;
        return false;
    }
    fd_ = UniqueFd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (fd_.valid())
        path_ = path;
    return fd_.valid();
}

bool UnfinishedFile::create(const std::string &directory, std::optional<mode_t> mode)
{
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::uint64_t number = 0;
        if (::getrandom(&number, sizeof number, 0) != sizeof number)
            return false;
        if (create_named(formatted("{}/.vmaf-{:016x}", directory, number), mode.value_or(kDefaultMode))) {
            if (mode) // the umask has taken from it; a file system without modes does as it likes
                ::fchmod(fd_.get(), *mode);
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
    if (::rename(path_.c_str(), path.c_str()) != 0)
        return false;
    path_.clear();
    return true;
}

void UnfinishedFile::abandon()
{
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
    if (!path_.empty())
        ::unlink(path_.c_str());
    path_.clear();
}

} // namespace vmaf::tool
