#include "output/score_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/unique_fd.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

/// Takes the descriptor: when this cannot go on, the writer gets an error instead of waiting.
std::string read_to_end(UniqueFd fd)
{
    std::string text;
    if (!read_all(fd.get(), text))
        throw Failure(kExitSetup, cannot_write("scores"));
    return text;
}

} // namespace

/// The library writes to files and does not say why that failed. A pipe is never full, has no limit of size and leaves
/// nothing behind; the text is then ours to write.
std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                       const std::optional<Incomplete> &incomplete)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Failure(kExitSetup, cannot_write("scores"));
    UniqueFd reading(ends[0]);
    std::future<std::string> future;
    UniqueFd writing(ends[1]); // closed before the future waits for the reader
    future = std::async(std::launch::async, read_to_end, std::move(reading));
    const std::string path = formatted("/proc/self/fd/{}", writing.get());
    const std::string number_format = numbers.printf_format();
    const int error = vmaf_write_output_with_format(context, path.c_str(), format,
                                                    numbers.is_established() ? nullptr : number_format.c_str());
    writing.close();
    std::string text = future.get();
    if (error) {
        errno = -error;
        throw Failure(kExitSetup, cannot_write("scores"));
    }
    return incomplete ? mark_incomplete(std::move(text), format, *incomplete) : text;
}

} // namespace vmaf::tool
