#include "feature/butteraugli/butteraugli_picture.h"

#include <algorithm>

namespace vmaf {

ButteraugliPicture::ButteraugliPicture(const ButteraugliSize &size, CpuTarget target)
    : size_(size), channels_(size.grey ? 1 : 3), rgb_loops_(select_kRgbLoops(target)),
      loops_(select_kButteraugliLoops(target)), blur_loops_(select_kButteraugliBlurLoops(target)),
      linear_(channels_, 2 * butteraugli_reach(kButteraugliOpsinBlur) + 1, size.width_px),
      blurred_(channels_ + 1, 1, size.width_px), vertical_(1, kBatchRows, size.width_px), none_(1, 1, size.width_px)
{
    for (unsigned i = 0; i < kButteraugliBlurs; ++i) {
        const auto which = static_cast<ButteraugliBlur>(i);
        blurs_.push_back(
            {butteraugli_taps(which), butteraugli_norms(which, width_px()), butteraugli_norms(which, height_px())});
    }
    // This one mirrors: it always weighs all its values.
    std::ranges::fill(blurs_[kButteraugliOpsinBlur].row_norms, 1.0F);
}

unsigned ButteraugliPicture::rows_within(unsigned delay) const
{
    return std::min(height_px(), std::max(fed_, delay) - delay);
}

ColourRow ButteraugliPicture::linear_row(unsigned y)
{
    ColourRow row{};
    for (unsigned channel = 0; channel < 3; ++channel)
        row.channel[channel] = linear_.row(std::min(channel, channels_ - 1), y);
    return row;
}

void ButteraugliPicture::halve_into(ButteraugliPicture &half)
{
    if (fed_ > height_px())
        return;
    const unsigned last = fed_ - 1, pair = last % 2 == 1 ? last - 1 : last; // an odd last row is repeated
    const ColourRow top = linear_row(pair), bottom = linear_row(last), out = half.next_row();
    for (unsigned channel = 0; channel < channels_; ++channel) {
        for (float *row : {top.channel[channel], bottom.channel[channel]})
            row[width_px()] = row[width_px() - 1]; // as an odd last column is
        rgb_loops_.halve(top.channel[channel], bottom.channel[channel], half.width_px(), out.channel[channel]);
    }
}

/// spec butteraugli 3.2: the blur that mirrors.
void ButteraugliPicture::blur_colour(unsigned y)
{
    constexpr unsigned kReach = butteraugli_reach(kButteraugliOpsinBlur);
    const auto mirrored = [](unsigned i, unsigned size) {
        return i < size ? i : i < size + kReach ? 2 * size - 1 - i : ~i; // i wraps before the first
    };
    const Blur &blur = blurs_[kButteraugliOpsinBlur];
    for (unsigned channel = 0; channel < channels_; ++channel) {
        const float *rows[2 * kReach + 1];
        for (unsigned i = 0; i < 2 * kReach + 1; ++i)
            rows[i] = linear_.row(channel, mirrored(y + i - kReach, height_px()));
        float *vertical = blurred_.row(channels_, 0);
        blur_loops_.blur_columns(rows, 0, width_px(), blur.taps.taps, kReach, 1, vertical);
        for (unsigned i = 0; i < kReach; ++i) {
            vertical[-1 - static_cast<int>(i)] = vertical[i];
            vertical[width_px() + i] = vertical[width_px() - 1 - i];
        }
        blur_loops_.blur_row(vertical, width_px(), blur.taps.taps, kReach, blur.row_norms.data(),
                             blurred_.row(channel, 0));
    }
}

void ButteraugliPicture::opsin(unsigned y, const ButteraugliXyb &out)
{
    blur_colour(y);
    ColourRow blurred{};
    for (unsigned channel = 0; channel < 3; ++channel)
        blurred.channel[channel] = blurred_.row(std::min(channel, channels_ - 1), 0);
    loops_.opsin(linear_row(y), blurred, tuning().intensity, width_px(), out);
}

} // namespace vmaf
