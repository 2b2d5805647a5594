#include "output/regular_output.h"

#include <cerrno>
#include <cstdint>

#include <strings.h>

#include "base/native.h"
#include "common/checked_io.h"
#include "common/failure.h"
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

std::string RegularOutput::partial_path_of(const std::string &path)
{
    constexpr std::string_view kPartial = ".partial";
    const std::size_t suffix = path.size() - native_path(path).extension().native().size();
    const bool is_page =
        ::strcasecmp(path.c_str() + suffix, ".html") == 0 || ::strcasecmp(path.c_str() + suffix, ".htm") == 0;
    return std::string(path).insert(is_page ? suffix : path.size(), kPartial);
}

void RegularOutput::write_beside(std::string_view text, const std::string &name)
{
    if (!file_.create(directory_, mode_) || !file_.write(text))
        throw Failure(kExitSetup, cannot_write(name));
}

/// Scores that cannot take their place are kept beside it: they may have taken hours.
void RegularOutput::write(std::string_view text)
{
    write_beside(text, name_);
    if (file_.move_to(path_))
        return remove_older_partial();
    const std::string reason = cannot_write(name_);
    if (!file_.move_to(partial_path_))
        throw Failure(kExitSetup, reason);
    throw Failure(kExitSetup, formatted("{}; the scores are in {}", reason, printable(partial_path_)));
}

std::string RegularOutput::write_incomplete(std::string_view text)
{
    write_beside(text, partial_path_);
    if (!file_.move_to(partial_path_))
        throw Failure(kExitSetup, cannot_write(partial_path_));
    return partial_path_;
}

} // namespace vmaf::tool
