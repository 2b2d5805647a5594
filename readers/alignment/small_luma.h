#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Small pictures by which frames are recognised (spec comparison 6 and 8).
namespace vmaf::tool {

struct SmallGrid {
    unsigned width_px = 0, height_px = 0;

    bool operator==(const SmallGrid &) const = default;
};
/// About 3600 samples in the shape of the picture: 80 x 45 for 16:9. At most the picture itself.
SmallGrid small_grid(unsigned width_px, unsigned height_px);

/// Small luma of consecutive frames of one video. Each sample is the mean of a box of the picture,
/// as a code of 8 bit in limited range. Both videos of a pair have one grid.
struct SmallLuma {
    SmallGrid grid = {};
    unsigned first_frame = 0;               ///< number of the first frame
    std::vector<std::uint8_t> samples = {}; ///< rows from top to bottom, frame after frame

    std::size_t frame_size() const { return std::size_t{grid.width_px} * grid.height_px; }
    std::size_t frames() const { return frame_size() == 0 ? 0 : samples.size() / frame_size(); }
    std::span<const std::uint8_t> frame(std::size_t i) const
    {
        return std::span(samples).subspan(i * frame_size(), frame_size());
    }
};

/// Sum of squared differences of the samples of two frames of small luma.
std::uint32_t squared_difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

/// PSNR of all frames that are compared; 0 of none, at most 100.
/// @param ref_frame for each distorted frame the number of its reference frame; those that `ref`
/// lacks do not count.
double psnr_db(const SmallLuma &ref, const SmallLuma &dis, std::span<const int> ref_frame);
/// PSNR of all frames if the distorted video is late by `lag` frames.
double psnr_db(const SmallLuma &ref, const SmallLuma &dis, int lag);

/// Small luma of both videos over one window of frame numbers.
struct LumaWindow {
    SmallLuma ref, dis;
};

/// Printable names of two videos.
struct PairNames {
    std::string ref, dis;
};

} // namespace vmaf::tool
