#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "engine/picture.h"
#include "feature/feature.h"

namespace vmaf {

class Registration;

/// Previous reference pictures by call order that features may look back on (spec abi 4.3).
constexpr std::size_t kHistory = 2;

/// One frame in flight, with memory for everything its features produce.
struct Frame {
    /// One feature's share of the frame.
    struct Work {
        Registration *feature;
        std::size_t sums_offset; ///< of its POD in `sums`
        bool first;              ///< no earlier frame was fed to this feature
    };

    PictureHandle ref, dis;
    std::array<PictureHandle, kHistory> previous_ref; ///< latest first
    PictureHandle previous_dis;
    unsigned index = 0;
    std::uint64_t call = 0;
    std::vector<Work> due;                                ///< in registration order
    FramePlanes planes;                                   ///< host views for the CPU backends
    std::vector<std::shared_ptr<const void>> host_copies; ///< what those views need to live
    AlignedBuffer<std::byte> sums;
    std::vector<double> scores; ///< of all frame outputs, in the order of `due`
};

} // namespace vmaf
