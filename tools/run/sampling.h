#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format.h"
#include "compared_videos.h"
#include "scores/score_columns.h"
#include "scoring/scoring_models.h"

/// A run that scores a sample of each encode's frames (spec comparison 10).
namespace vmaf::tool {

/// Frames of one encode that are read one after the other.
struct SampleRound {
    VmafContext *session;
    std::vector<unsigned> sampled; ///< of the frames that are compared, ascending
    SampleReading reading;
    FrameLoopResult result = {};
};

/// An encode's sample.
struct EncodeSample {
    FrameSample frames;
    std::optional<VideoSide> ended_first; ///< as both videos say
    unsigned per_stratum = 0;             ///< frames that the rounds have
    std::vector<SampleRound> rounds = {};
    std::vector<FramePair> pairs = {}; ///< that are scored, with the numbers that score files have
};

/// The sample of each encode. Throws Failure where the number of frames is small, or not known for
/// sure.
std::vector<EncodeSample> samples_of(const Videos &videos, const ReadingOptions &options);

/// Frames that are read of the longest one; empty: scores decide.
std::optional<std::uint64_t> expected_frames(std::span<const EncodeSample> samples, const SampleOption &option);

/// What was done, as JSON.
std::string sample_record(const EncodeSample &sample, const ScoreColumns &columns);
/// A line for each model.
std::vector<std::string> sample_lines(const EncodeSample &sample, std::span<const ScoringModel> models,
                                      const ScoreColumns &columns, NumberFormat numbers, const std::string &prefix);

} // namespace vmaf::tool
