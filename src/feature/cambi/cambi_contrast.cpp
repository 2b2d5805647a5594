#include "feature/cambi/cambi_contrast.h"

#include <algorithm>
#include <bit>

namespace vmaf {
namespace {

constexpr unsigned kFilterRows = 3;

/// The values v for which a step may count (spec cambi 3.5).
int lowest_counted(const CambiVisibility &visibility)
{
    return std::max(0, visibility.lowest_visible - 2 * visibility.steps + 1);
}
int highest_counted(const CambiVisibility &visibility)
{
    return std::max(lowest_counted(visibility),
                    std::min(visibility.tvi[visibility.steps], static_cast<int>(kCambiMaxSample)));
}

} // namespace

// Levels reach N values beyond those that count on either side, so that every step has its
// counters.
CambiContrast::CambiContrast(const PictureSize &largest, unsigned window, const CambiVisibility &visibility,
                             const CambiLoops &loops)
    : loops_(loops), window_(window), lowest_value_(lowest_counted(visibility) - visibility.steps),
      level_count_(static_cast<unsigned>(highest_counted(visibility) + visibility.steps - lowest_value_ + 1)),
      first_step_(level_count_ + 1, static_cast<std::uint8_t>(visibility.steps + 1)), reciprocals_(cambi_reciprocals()),
      tables_{static_cast<unsigned>(visibility.steps), first_step_.data(), reciprocals_.data(), 0, {}},
      row_filtered_({largest.width_px, kFilterRows + 1}), levels_({largest.width_px, window + 2}),
      counts_(CambiCounters::size(largest.width_px, level_count_ + 1)), c_(largest.pixels() + kCambiSlackPx)
{
    for (unsigned level = 1 + tables_.steps; level <= level_count_ - tables_.steps; ++level)
        first_step_[level] =
            static_cast<std::uint8_t>(visibility.first_step(static_cast<int>(level) - 1 + lowest_value_));
    // Also beyond the rows' ends: what loops read there may choose how they count, but not what.
    std::fill(levels_.row(0), levels_.row(window + 2), std::uint16_t{0});
    std::fill_n(counts_.data(), counts_.size(), std::uint16_t{0});
    find_exceptions();
}

void CambiContrast::find_exceptions()
{
    for (unsigned n = 1; n <= window_ * window_; ++n) {
        const int difference = std::bit_cast<int>(reciprocals_[n]) - std::bit_cast<int>(1.0F / static_cast<float>(n));
        if (difference == 0)
            continue;
        if (tables_.exception_count < kCambiMaxExceptions)
            tables_.exceptions[tables_.exception_count] = {static_cast<int>(n), difference};
        ++tables_.exception_count;
    }
}

std::uint16_t *CambiContrast::level_row(unsigned y)
{
    return levels_.row(y % (window_ + 1));
}

const std::uint16_t *CambiContrast::no_levels() const
{
    return levels_.row(window_ + 1);
}

// Rows are asked for in order. The first and the last one stay as they are (spec cambi 3.4).
const std::uint16_t *CambiContrast::filtered_row(const CambiPicture &picture, const PictureSize &size, unsigned y)
{
    if (y == 0 || y + 1 == size.height_px)
        return picture.samples.row(y);
    const auto along_row = [&](unsigned row) { return row_filtered_.row(row % kFilterRows); };
    for (unsigned row = y == 1 ? 0 : y + 1; row <= y + 1; ++row)
        loops_.mode_filter_row(picture.samples.row(row), size.width_px, along_row(row));
    std::uint16_t *filtered = row_filtered_.row(kFilterRows);
    loops_.mode_filter_column(along_row(y - 1), along_row(y), along_row(y + 1), size.width_px, filtered);
    return filtered;
}

void CambiContrast::enter_row(const CambiPicture &picture, const PictureSize &size, unsigned y, CambiPicture *next)
{
    const std::uint16_t *samples = filtered_row(picture, size, y);
    const std::uint8_t *mask = picture.mask.row(y);
    loops_.level_row(samples, mask, size.width_px, lowest_value_, level_count_, level_row(y));
    if (next == nullptr || y % 2 != 0)
        return;
    loops_.halve_picture_row(samples, size.halved().width_px, next->samples.row(y / 2));
    loops_.halve_mask_row(mask, size.halved().width_px, next->mask.row(y / 2));
}

std::span<float> CambiContrast::run(const CambiPicture &picture, const PictureSize &size, CambiPicture *next)
{
    const CambiCounters counters{counts_.data(), level_count_ + 1, window_ / 2};
    const unsigned width = size.width_px, height = size.height_px;
    for (unsigned y = 0; y < height + counters.reach_px; ++y) {
        if (y < height)
            enter_row(picture, size, y, next);
        loops_.slide_counters(y < height ? level_row(y) : no_levels(),
                              y < window_ ? no_levels() : level_row(y - window_), width, counters);
        if (y < counters.reach_px)
            continue;
        const unsigned centre = y - counters.reach_px;
        loops_.contrast_row(level_row(centre), width, counters, tables_, c_.data() + std::size_t{centre} * width);
    }
    // What is left of the picture leaves: all counts are 0 again.
    for (unsigned y = std::max(height + counters.reach_px, window_); y < height + window_; ++y)
        loops_.slide_counters(no_levels(), level_row(y - window_), width, counters);
    return {c_.data(), size.pixels()};
}

} // namespace vmaf
