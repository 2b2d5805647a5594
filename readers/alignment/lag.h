#pragma once

#include <string>

#include "alignment/lag_costs.h"
#include "alignment/small_luma.h"

namespace vmaf::tool {

/// One lag for a whole window. Positive: the distorted video is late by so many frames.
struct LagEstimate {
    enum class Outcome {
        in_step,   ///< lag 0 fits
        lag,       ///< another lag fits clearly better than all others
        ambiguous, ///< several lags fit equally well: static or periodic pictures
        no_match,  ///< no lag fits: other videos, or too few frames
    };
    Outcome outcome = Outcome::no_match;
    int lag = 0;        ///< 0 unless the outcome is `lag`
    double best_db = 0; ///< PSNR of small luma at the best lag
    double zero_db = 0; ///< PSNR of small luma at lag 0
};

/// Frames are compared by number: both windows may start at different frames.
/// @param most_frames lags from -most_frames to most_frames are tried.
LagEstimate estimate_lag(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames);
/// @param costs of the same frames, whatever was asked of them before.
LagEstimate estimate_lag(const SmallLuma &ref, const SmallLuma &dis, LagCosts &costs);

/// What was found, without a cure: "dis.mp4 is 1 frame late (45.3 dB at lag 1, 30.6 at 0)", or that
/// no single lag can be told and why. Empty if frames are in step.
std::string lag_found_text(const LagEstimate &estimate, const PairNames &names);

} // namespace vmaf::tool
