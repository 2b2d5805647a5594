#include "feature/butteraugli/butteraugli_reference.h"

#include <limits>

namespace vmaf {

ButteraugliReferenceScale::ButteraugliReferenceScale(const ButteraugliSize &size, unsigned rows_ahead, CpuTarget target)
    : ButteraugliPicture(size, target), xyb_rows_(rows_ahead), xyb_(std::size_t{3} * xyb_rows_ * size.width_px),
      planes_(2, butteraugli_kept_rows(kButteraugliLowBlur), size.width_px),
      rests_(2, butteraugli_kept_rows(kButteraugliMediumBlur) + rows_ahead - 1, size.width_px),
      medium_(2, kBatchRows + rows_ahead - 1, size.width_px),
      high_(2, butteraugli_kept_rows(kButteraugliHighBlur), size.width_px),
      split_(4, kBatchRows + rows_ahead - 1, size.width_px),
      activity_(1, butteraugli_kept_rows(kButteraugliMaskBlur), size.width_px),
      mask_(1, butteraugli_kept_rows(kButteraugliErosionReach, kButteraugliErosionReach) + rows_ahead - 1,
            size.width_px, std::numeric_limits<float>::max()),
      low_(1, kBatchRows, size.width_px)
{
}

void ButteraugliReferenceScale::begin()
{
    ButteraugliPicture::begin();
    colours_ = lows_ = mediums_ = highs_ = masks_ = 0;
}

void ButteraugliReferenceScale::push()
{
    const bool batch = take_row();
    make_colours(rows_within(kButteraugliColourDelay));
    if (!batch)
        return;
    make_low(rows_within(kButteraugliLowDelay));
    make_medium(rows_within(kButteraugliMediumDelay));
    make_high(rows_within(kButteraugliHighDelay));
    make_mask(rows_within(kButteraugliMaskDelay));
}

ButteraugliXyb ButteraugliReferenceScale::xyb(unsigned y)
{
    double *const first = xyb_.data() + std::size_t{3} * (y % xyb_rows_) * width_px();
    return {{first, first + width_px(), first + 2 * std::size_t{width_px()}}};
}

void ButteraugliReferenceScale::make_colours(unsigned end)
{
    for (; colours_ < end; ++colours_) {
        const ButteraugliXyb colours = xyb(colours_);
        opsin(colours_, colours);
        for (unsigned plane = 0; plane < 2; ++plane)
            loops().narrow(colours.plane[plane], width_px(), planes_.row(plane, colours_));
    }
}

void ButteraugliReferenceScale::make_low(unsigned end)
{
    for (unsigned plane = 0; plane < 2; ++plane) {
        blur(planes_, plane, kButteraugliLowBlur, lows_, end, [&](unsigned y) { return low_.row(0, y); });
        for (unsigned y = lows_; y < end; ++y)
            loops().subtract(planes_.row(plane, y), low_.row(0, y), width_px(), rests_.row(plane, y));
    }
    lows_ = end;
}

void ButteraugliReferenceScale::make_medium(unsigned end)
{
    for (unsigned plane = 0; plane < 2; ++plane)
        blur(rests_, plane, kButteraugliMediumBlur, mediums_, end, [&](unsigned y) { return medium(plane, y); });
    for (; mediums_ < end; ++mediums_) {
        const unsigned y = mediums_;
        const float *const rests[2] = {rest(0, y), rest(1, y)}, *const mediums[2] = {medium(0, y), medium(1, y)};
        float *const out[2] = {high_.row(0, y), high_.row(1, y)};
        loops().reference_high(rests, mediums, width_px(), out);
    }
}

void ButteraugliReferenceScale::make_high(unsigned end)
{
    for (unsigned plane = 0; plane < 2; ++plane)
        blur(high_, plane, kButteraugliHighBlur, highs_, end, [&](unsigned y) { return high(plane, y); });
    for (; highs_ < end; ++highs_) {
        const unsigned y = highs_;
        float *const hf[2] = {high(0, y), high(1, y)}, *const uhf[2] = {ultra(0, y), ultra(1, y)};
        loops().split_x(high_.row(0, y), width_px(), hf[0], uhf[0]);
        loops().split_y(high_.row(1, y), width_px(), hf[1], uhf[1]);
        loops().activity(uhf, hf, width_px(), activity_.row(0, y));
    }
}

void ButteraugliReferenceScale::make_mask(unsigned end)
{
    blur(activity_, 0, kButteraugliMaskBlur, masks_, end, [&](unsigned y) { return mask(y); });
    masks_ = end;
}

} // namespace vmaf
