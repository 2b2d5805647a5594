#include <cstdio>
#include <memory>
#include <string>

#include "base/platform.h"
#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Status write_and_close(const char *path, File file, const std::string &text)
{
    const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    if (std::fclose(file.release()) == 0 && written)
        return {};
    log(LogLevel::error, "could not write file: %s", path);
    return Status::error(EIO);
}

/// @param score_format as for vmaf_write_output_with_format().
Status write_output(VmafContext *vmaf, const char *output_path, VmafOutputFormat fmt, const char *score_format)
{
    if (vmaf == nullptr)
        return Status::error(EINVAL);
    ScoreFormat numbers;
    if (score_format != nullptr) {
        VMAF_TRY_ASSIGN(numbers, ScoreFormat::create(score_format, static_cast<OutputFormat>(fmt)));
    }
    File file(output_path != nullptr ? open_for_writing(output_path) : nullptr);
    if (!file) {
        if (output_path != nullptr && errno == ENOMEM)
            return Status::error(ENOMEM);
        log_always("could not open file: %s", output_path != nullptr ? output_path : "(null)");
        return Status::error(EINVAL);
    }
    if (fmt < VMAF_OUTPUT_FORMAT_XML || fmt > VMAF_OUTPUT_FORMAT_SUB) {
        log(LogLevel::error, "unknown output format %d", static_cast<int>(fmt));
        return Status::error(EINVAL);
    }
    return write_and_close(output_path, std::move(file),
                           vmaf->session->formatted(static_cast<OutputFormat>(fmt), numbers, vmaf_version()));
}

} // namespace

VMAF_PUBLIC int vmaf_write_output(VmafContext *vmaf, const char *output_path, VmafOutputFormat fmt)
{
    return c_boundary("vmaf_write_output", [&] { return write_output(vmaf, output_path, fmt, nullptr); });
}

VMAF_PUBLIC int vmaf_write_output_with_format(VmafContext *vmaf, const char *output_path, VmafOutputFormat fmt,
                                              const char *score_format)
{
    return c_boundary("vmaf_write_output_with_format",
                      [&] { return write_output(vmaf, output_path, fmt, score_format); });
}
