#include "output/stream_output.h"

#include <sys/mman.h>

#include <cerrno>

#include <fmt/format.h>

#include "common/checked_io.h"
#include "common/failure.h"

namespace vmaf::tool {

void StreamOutput::write(VmafContext *context, VmafOutputFormat format, const std::optional<Incomplete> &incomplete)
{
    const UniqueFd unnamed(::memfd_create("vmaf-scores", MFD_CLOEXEC));
    if (!unnamed.valid())
        throw Failure(kExitSetup, cannot_write(name_));
    if (const int error = vmaf_write_output(context, fmt::format("/proc/self/fd/{}", unnamed.get()).c_str(), format)) {
        errno = -error;
        throw Failure(kExitSetup, cannot_write(name_));
    }
    std::string text;
    if (!read_all(unnamed.get(), text))
        throw Failure(kExitSetup, cannot_write(name_));
    if (incomplete)
        text = mark_incomplete(std::move(text), format, *incomplete);
    if (!write_all(fd_.get(), text) || !fd_.close())
        throw Failure(kExitSetup, cannot_write(name_));
}

} // namespace vmaf::tool
