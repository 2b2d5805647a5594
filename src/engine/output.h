#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "engine/score_table.h"

namespace vmaf {

/// VmafOutputFormat of the C API, checked.
enum class OutputFormat { xml = 1, json = 2, csv = 3, sub = 4 };

/// What a score file says besides the scores.
struct OutputInfo {
    std::string version;   ///< vmaf_version()
    unsigned width_px = 0; ///< luma; 0 if no picture was read
    unsigned height_px = 0;
    unsigned frame_count = 0; ///< accepted reads: pooled values cover 0..frame_count-1
    unsigned subsample = 0;   ///< rows are the multiples of it; 0 and 1: all
    double fps = 0;           ///< may be infinite or NaN
    std::uint64_t flush_call = kFlushCall;
};

/// The whole score file as text, byte for byte as spec abi 6.
std::string format_output(const ScoreTable &table, const OutputInfo &info, OutputFormat format);

/// A score as text: "%.6f", or "%.16f" when six decimals would lose the value (spec abi 6, "Number text").
std::string score_text(double value);

} // namespace vmaf
