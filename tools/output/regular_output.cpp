#include "output/regular_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/unique_fd.h"

namespace vmaf::tool {
namespace {

constexpr mode_t kDefaultMode = 0666; ///< less the umask

} // namespace

RegularOutput::RegularOutput(std::string path) : path_(std::move(path)), partial_path_(partial_path_of(path_))
{
    const UniqueFd existing(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!existing.valid() && errno != ENOENT)
        throw Failure(kExitSetup, could_not_open(path_));
    const UniqueFd partial(::open(partial_path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kDefaultMode));
    if (!partial.valid())
        throw Failure(kExitSetup, could_not_open(partial_path_));
    struct stat status {};
    if (existing.valid() && ::fstat(existing.get(), &status) == 0)
        ::fchmod(partial.get(), status.st_mode & 07777);
}

RegularOutput::~RegularOutput()
{
    if (!partial_is_wanted_)
        ::unlink(partial_path_.c_str());
}

void RegularOutput::write(VmafContext *context, VmafOutputFormat format, const std::optional<Incomplete> &incomplete)
{
    if (const int error = vmaf_write_output(context, partial_path_.c_str(), format)) {
        errno = -error;
        throw Failure(kExitSetup, cannot_write(partial_path_));
    }
    if (incomplete)
        mark(format, *incomplete);
    else if (::rename(partial_path_.c_str(), path_.c_str()) != 0)
        throw Failure(kExitSetup, cannot_write(path_));
    partial_is_wanted_ = true;
}

void RegularOutput::mark(VmafOutputFormat format, const Incomplete &incomplete) const
{
    UniqueFd file(::open(partial_path_.c_str(), O_RDWR | O_CLOEXEC));
    std::string text;
    if (!file.valid() || !read_all(file.get(), text) ||
        !write_all(file.get(), mark_incomplete(std::move(text), format, incomplete)) || !file.close())
        throw Failure(kExitSetup, cannot_write(partial_path_));
}

} // namespace vmaf::tool
