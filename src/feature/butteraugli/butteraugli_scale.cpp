#include "feature/butteraugli/butteraugli_scale.h"

#include <limits>

#include "base/round_up.h"

namespace vmaf {
namespace {

constexpr unsigned kBatchRows = ButteraugliScale::kBatchRows;
static_assert(kButteraugliDistanceDelay - kButteraugliHighDelay >= kButteraugliMaltaReach, "lines have their rows");

/// Rows in scratch_: those of one step at a time.
enum ScratchRow : unsigned {
    kLow = 0,                // a batch of each blurred difference
    kMedium = 0,             // a batch of each signal
    kSplit = 0,              // a batch of l, then hf, of each plane
    kUltra = 2 * kBatchRows, // a row of uhf of each
    kDistortedMask = 0,
    kScratchRows = 3 * kBatchRows
};

} // namespace

ButteraugliScale::ButteraugliScale(ButteraugliReferenceScale &reference, CpuTarget target, unsigned kept_distances)
    : ButteraugliPicture(reference.size(), target), reference_(reference),
      planes_(3, butteraugli_kept_rows(kButteraugliLowBlur), width_px()),
      rests_(3, butteraugli_kept_rows(kButteraugliMediumBlur), width_px()),
      high_(2, butteraugli_kept_rows(kButteraugliHighBlur), width_px()),
      lines_(kButteraugliLinePlanes,
             butteraugli_kept_rows(kButteraugliDistanceDelay - kButteraugliMediumDelay, kButteraugliMaltaReach),
             width_px()),
      activity_(1, butteraugli_kept_rows(kButteraugliMaskBlur), width_px()),
      ac_(1, butteraugli_kept_rows(kButteraugliDistanceDelay - kButteraugliMediumDelay, 0), width_px()),
      dc_(1, butteraugli_kept_rows(kButteraugliDistanceDelay - kButteraugliLowDelay, 0), width_px()),
      distance_(1, kept_distances, width_px()), scratch_(kScratchRows, 1, width_px()),
      far_(1, 1, width_px(), std::numeric_limits<float>::max()), xyb_(std::size_t{3} * width_px())
{
}

void ButteraugliScale::begin()
{
    ButteraugliPicture::begin();
    colours_ = lows_ = mediums_ = highs_ = masks_ = distances_ = 0;
}

void ButteraugliScale::push()
{
    const bool batch = take_row();
    make_colours(rows_within(kButteraugliColourDelay));
    if (!batch)
        return;
    make_low(rows_within(kButteraugliLowDelay));
    make_medium(rows_within(kButteraugliMediumDelay));
    make_high(rows_within(kButteraugliHighDelay));
    make_masks(rows_within(kButteraugliMaskDelay));
    make_distances(rows_within(kButteraugliDistanceDelay));
}

unsigned ButteraugliScale::rows_to_push(unsigned height_px)
{
    return static_cast<unsigned>(round_up(height_px + kButteraugliDistanceDelay, kBatchRows));
}

void ButteraugliScale::make_colours(unsigned end)
{
    const ButteraugliXyb xyb{{xyb_.data(), xyb_.data() + width_px(), xyb_.data() + 2 * std::size_t{width_px()}}};
    for (; colours_ < end; ++colours_) {
        opsin(colours_, xyb);
        float *const out[3] = {planes_.row(0, colours_), planes_.row(1, colours_), planes_.row(2, colours_)};
        loops().compare(reference_.xyb(colours_), xyb, width_px(), out);
    }
}

void ButteraugliScale::make_low(unsigned end)
{
    const unsigned first = lows_;
    for (unsigned plane = 0; plane < 3; ++plane) {
        const auto low = [&](unsigned y) { return scratch_row(kLow + plane * kBatchRows + (y - first)); };
        blur(planes_, plane, kButteraugliLowBlur, first, end, low);
        for (unsigned y = first; y < end; ++y)
            loops().subtract(planes_.row(plane, y), low(y), width_px(), rests_.row(plane, y));
    }
    for (; lows_ < end; ++lows_) {
        const float *low[3];
        for (unsigned plane = 0; plane < 3; ++plane)
            low[plane] = scratch_row(kLow + plane * kBatchRows + (lows_ - first));
        loops().low_errors(low, width_px(), dc_.row(0, lows_));
    }
}

void ButteraugliScale::make_medium(unsigned end)
{
    const unsigned first = mediums_;
    for (unsigned plane = 0; plane < 3; ++plane)
        blur(rests_, plane, kButteraugliMediumBlur, first, end,
             [&](unsigned y) { return scratch_row(kMedium + plane * kBatchRows + (y - first)); });
    for (; mediums_ < end; ++mediums_) {
        const unsigned y = mediums_;
        ButteraugliRows rest{{reference_.rest(0, y), reference_.rest(1, y)}};
        ButteraugliRows medium{{reference_.medium(0, y), reference_.medium(1, y)}};
        for (unsigned plane = 0; plane < 3; ++plane) {
            rest.row[kButteraugliDifferenceX + plane] = rests_.row(plane, y);
            medium.row[kButteraugliDifferenceX + plane] = scratch_row(kMedium + plane * kBatchRows + (y - first));
        }
        float *const high[2] = {high_.row(0, y), high_.row(1, y)};
        float *const lines[2] = {lines_.row(kButteraugliMediumX, y), lines_.row(kButteraugliMediumY, y)};
        loops().medium(rest, medium, tuning(), width_px(), high, lines, ac_.row(0, y));
    }
}

void ButteraugliScale::make_high(unsigned end)
{
    const unsigned first = highs_;
    const auto split = [&](unsigned plane, unsigned y) {
        return scratch_row(kSplit + plane * kBatchRows + (y - first));
    };
    for (unsigned plane = 0; plane < 2; ++plane)
        blur(high_, plane, kButteraugliHighBlur, first, end, [&](unsigned y) { return split(plane, y); });
    for (; highs_ < end; ++highs_) {
        const unsigned y = highs_;
        float *const hf[2] = {split(0, y), split(1, y)}, *const uhf[2] = {scratch_row(kUltra), scratch_row(kUltra + 1)};
        loops().split_x(high_.row(0, y), width_px(), hf[0], uhf[0]);
        loops().split_y(high_.row(1, y), width_px(), hf[1], uhf[1]);
        loops().activity(uhf, hf, width_px(), activity_.row(0, y));
        for (unsigned plane = 0; plane < 2; ++plane) {
            const unsigned high = kButteraugliHighX + plane, ultra = kButteraugliUltraX + plane;
            loops().line_differences(reference_.high(plane, y), hf[plane], tuning().lines[high], width_px(),
                                     lines_.row(high, y));
            loops().line_differences(reference_.ultra(plane, y), uhf[plane], tuning().lines[ultra], width_px(),
                                     lines_.row(ultra, y));
            loops().high_errors(reference_.high(plane, y), hf[plane], tuning().high[plane], width_px(), ac_.row(0, y));
        }
    }
}

void ButteraugliScale::make_masks(unsigned end)
{
    const unsigned first = masks_;
    blur(activity_, 0, kButteraugliMaskBlur, first, end,
         [&](unsigned y) { return scratch_row(kDistortedMask + (y - first)); });
    for (; masks_ < end; ++masks_)
        loops().add_mask_error(reference_.mask(masks_), scratch_row(kDistortedMask + (masks_ - first)), width_px(),
                               ac_.row(0, masks_));
}

void ButteraugliScale::make_distances(unsigned end)
{
    const auto mask = [&](unsigned y) {
        return y < height_px() ? reference_.mask(y) : far_.row(0, 0); // y wraps above the picture
    };
    for (; distances_ < end; ++distances_) {
        const unsigned y = distances_;
        for (unsigned plane = 0; plane < kButteraugliLinePlanes; ++plane) {
            const float *rows[2 * kButteraugliMaltaReach + 1];
            for (unsigned i = 0; i < 2 * kButteraugliMaltaReach + 1; ++i) {
                const unsigned row = y + i - kButteraugliMaltaReach; // wraps above the picture
                rows[i] = row < height_px() ? lines_.row(plane, row) : no_row();
            }
            const bool fine = plane >= kButteraugliUltraX;
            (fine ? loops().add_fine_lines : loops().add_coarse_lines)(rows, width_px(), ac_.row(0, y));
        }
        const float *const masks[3] = {mask(y - kButteraugliErosionReach), mask(y), mask(y + kButteraugliErosionReach)};
        loops().local_distance(masks, ac_.row(0, y), dc_.row(0, y), width_px(), distance_.row(0, y));
    }
}

} // namespace vmaf
