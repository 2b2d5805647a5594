#pragma once

#include <cstdint>
#include <string>

#include "engine/score_format.h"
#include "engine/score_table.h"

namespace vmaf {

/// Contents of a score file besides the scores.
struct OutputInfo {
    std::string version;   ///< vmaf_version()
    unsigned width_px = 0; ///< luma; 0 if no picture was read
    unsigned height_px = 0;
    unsigned frame_count = 0; ///< accepted reads: pooled values cover 0..frame_count-1
    unsigned subsample = 0;   ///< rows are the multiples of it; 0 and 1: all
    double fps = 0;           ///< may be infinite or NaN
    std::uint64_t flush_call = kFlushCall;
    ScoreFormat numbers; ///< format of scores, pooled scores and aggregates
};

/// The whole score file as text, byte for byte as spec abi 6.
std::string format_output(const ScoreTable &table, const OutputInfo &info, OutputFormat format);

} // namespace vmaf
