#include "feature/feature.h"

#include "base/log.h"

namespace vmaf {

Status Feature::check_format(const PictureFormat &) const
{
    return {};
}
ReadingWindow Feature::window(const PictureFormat &) const
{
    return {};
}

Status Feature::check_sums(const void *, const PictureFormat &, unsigned) const
{
    return {};
}

std::unique_ptr<ClipState> Feature::make_clip_state(const PictureFormat &) const
{
    return nullptr;
}

Status check_picture_size(const FeatureSpec &spec, const PictureFormat &format)
{
    if (format.width < spec.min_width_px || format.height < spec.min_height_px) {
        log(LogLevel::error, "%s: picture is %ux%u, smallest size is %ux%u", spec.name, format.width, format.height,
            spec.min_width_px, spec.min_height_px);
        return Status::error(EINVAL);
    }
    if (format.width > kLargestSidePx || format.height > kLargestSidePx) {
        log(LogLevel::error, "%s: picture is %ux%u, largest size is %ux%u", spec.name, format.width, format.height,
            kLargestSidePx, kLargestSidePx);
        return Status::error(EINVAL);
    }
    return {};
}

} // namespace vmaf
