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
    partial_ = UniqueFd(::open(partial_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kDefaultMode));
    if (!partial_.valid())
        throw Failure(kExitSetup, could_not_open(partial_path_));
    struct stat status {};
    if (existing.valid() && ::fstat(existing.get(), &status) == 0)
        ::fchmod(partial_.get(), status.st_mode & 07777);
}

RegularOutput::~RegularOutput()
{
    if (!partial_is_wanted_)
        ::unlink(partial_path_.c_str());
}

void RegularOutput::write(std::string_view text)
{
    write_incomplete(text);
    if (::rename(partial_path_.c_str(), path_.c_str()) != 0)
        throw Failure(kExitSetup, cannot_write(path_));
}

std::string RegularOutput::write_incomplete(std::string_view text)
{
    if (!write_all(partial_.get(), text) || !partial_.close())
        throw Failure(kExitSetup, cannot_write(partial_path_));
    partial_is_wanted_ = true;
    return partial_path_;
}

} // namespace vmaf::tool
