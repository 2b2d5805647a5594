#include "feature/speed/speed_low_pass.h"

#include <algorithm>

#include "feature/common/gaussian_taps.h"
#include "feature/common/mirror.h"

namespace vmaf {
namespace {

unsigned reach(const std::vector<float> &taps)
{
    return static_cast<unsigned>(taps.size()) / 2;
}

} // namespace

std::vector<float> speed_reducing_taps(double kernel_scale)
{
    const unsigned count = odd_tap_count(9 * static_cast<float>(kernel_scale));
    return gaussian_taps(count, static_cast<float>(2.0 * count / 5.0));
}
std::vector<float> speed_mean_taps(double kernel_scale)
{
    const unsigned count = odd_tap_count(2 * static_cast<float>(kernel_scale));
    return gaussian_taps(count, static_cast<float>(count) / 5);
}

SpeedLowPass::SpeedLowPass(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
    : loops_(select_kSpeedLoops(target)), row_loops_(select_kFloatRowLoops(target)), geometry_(geometry),
      reducing_taps_(speed_reducing_taps(options.kernel_scale)), mean_taps_(speed_mean_taps(options.kernel_scale)),
      plane_(geometry.resampled ? geometry.plane.pixels() : 0),
      prescaled_row_(std::max(geometry.plane.width_px, geometry.prescaled.width_px)),
      reducing_row_(geometry.prescaled.width_px, reach(reducing_taps_)),
      mean_row_(geometry.reduced.width_px, reach(mean_taps_)), reduced_(geometry.reduced.pixels()),
      details_(geometry.reduced.pixels() + kSpeedOverread)
{
    if (geometry.resampled)
        prescaler_.emplace(*prescale_method(options.prescale_method), geometry.plane, geometry.prescaled, target);
    std::fill_n(details_.data(), details_.size(), 0.0F);
}

void SpeedLowPass::PaddedRow::reflect()
{
    const int width = static_cast<int>(width_px);
    for (int i = 1; i <= static_cast<int>(reach); ++i) {
        start()[-i] = start()[mirror(-i, width_px)];
        start()[width - 1 + i] = start()[mirror(width - 1 + i, width_px)];
    }
}

void SpeedLowPass::run(const SpeedSource &source)
{
    if (prescaler_)
        for (unsigned y = 0; y < geometry_.plane.height_px; ++y)
            convert_row(source, y, plane_.data() + std::size_t{y} * geometry_.plane.width_px);
    reduce(source);
    subtract_local_means();
}

void SpeedLowPass::convert_row(const SpeedSource &source, unsigned y, float *out) const
{
    const PlaneView &plane = source.plane, &other = source.subtrahend;
    const unsigned width = plane.width_px;
    if (other.data == nullptr)
        load_float_row(row_loops_, plane, y, 0, width, out);
    else if (plane.bpc == 8)
        loops_.difference_8bit(plane.row<std::uint8_t>(y), other.row<std::uint8_t>(y), width, out);
    else
        loops_.difference_16bit(plane.row<std::uint16_t>(y), other.row<std::uint16_t>(y),
                                1.0F / static_cast<float>(1U << (plane.bpc - 8)), width, out);
}

const float *SpeedLowPass::prescaled_row(const SpeedSource &source, unsigned y)
{
    if (prescaler_)
        prescaler_->row(plane_.data(), geometry_.plane.width_px, y, prescaled_row_.data());
    else
        convert_row(source, y, prescaled_row_.data());
    return prescaled_row_.data();
}

/// To reducing_row_.
void SpeedLowPass::add_row(const SpeedSource &source, unsigned y, float tap, unsigned width)
{
    const PlaneView &plane = source.plane;
    float *out = reducing_row_.start();
    const float scale = 1.0F / static_cast<float>(1U << (plane.bpc - 8));
    if (prescaler_ || source.subtrahend.data != nullptr)
        loops_.add_row(prescaled_row(source, y), tap, width, out);
    else if (plane.bpc == 8)
        loops_.add_samples_8bit(plane.row<std::uint8_t>(y), scale, tap, width, out);
    else
        loops_.add_samples_16bit(plane.row<std::uint16_t>(y), scale, tap, width, out);
}

// Only the samples that stay are filtered: every kSpeedStep-th of each row and column.
void SpeedLowPass::reduce(const SpeedSource &source)
{
    const unsigned width = geometry_.prescaled.width_px;
    const auto taps = static_cast<int>(reducing_taps_.size());
    for (unsigned y = 0; y < geometry_.reduced.height_px; ++y) {
        std::fill_n(reducing_row_.start(), width, 0.0F);
        const int first = static_cast<int>(kSpeedStep * y - reducing_row_.reach);
        for (int k = 0; k < taps; ++k) {
            const unsigned row = mirror(first + k, geometry_.prescaled.height_px);
            add_row(source, row, reducing_taps_[k], width);
        }
        reducing_row_.reflect();
        loops_.filter_row_and_decimate(reducing_row_.samples.data(), reducing_taps_.data(), taps,
                                       geometry_.reduced.width_px, reduced_.data() + y * stride());
    }
}

void SpeedLowPass::subtract_local_means()
{
    const auto [width, height] = geometry_.reduced;
    const auto taps = static_cast<int>(mean_taps_.size());
    for (unsigned y = 0; y < height; ++y) {
        std::fill_n(mean_row_.start(), width, 0.0F);
        for (int k = 0; k < taps; ++k) {
            const unsigned from = mirror(static_cast<int>(y) + k - static_cast<int>(mean_row_.reach), height);
            loops_.add_row(reduced_.data() + from * stride(), mean_taps_[k], width, mean_row_.start());
        }
        mean_row_.reflect();
        float *details = details_.data() + y * stride();
        loops_.filter_row(mean_row_.samples.data(), mean_taps_.data(), taps, width, details);
        loops_.subtract_from(reduced_.data() + y * stride(), width, details);
    }
}

} // namespace vmaf
