#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "compared_videos.h"
#include "comparison/frame_sample.h"

/// Scores of a sample of each encode's frames (spec comparison 10).
///
///     std::vector<EncodeSample> samples = samples_of(videos, options);
///     for each encode: begin_round(samples[i], session, *options.sample);
///     read_rounds(videos, samples, options, sessions, stop, progress);
///     for each encode: append_sample(samples[i], merged);
namespace vmaf::tool {

/// Frames of one encode that are read one after the other.
struct SampleRound {
    VmafContext *session;
    std::vector<unsigned> sampled; ///< numbers of the sampled frames, ascending
    SampleReading reading;
    FrameLoopResult result = {};
};

/// An encode's sample.
struct EncodeSample {
    FrameSample frames;
    std::optional<VideoSide> ended_first; ///< the shorter side, by the lengths that both videos declare
    std::vector<FramePair> compared = {}; ///< all pairs; empty: frames of equal number, after an offset
    unsigned per_stratum = 0;             ///< frames that the rounds have
    std::vector<SampleRound> rounds = {};
    std::vector<FramePair> pairs = {}; ///< that are scored, with the numbers that score files have

    /// Frames that the rounds have read, with those that features need beside the sampled ones.
    std::size_t frames_read() const;
};

/// The sample of each encode. Videos whose packets do not tell how many frames there are, are
/// decoded for that. Throws Failure where that cannot be known, or is small.
std::vector<EncodeSample> samples_of(const Videos &videos, const ReadingOptions &options);

/// Frames that are read of the longest one; empty: scores decide.
std::optional<std::uint64_t> expected_frames(std::span<const EncodeSample> samples, const SampleOption &option);

/// Draws frames for one more session. Throws Failure if a feature needs all earlier frames.
/// @param session with everything registered. @param half_width of the interval so far; empty: this
/// is the first round.
void begin_round(EncodeSample &sample, VmafContext *session, const SampleOption &option,
                 std::optional<double> half_width = std::nullopt);

/// Reads the last round of each sample, and flushes the sessions. Results are the rounds'.
/// @param videos or further readers of them. @param sessions of these rounds.
void read_rounds(const Videos &videos, std::span<EncodeSample> samples, const ReadingOptions &options,
                 std::span<const SessionPictures> sessions, const std::stop_token &stop, const FrameRead &frame_read);

/// Appends all frames whose neighbours were read to a session, flushes it, and says so in
/// sample.pairs. @return how far that came.
FrameLoopResult append_sample(EncodeSample &sample, VmafContext *merged);

} // namespace vmaf::tool
