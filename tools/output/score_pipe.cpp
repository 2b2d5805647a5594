#include "output/score_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <string>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

/// The library writes to files and does not say why that failed. A pipe is never full, has no limit
/// of size and leaves nothing behind; the text is then ours to write.
void pipe_scores(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                 const std::function<void(UniqueFd)> &read)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Failure(kExitSetup, cannot_write("scores"));
    UniqueFd reading(ends[0]);
    std::future<void> future;
    UniqueFd writing(ends[1]); // closed before the future waits for the reader
    future = std::async(
        std::launch::async, [&read](UniqueFd fd) { read(std::move(fd)); }, std::move(reading));
    const std::string path = formatted("/proc/self/fd/{}", writing.get());
    const std::string number_format = numbers.printf_format();
    const int error = vmaf_write_output_with_format(context, path.c_str(), format,
                                                    numbers.is_established() ? nullptr : number_format.c_str());
    writing.close();
    future.get();
    if (error) {
        errno = -error;
        throw Failure(kExitSetup, cannot_write("scores"));
    }
}

} // namespace vmaf::tool
