#pragma once

// Shared with kernels/xpsnr/: plain C++17. From the integers of blocks to weights and errors, spec
// xpsnr 3.1 to 3.5, for the host and for devices: the same operations on doubles, each rounded by
// itself.

#include <cstdint>

#include "base/host_and_device.h"

namespace vmaf {

/// spec xpsnr 3.1: the blocks of a picture.
struct XpsnrGrid {
    int width_px;
    int height_px;
    int sample_bytes;
    int plane_count;    ///< measured: 1 or 3
    int chroma_shift_x; ///< log2 of how many columns of luma have one of chroma
    int chroma_shift_y;
    int block_px;        ///< B; of unweighted pictures more than their sides
    int step;            ///< m
    int columns;         ///< nx
    int rows;            ///< ny
    int unweighted;      ///< B is 0: errors are plain sums, and nothing else is measured
    int second_order;    ///< compares with two earlier pictures
    double scale;        ///< A
    double least_weight; ///< of activity: 2^(b-6)
};

/// A block's place in the luma plane, and where in it spatial activity is measured.
struct XpsnrBlock {
    int left, top;                      ///< x0, y0
    int width, height;                  ///< bw, bh
    int x_begin, x_end, y_begin, y_end; ///< xs, xe, ys, ye, relative to left and top

    /// It has no activity, and its weight is 1.
    VMAF_HOST_AND_DEVICE bool is_thin() const { return x_end <= x_begin || y_end <= y_begin; }
};

/// spec xpsnr 3.2 and 3.3, and the squared errors of 3.5.
struct XpsnrBlockSums {
    std::uint64_t spatial;
    std::uint64_t temporal;
    std::uint64_t sse[3];
};

VMAF_HOST_AND_DEVICE int xpsnr_smaller(int a, int b)
{
    return a < b ? a : b;
}

VMAF_HOST_AND_DEVICE XpsnrBlock xpsnr_block(const XpsnrGrid &grid, int column, int row)
{
    XpsnrBlock block;
    block.left = column * grid.block_px;
    block.top = row * grid.block_px;
    block.width = xpsnr_smaller(grid.block_px, grid.width_px - block.left);
    block.height = xpsnr_smaller(grid.block_px, grid.height_px - block.top);
    block.x_begin = column == 0 ? grid.step : 0;
    block.x_end = block.width - (column == grid.columns - 1 ? grid.step : 0);
    block.y_begin = row == 0 ? grid.step : 0;
    block.y_end = block.height - (row == grid.rows - 1 ? grid.step : 0);
    return block;
}

/// Where spatial activity is measured; not in narrow last columns of large pictures (spec xpsnr
/// 3.2, quirk).
VMAF_HOST_AND_DEVICE bool xpsnr_has_spatial(const XpsnrGrid &grid, const XpsnrBlock &block)
{
    constexpr int kNarrowest = 12;
    return !block.is_thin() && (grid.step == 1 || block.x_end > kNarrowest);
}

/// The part of a plane that a block covers; no samples where rounding down left none.
struct XpsnrPlanePart {
    int left, top, width, height;
};
VMAF_HOST_AND_DEVICE XpsnrPlanePart xpsnr_plane_part(const XpsnrGrid &grid, int plane, int column, int row)
{
    const int shift_x = plane == 0 ? 0 : grid.chroma_shift_x, shift_y = plane == 0 ? 0 : grid.chroma_shift_y;
    const int block_width = grid.block_px >> shift_x, block_height = grid.block_px >> shift_y;
    XpsnrPlanePart part;
    part.left = column * block_width;
    part.top = row * block_height;
    part.width = xpsnr_smaller(block_width, (grid.width_px >> shift_x) - part.left);
    part.height = xpsnr_smaller(block_height, (grid.height_px >> shift_y) - part.top);
    if (part.width <= 0 || part.height <= 0)
        part.width = part.height = 0;
    return part;
}

/// spec xpsnr 3.4
VMAF_HOST_AND_DEVICE double xpsnr_weight(const XpsnrGrid &grid, const XpsnrBlock &block, const XpsnrBlockSums &sums)
{
    if (block.is_thin())
        return 1;
    const double measured =
        static_cast<double>(block.x_end - block.x_begin) * static_cast<double>(block.y_end - block.y_begin);
    double activity = static_cast<double>(sums.spatial) / measured;
    const double temporal =
        static_cast<double>(sums.temporal) / (static_cast<double>(block.width) * static_cast<double>(block.height));
    activity = activity + temporal;
    if (activity < grid.least_weight)
        activity = grid.least_weight;
    return 1.0 / activity;
}

VMAF_HOST_AND_DEVICE bool xpsnr_smooths(const XpsnrGrid &grid)
{
    return static_cast<std::int64_t>(grid.width_px) * grid.height_px <= 640 * 480;
}

/// spec xpsnr 3.4, smoothing: in place, in raster order.
VMAF_HOST_AND_DEVICE void xpsnr_smooth(const XpsnrGrid &grid, double *weights)
{
    const int columns = grid.columns, last = columns * grid.rows - 1;
    for (int k = 0; k < last; ++k) {
        const int column = k % columns;
        double largest = 0;
        if (column > 0)
            largest = weights[k - 1];
        if (column < columns - 1 && weights[k + 1] > largest)
            largest = weights[k + 1];
        if (k >= columns && weights[k - columns] > largest)
            largest = weights[k - columns];
        if (weights[k] > largest)
            weights[k] = largest;
    }
    if (last > columns) {
        const double left = weights[last - 1], above = weights[last - columns];
        const double largest = left > above ? left : above;
        if (weights[last] > largest)
            weights[last] = largest;
    }
}

/// spec xpsnr 3.5: E of the sum of weighted errors.
VMAF_HOST_AND_DEVICE std::uint64_t xpsnr_error(const XpsnrGrid &grid, double weighted)
{
    return weighted > 0 ? static_cast<std::uint64_t>(weighted * grid.scale + 0.5) : 0;
}

} // namespace vmaf
