#include "output/regular_output.h"

#include <io.h>

#include <cerrno>
#include <utility>

#include "base/native.h"
#include "base/wide_text.h"
#include "common/checked_io.h"
#include "common/failure.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

constexpr int kForWriting = 2; ///< mode argument of _waccess()

std::string directory_of(const std::string &path)
{
    const std::string directory = path_text(native_path(path).parent_path());
    return directory.empty() ? "." : directory;
}

} // namespace

RegularOutput::RegularOutput(std::string name, std::string path)
    : name_(std::move(name)), path_(std::move(path)), partial_path_(partial_path_of(path_)),
      directory_(directory_of(path_))
{
    const std::optional<FileStatus> directory = status_of(directory_);
    if (!directory)
        throw Failure(kExitSetup, could_not_open(name_));
    errno = ENOTDIR;
    if (!directory->folder)
        throw Failure(kExitSetup, could_not_open(name_));
    check_existing(*directory);
    check_partial(*directory);
}

void RegularOutput::check_existing(const FileStatus &)
{
    const std::optional<FileStatus> status = status_of(path_);
    if (!status && errno == ENOENT)
        return;
    if (status && status->folder)
        errno = EISDIR;
    if (!status || status->folder || _waccess(wide_text(path_).c_str(), kForWriting) != 0)
        throw Failure(kExitSetup, could_not_open(name_));
}

void RegularOutput::check_partial(const FileStatus &) const
{
    const std::optional<FileStatus> status = status_of(partial_path_);
    if (!status && errno == ENOENT)
        return;
    errno = EEXIST;
    if (!status || !status->regular)
        throw Failure(kExitSetup, could_not_open(partial_path_));
}

/// An earlier run's, which the complete scores make worthless.
void RegularOutput::remove_older_partial() const
{
    files::remove(partial_path_);
}

} // namespace vmaf::tool
