#include "feature/feature.h"

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

} // namespace vmaf
