#pragma once

namespace vmaf {

/// What a device hands to the host for one frame: the accumulator of each plane (spec psnr_hvs
/// 3.4), whose rounding is part of the result. 0 for a plane without a block.
struct PsnrHvsSums {
    float accumulator[3];
};
static_assert(sizeof(PsnrHvsSums) == 12);

constexpr unsigned kHvsBlockPx = 8;
/// Neighbouring blocks share one column or row.
constexpr unsigned kHvsStepPx = 7;

/// Blocks along a side of a plane (spec psnr_hvs 3.1).
constexpr unsigned hvs_blocks(unsigned side_px)
{
    return side_px < kHvsBlockPx ? 0 : (side_px - kHvsBlockPx) / kHvsStepPx + 1;
}

} // namespace vmaf
