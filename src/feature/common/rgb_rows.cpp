#include "feature/common/rgb_rows.h"

#include <algorithm>
#include <utility>

namespace vmaf {

YuvMatrix yuv_matrix(int option, unsigned bpc)
{
    struct Weights {
        double kr, kg, kb;
    };
    constexpr Weights kBt709{0.2126, 0.7152, 0.0722}, kBt601{0.299, 0.587, 0.114}, kBt2020{0.2627, 0.6780, 0.0593};
    const bool bt2020 = option >= 4;
    const bool full_range = bt2020 ? option == 5 : option >= 2;
    const auto [kr, kg, kb] = bt2020 ? kBt2020 : option % 2 == 1 ? kBt601 : kBt709;
    const double peak = (1U << bpc) - 1;
    const double chroma_scale = (full_range ? 1.0 : 255.0 / 224) / peak;
    YuvMatrix matrix;
    matrix.luma_zero = static_cast<float>(full_range ? 0 : peak * 16 / 255);
    matrix.luma_scale = static_cast<float>((full_range ? 1.0 : 255.0 / 219) / peak);
    matrix.chroma_zero = static_cast<float>(peak / 2);
    matrix.red_v = static_cast<float>(2 * (1 - kr) * chroma_scale);
    matrix.green_u = static_cast<float>(-2 * kb * (1 - kb) / kg * chroma_scale);
    matrix.green_v = static_cast<float>(-2 * kr * (1 - kr) / kg * chroma_scale);
    matrix.blue_u = static_cast<float>(2 * (1 - kb) * chroma_scale);
    return matrix;
}

RgbSampling rgb_sampling(const PictureFormat &format, const YuvMatrix &matrix)
{
    RgbSampling sampling{};
    sampling.matrix = matrix;
    sampling.grey = format.plane_count() == 1;
    sampling.chroma_width_px = format.plane_width(1);
    sampling.chroma_height_px = format.plane_height(1);
    sampling.chroma_shift_x = sampling.chroma_width_px != format.width;
    sampling.chroma_shift_y = sampling.chroma_height_px != format.height;
    return sampling;
}

RgbRows::RgbRows(const PictureFormat &format, const YuvMatrix &matrix, Light light, CpuTarget target)
    : width_px_(format.width), sampling_(rgb_sampling(format, matrix)), light_(std::move(light)),
      loops_(select_kRgbLoops(target))
{
    sampling_.light = light_.params(light_.table().data());
}

void RgbRows::encoded(const PlaneView (&planes)[3], unsigned y, ColourRow out) const
{
    read(planes, y, out);
    if (grey())
        loops_.luma_to_rgb(sampling_.matrix, width_px_, out.channel[0]);
    else
        loops_.yuv_to_rgb(sampling_.matrix, width_px_, out);
}

void RgbRows::linear(const PlaneView (&planes)[3], unsigned y, ColourRow out) const
{
    if (!light_.table().empty()) {
        encoded(planes, y, out);
        return to_light(out);
    }
    read(planes, y, out);
    if (grey())
        loops_.luma_to_linear(sampling_.matrix, width_px_, out.channel[0]);
    else
        loops_.yuv_to_linear(sampling_.matrix, width_px_, out);
    if (!light_.is_plain())
        to_light(out);
}

/// What comes after sRGB's curve, or all of it.
void RgbRows::to_light(ColourRow rows) const
{
    const LightParams &params = sampling_.light;
    for (unsigned channel = 0; params.table != nullptr && channel < (grey() ? 1U : 3U); ++channel)
        loops_.look_up(params, width_px_, rows.channel[channel]);
    if (params.system_power != 0)
        (grey() ? loops_.apply_system_to_luma : loops_.apply_system)(params, width_px_, rows);
    if (params.converts)
        (grey() ? loops_.scale_luma : loops_.convert)(params, width_px_, rows);
}

void RgbRows::read(const PlaneView (&planes)[3], unsigned y, ColourRow out) const
{
    read_plane(planes[0], y, out.channel[0]);
    if (grey())
        return;
    for (unsigned plane = 1; plane < 3; ++plane)
        read_chroma(planes[plane], y, out.channel[plane]);
}

void RgbRows::read_plane(const PlaneView &plane, unsigned y, float *out) const
{
    if (plane.bpc == 8)
        loops_.samples_8bit(plane.row<std::uint8_t>(y), plane.width_px, out);
    else
        loops_.samples_16bit(plane.row<std::uint16_t>(y), plane.width_px, out);
}

void RgbRows::read_chroma(const PlaneView &plane, unsigned y, float *out) const
{
    const unsigned row = std::min(y >> sampling_.chroma_shift_y, sampling_.chroma_height_px - 1);
    if (sampling_.chroma_shift_x == 0)
        return read_plane(plane, row, out);
    if (plane.bpc == 8)
        loops_.twice_8bit(plane.row<std::uint8_t>(row), plane.width_px, out);
    else
        loops_.twice_16bit(plane.row<std::uint16_t>(row), plane.width_px, out);
    out[width_px_ - 1] = out[2 * plane.width_px - 1]; // an odd last column has no sample of its own
}

} // namespace vmaf
