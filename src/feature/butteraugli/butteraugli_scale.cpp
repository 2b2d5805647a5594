#include "feature/butteraugli/butteraugli_scale.h"

#include <algorithm>
#include <limits>

namespace vmaf {
namespace {

constexpr unsigned kBatchRows = ButteraugliScale::kBatchRows;

/// By how many rows a step follows the one before.
constexpr unsigned reach_of(ButteraugliBlur blur)
{
    return kButteraugliReach[blur];
}
constexpr unsigned kColourDelay = reach_of(kButteraugliOpsinBlur);
constexpr unsigned kLowDelay = kColourDelay + reach_of(kButteraugliLowBlur);
constexpr unsigned kMediumDelay = kLowDelay + reach_of(kButteraugliMediumBlur);
constexpr unsigned kHighDelay = kMediumDelay + reach_of(kButteraugliHighBlur);
constexpr unsigned kMaskDelay = kHighDelay + reach_of(kButteraugliMaskBlur);
constexpr unsigned kDistanceDelay = kMaskDelay + kButteraugliErosionReach;
static_assert(kDistanceDelay + kBatchRows == ButteraugliScale::kDelayRows);
static_assert(kDistanceDelay - kHighDelay >= kButteraugliMaltaReach, "lines have their rows");

/// Rows of a plane that are kept for a step that follows its own by `delay` rows and looks `reach`
/// rows around.
constexpr unsigned kept_rows(unsigned delay, unsigned reach)
{
    return delay + reach + kBatchRows;
}
constexpr unsigned kept_rows(ButteraugliBlur blur)
{
    return kept_rows(reach_of(blur), reach_of(blur));
}

/// Rows in scratch_: those of one step at a time.
enum ScratchRow : unsigned {
    kBlurredColour = 0,      // three channels
    kMirroredColour = 3,     // on its way there
    kLow = 0,                // a batch of each blurred difference, then one of X or Y
    kMedium = 0,             // a batch of each signal
    kSplit = 0,              // a batch of l, then hf, of each plane
    kUltra = 4 * kBatchRows, // a row of uhf of each
    kDistortedMask = 0,
    kScratchRows = 5 * kBatchRows
};

/// Columns that are blurred at a time: the rows of so many stay in the first-level cache.
constexpr unsigned kSegmentPx = 128;

std::vector<ButteraugliRing> rings(unsigned count, unsigned width_px, unsigned rows)
{
    std::vector<ButteraugliRing> result;
    for (unsigned i = 0; i < count; ++i)
        result.emplace_back(width_px, rows);
    return result;
}

} // namespace

ButteraugliScale::ButteraugliScale(unsigned width_px, unsigned height_px, bool grey, const ButteraugliTuning &tuning,
                                   CpuTarget target, unsigned kept_distances)
    : width_px_(width_px), height_px_(height_px), channels_(grey ? 1 : 3), tuning_(tuning),
      rgb_loops_(select_kRgbLoops(target)), loops_(select_kButteraugliLoops(target)),
      blur_loops_(select_kButteraugliBlurLoops(target)),
      linear_(rings(kPictures * channels_, width_px, kept_rows(kButteraugliOpsinBlur))),
      planes_(rings(kButteraugliSignals, width_px, kept_rows(kButteraugliLowBlur))),
      rests_(rings(kButteraugliSignals, width_px, kept_rows(kButteraugliMediumBlur))),
      high_(rings(2 * kPictures, width_px, kept_rows(kButteraugliHighBlur))),
      lines_(rings(kButteraugliLinePlanes, width_px, kept_rows(kDistanceDelay - kMediumDelay, kButteraugliMaltaReach))),
      activity_(rings(kPictures, width_px, kept_rows(kButteraugliMaskBlur))),
      ac_(width_px, kept_rows(kDistanceDelay - kMediumDelay, 0)),
      dc_(width_px, kept_rows(kDistanceDelay - kLowDelay, 0)),
      mask_(width_px, kept_rows(kButteraugliErosionReach, kButteraugliErosionReach), std::numeric_limits<float>::max()),
      distance_(width_px, kept_distances), scratch_(width_px, kScratchRows), vertical_(width_px, kBatchRows),
      none_(width_px, 1), far_(width_px, 1, std::numeric_limits<float>::max()),
      xyb_(std::size_t{kPictures} * 3 * width_px)
{
    for (unsigned i = 0; i < kButteraugliBlurs; ++i) {
        const auto which = static_cast<ButteraugliBlur>(i);
        blurs_.push_back(
            {butteraugli_taps(which), butteraugli_norms(which, width_px), butteraugli_norms(which, height_px)});
    }
    // This one mirrors: it always weighs all its values.
    std::ranges::fill(blurs_[kButteraugliOpsinBlur].row_norms, 1.0F);
}

void ButteraugliScale::begin()
{
    fed_ = ahead_ = colours_ = lows_ = mediums_ = highs_ = masks_ = distances_ = 0;
}

void ButteraugliScale::push()
{
    ++fed_;
    if (fed_ - ahead_ == kBatchRows) {
        ahead_ = fed_;
        advance();
    }
}

void ButteraugliScale::drain()
{
    ahead_ += kBatchRows;
    advance();
}

/// Number of rows that a step can have made which follows by `delay` rows.
unsigned ButteraugliScale::rows_within(unsigned delay) const
{
    return std::min(height_px_, std::max(ahead_, delay) - delay);
}

void ButteraugliScale::advance()
{
    make_colours(rows_within(kColourDelay));
    make_low(rows_within(kLowDelay));
    make_medium(rows_within(kMediumDelay));
    make_high(rows_within(kHighDelay));
    make_masks(rows_within(kMaskDelay));
    make_distances(rows_within(kDistanceDelay));
}

ColourRow ButteraugliScale::linear_row(unsigned picture, unsigned y)
{
    ColourRow row{};
    for (unsigned channel = 0; channel < 3; ++channel)
        row.channel[channel] = linear_[picture * channels_ + std::min(channel, channels_ - 1)].row(y);
    return row;
}

void ButteraugliScale::halve_into(ButteraugliScale &half)
{
    const unsigned last = fed_ - 1, pair = last % 2 == 1 ? last - 1 : last; // an odd last row is repeated
    for (unsigned picture = 0; picture < kPictures; ++picture) {
        const ColourRow top = linear_row(picture, pair), bottom = linear_row(picture, last);
        const ColourRow out = half.next_row(picture);
        for (unsigned channel = 0; channel < channels_; ++channel) {
            for (float *row : {top.channel[channel], bottom.channel[channel]})
                row[width_px_] = row[width_px_ - 1]; // as an odd last column is
            rgb_loops_.halve(top.channel[channel], bottom.channel[channel], half.width_px_, out.channel[channel]);
        }
    }
}

/// The rows `first` to `end` - 1, at most kBatchRows, of the plane's blur, row y to out(y).
template <class Out>
void ButteraugliScale::blur(ButteraugliRing &plane, ButteraugliBlur which, unsigned first, unsigned end, Out out)
{
    const Blur &blur = blurs_[which];
    const unsigned reach = reach_of(which);
    const float *rows[kBatchRows + 2 * kButteraugliMostReach];
    for (unsigned i = 0; i < end - first + 2 * reach; ++i) {
        const unsigned y = first + i - reach; // wraps above the picture
        rows[i] = y < height_px_ ? plane.row(y) : none_.row(0);
    }
    for (unsigned x = 0; x < width_px_; x += kSegmentPx)
        for (unsigned y = first; y < end; ++y)
            blur_loops_.blur_columns(rows + (y - first), x, std::min(kSegmentPx, width_px_ - x), blur.taps.taps, reach,
                                     blur.column_norms[y], vertical_.row(y) + x);
    for (unsigned y = first; y < end; ++y)
        blur_loops_.blur_row(vertical_.row(y), width_px_, blur.taps.taps, reach, blur.row_norms.data(), out(y));
}

/// spec butteraugli 3.2: the blur that mirrors.
void ButteraugliScale::blur_colour(unsigned picture, unsigned y)
{
    constexpr unsigned kReach = reach_of(kButteraugliOpsinBlur);
    const auto mirrored = [](unsigned i, unsigned size) {
        return i < size ? i : i < size + kReach ? 2 * size - 1 - i : ~i; // i wraps before the first
    };
    const Blur &blur = blurs_[kButteraugliOpsinBlur];
    for (unsigned channel = 0; channel < channels_; ++channel) {
        const float *rows[2 * kReach + 1];
        for (unsigned i = 0; i < 2 * kReach + 1; ++i)
            rows[i] = linear_row(picture, mirrored(y + i - kReach, height_px_)).channel[channel];
        float *vertical = scratch_row(kMirroredColour);
        blur_loops_.blur_columns(rows, 0, width_px_, blur.taps.taps, kReach, 1, vertical);
        for (unsigned i = 0; i < kReach; ++i) {
            vertical[-1 - static_cast<int>(i)] = vertical[i];
            vertical[width_px_ + i] = vertical[width_px_ - 1 - i];
        }
        blur_loops_.blur_row(vertical, width_px_, blur.taps.taps, kReach, blur.row_norms.data(),
                             scratch_row(kBlurredColour + channel));
    }
}

void ButteraugliScale::make_colours(unsigned end)
{
    const auto xyb = [&](unsigned picture) {
        double *first = xyb_.data() + std::size_t{picture} * 3 * width_px_;
        return ButteraugliXyb{{first, first + width_px_, first + 2 * std::size_t{width_px_}}};
    };
    for (; colours_ < end; ++colours_) {
        for (unsigned picture = 0; picture < kPictures; ++picture) {
            blur_colour(picture, colours_);
            ColourRow blurred{};
            for (unsigned channel = 0; channel < 3; ++channel)
                blurred.channel[channel] = scratch_row(kBlurredColour + std::min(channel, channels_ - 1));
            loops_.opsin(linear_row(picture, colours_), blurred, tuning_.intensity, width_px_, xyb(picture));
        }
        ButteraugliRows out{};
        for (unsigned signal = 0; signal < kButteraugliSignals; ++signal)
            out.row[signal] = planes_[signal].row(colours_);
        loops_.compare(xyb(kRef), xyb(kDis), width_px_, out);
    }
}

void ButteraugliScale::make_low(unsigned end)
{
    const unsigned first = lows_;
    for (unsigned signal = 0; signal < kButteraugliSignals; ++signal) {
        const bool difference = signal >= kButteraugliDifferenceX;
        const auto low = [&](unsigned y) {
            return difference ? scratch_row(kLow + (signal - kButteraugliDifferenceX) * kBatchRows + (y - first))
                              : scratch_row(kLow + 3 * kBatchRows + (y - first));
        };
        blur(planes_[signal], kButteraugliLowBlur, first, end, low);
        for (unsigned y = first; y < end; ++y)
            loops_.subtract(planes_[signal].row(y), low(y), width_px_, rests_[signal].row(y));
    }
    for (; lows_ < end; ++lows_) {
        const float *low[3];
        for (unsigned plane = 0; plane < 3; ++plane)
            low[plane] = scratch_row(kLow + plane * kBatchRows + (lows_ - first));
        loops_.low_errors(low, width_px_, dc_.row(lows_));
    }
}

void ButteraugliScale::make_medium(unsigned end)
{
    const unsigned first = mediums_;
    for (unsigned signal = 0; signal < kButteraugliSignals; ++signal)
        blur(rests_[signal], kButteraugliMediumBlur, first, end,
             [&](unsigned y) { return scratch_row(kMedium + signal * kBatchRows + (y - first)); });
    for (; mediums_ < end; ++mediums_) {
        const unsigned y = mediums_;
        ButteraugliRows rest{}, medium{};
        for (unsigned signal = 0; signal < kButteraugliSignals; ++signal) {
            rest.row[signal] = rests_[signal].row(y);
            medium.row[signal] = scratch_row(kMedium + signal * kBatchRows + (y - first));
        }
        const ButteraugliPair high{{high_[0].row(y), high_[1].row(y)}, {high_[2].row(y), high_[3].row(y)}};
        float *const lines[2] = {lines_[kButteraugliMediumX].row(y), lines_[kButteraugliMediumY].row(y)};
        loops_.medium(rest, medium, tuning_, width_px_, high, lines, ac_.row(y));
    }
}

void ButteraugliScale::make_high(unsigned end)
{
    const unsigned first = highs_;
    const auto split = [&](unsigned picture, unsigned plane, unsigned y) {
        return scratch_row(kSplit + (2 * picture + plane) * kBatchRows + (y - first));
    };
    for (unsigned picture = 0; picture < kPictures; ++picture)
        for (unsigned plane = 0; plane < 2; ++plane)
            blur(high_[2 * picture + plane], kButteraugliHighBlur, first, end,
                 [&](unsigned y) { return split(picture, plane, y); });
    for (; highs_ < end; ++highs_) {
        const unsigned y = highs_;
        float *hf[kPictures][2], *uhf[kPictures][2];
        for (unsigned picture = 0; picture < kPictures; ++picture) {
            for (unsigned plane = 0; plane < 2; ++plane) {
                hf[picture][plane] = split(picture, plane, y);
                uhf[picture][plane] = scratch_row(kUltra + 2 * picture + plane);
                const auto step = plane == 0 ? loops_.split_x : loops_.split_y;
                step(high_[2 * picture + plane].row(y), width_px_, hf[picture][plane], uhf[picture][plane]);
            }
            loops_.activity(uhf[picture], hf[picture], width_px_, activity_[picture].row(y));
        }
        for (unsigned plane = 0; plane < 2; ++plane) {
            const unsigned high = kButteraugliHighX + plane, ultra = kButteraugliUltraX + plane;
            loops_.line_differences(hf[kRef][plane], hf[kDis][plane], tuning_.lines[high], width_px_,
                                    lines_[high].row(y));
            loops_.line_differences(uhf[kRef][plane], uhf[kDis][plane], tuning_.lines[ultra], width_px_,
                                    lines_[ultra].row(y));
            loops_.high_errors(hf[kRef][plane], hf[kDis][plane], tuning_.high[plane], width_px_, ac_.row(y));
        }
    }
}

void ButteraugliScale::make_masks(unsigned end)
{
    const unsigned first = masks_;
    blur(activity_[kRef], kButteraugliMaskBlur, first, end, [&](unsigned y) { return mask_.row(y); });
    blur(activity_[kDis], kButteraugliMaskBlur, first, end,
         [&](unsigned y) { return scratch_row(kDistortedMask + (y - first)); });
    for (; masks_ < end; ++masks_)
        loops_.add_mask_error(mask_.row(masks_), scratch_row(kDistortedMask + (masks_ - first)), width_px_,
                              ac_.row(masks_));
}

void ButteraugliScale::make_distances(unsigned end)
{
    const auto row_of = [&](ButteraugliRing &plane, unsigned y, ButteraugliRing &outside) {
        return y < height_px_ ? plane.row(y) : outside.row(0); // y wraps above the picture
    };
    for (; distances_ < end; ++distances_) {
        const unsigned y = distances_;
        for (unsigned plane = 0; plane < kButteraugliLinePlanes; ++plane) {
            const float *rows[2 * kButteraugliMaltaReach + 1];
            for (unsigned i = 0; i < 2 * kButteraugliMaltaReach + 1; ++i)
                rows[i] = row_of(lines_[plane], y + i - kButteraugliMaltaReach, none_);
            const bool fine = plane >= kButteraugliUltraX;
            (fine ? loops_.add_fine_lines : loops_.add_coarse_lines)(rows, width_px_, ac_.row(y));
        }
        const float *const mask[3] = {row_of(mask_, y - kButteraugliErosionReach, far_), mask_.row(y),
                                      row_of(mask_, y + kButteraugliErosionReach, far_)};
        loops_.local_distance(mask, ac_.row(y), dc_.row(y), width_px_, distance_.row(y));
    }
}

} // namespace vmaf
