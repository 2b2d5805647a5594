#include "feature/common/sample_depth.h"

#include "base/log.h"

namespace vmaf {

Status check_sample_depth(const char *feature, const PictureFormat &format)
{
    if (format.bpc == 8 || format.bpc == 10 || format.bpc == 12 || format.bpc == 16)
        return {};
    log(LogLevel::error, "%s: %u bits per sample, should be 8, 10, 12 or 16", feature, format.bpc);
    return Status::error(EINVAL);
}

} // namespace vmaf
