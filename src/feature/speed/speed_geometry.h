#pragma once

#include "feature/common/prescale.h"
#include "feature/speed/speed_params.h"

namespace vmaf {

/// The sizes of spec speed 3.1.
struct SpeedGeometry {
    SpeedGeometry(const PictureSize &plane, double prescale);

    PictureSize plane;
    PictureSize prescaled;
    bool resampled;      ///< false: the prescaled picture is the plane's top left part
    PictureSize reduced; ///< after the low pass
    unsigned blocks_x, blocks_y;

    bool too_small() const { return blocks_x == 0 || blocks_y == 0; }
    unsigned block_count() const { return blocks_x * blocks_y; }
    /// Rows and columns of the blocks.
    unsigned block_columns() const { return kSpeedBlock * blocks_x; }
    unsigned block_rows() const { return kSpeedBlock * blocks_y; }
    /// Positions of a block that is shifted by single samples.
    unsigned windows_x() const { return block_columns() - (kSpeedBlock - 1); }
    unsigned windows_y() const { return block_rows() - (kSpeedBlock - 1); }
    unsigned window_count() const { return windows_x() * windows_y(); }
};

} // namespace vmaf
