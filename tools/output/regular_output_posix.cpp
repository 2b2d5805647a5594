#include "output/regular_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

std::string directory_of(const std::string &path)
{
    const std::string directory = std::filesystem::path(path).parent_path();
    return directory.empty() ? "." : directory;
}

const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "directory" : S_ISFIFO(mode) ? "FIFO" : S_ISSOCK(mode) ? "socket" : "device";
}

} // namespace

bool may_replace(const struct stat &file, const struct stat &directory, unsigned user)
{
    return (directory.st_mode & S_ISVTX) == 0 || user == 0 || user == file.st_uid || user == directory.st_uid;
}

RegularOutput::RegularOutput(std::string name, std::string path)
    : name_(std::move(name)), path_(std::move(path)), partial_path_(partial_path_of(path_)),
      directory_(directory_of(path_))
{
    struct stat directory {};
    if (::stat(directory_.c_str(), &directory) != 0)
        throw Failure(kExitSetup, could_not_open(name_));
    check_existing(directory);
    check_partial(directory);
    if (::faccessat(AT_FDCWD, directory_.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        throw Failure(kExitSetup, could_not_open(name_));
}

void RegularOutput::check_existing(const struct stat &directory)
{
    // O_NONBLOCK: what was a regular file a moment ago may be a FIFO now.
    const UniqueFd existing(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!existing.valid() && errno == ENOENT)
        return;
    struct stat status {};
    if (!existing.valid() || ::fstat(existing.get(), &status) != 0)
        throw Failure(kExitSetup, could_not_open(name_));
    errno = EPERM;
    if (!S_ISREG(status.st_mode) || !may_replace(status, directory, ::geteuid()))
        throw Failure(kExitSetup, could_not_open(name_));
    mode_ = status.st_mode & 0777;
}

/// A link there will be replaced and not followed, as an older file will.
void RegularOutput::check_partial(const struct stat &directory) const
{
    struct stat status {};
    if (::lstat(partial_path_.c_str(), &status) != 0) {
        if (errno != ENOENT)
            throw Failure(kExitSetup, could_not_open(name_));
        return;
    }
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        throw Failure(kExitSetup, formatted("could not open file: {} (partial results would go to {}, which is a {})",
                                            printable(name_), printable(partial_path_), kind_of(status.st_mode)));
    if (!may_replace(status, directory, ::geteuid()))
        throw Failure(kExitSetup, formatted("could not open file: {} (partial results would go to {}, which is "
                                            "another user's)",
                                            printable(name_), printable(partial_path_)));
}

/// An earlier run's, which the complete scores make worthless.
void RegularOutput::remove_older_partial() const
{
    struct stat status {};
    if (::lstat(partial_path_.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        ::unlink(partial_path_.c_str());
}

} // namespace vmaf::tool
