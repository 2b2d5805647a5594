#include "feature/cambi/cambi_geometry.h"

#include <algorithm>

#include "base/log.h"

namespace vmaf {
namespace {

constexpr PictureSize kSmallest{216, 216}; // both sides below: refused

PictureSize given_or(const PictureSize &given, const PictureSize &picture)
{
    return given.width_px == 0 || given.height_px == 0 ? picture : given;
}

unsigned speedup_pixels(unsigned high_res_speedup)
{
    switch (high_res_speedup) {
    case 1080:
        return 1920 * 1080;
    case 1440:
        return 2560 * 1440;
    case 2160:
        return 3840 * 2160;
    default:
        return 0;
    }
}

unsigned window(unsigned window_size, const PictureSize &size, bool half_size)
{
    const unsigned full = ((window_size * (size.width_px + size.height_px)) / 375) >> 4;
    return (half_size ? (full + 1) >> 1 : full) | 1;
}

bool too_small(const PictureSize &size)
{
    return size.width_px < kSmallest.width_px && size.height_px < kSmallest.height_px;
}

} // namespace

CambiGeometry cambi_geometry(const CambiSizeOptions &options, const PictureFormat &format)
{
    const PictureSize picture{format.width, format.height};
    PictureSize enc = given_or(options.enc, picture);
    const PictureSize src = given_or(options.src, picture);
    if (enc.height_px > picture.height_px || enc.width_px > picture.width_px)
        enc = picture;
    const unsigned speedup = speedup_pixels(options.high_res_speedup);
    const bool half_size = speedup != 0 && enc.pixels() >= speedup;
    return {{enc, window(options.window_size, enc, half_size)},
            {src, window(options.window_size, src, half_size)},
            half_size};
}

Status check_cambi_geometry(const CambiGeometry &geometry)
{
    const PictureSize &enc = geometry.dis.size, &src = geometry.ref.size;
    for (const PictureSize &size : {enc, src})
        if (too_small(size)) {
            log(LogLevel::error, "cambi: picture is processed at %ux%u, one side should be %u or more", size.width_px,
                size.height_px, kSmallest.width_px);
            return Status::error(EINVAL);
        }
    if ((src.width_px > enc.width_px && src.height_px < enc.height_px) ||
        (src.width_px < enc.width_px && src.height_px > enc.height_px)) {
        log(LogLevel::error, "cambi: sizes %ux%u and %ux%u of reference and distorted picture are not comparable",
            src.width_px, src.height_px, enc.width_px, enc.height_px);
        return Status::error(EINVAL);
    }
    const unsigned widest = std::max(geometry.dis.window, geometry.ref.window);
    if (widest > kCambiMaxWindow) {
        log(LogLevel::error, "cambi: the window has %u pixels a side at this size, at most %u are possible", widest,
            kCambiMaxWindow);
        return Status::error(EINVAL);
    }
    return {};
}

PictureSize CambiGeometry::scale_size(const CambiPass &pass, unsigned scale) const
{
    PictureSize size = half_size ? pass.size.halved() : pass.size;
    for (unsigned s = 0; s < scale; ++s)
        size = size.halved();
    return size;
}

std::size_t cambi_top_count(double topk, std::size_t pixels)
{
    const double count = topk * static_cast<double>(pixels);
    if (!(count >= 1))
        return 1;
    return std::min(static_cast<std::size_t>(count), pixels);
}

} // namespace vmaf
