#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comparison/frame_sample.h"
#include "comparison/pairing.h"
#include "libvmaf/libvmaf.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

/// One metric's scores, one a row of ScoreColumns::frames.
struct ScoreColumn {
    std::string name;
    std::vector<double> scores; ///< NaN: the frame has none
    VmafDirection better = VMAF_DIRECTION_HIGHER;
    std::optional<FrameSample::Interval> interval = {}; ///< interval of the mean, if frames are a sample
};

/// One value for the whole clip.
struct AggregateScore {
    std::string name;
    double value; ///< NaN: there is none
};

/// Everything that a session scored, with the names and in the order of its score files (spec abi
/// 6).
struct ScoreColumns {
    std::vector<unsigned> frames;     ///< numbers of the scored frames, ascending
    std::vector<unsigned> ref_frames; ///< numbers of the reference's frames, if they differ; else empty
    std::vector<ScoreColumn> metrics;
    std::vector<AggregateScore> aggregates;

    /// Null if there is none of that name.
    const ScoreColumn *metric(std::string_view name) const;
    const AggregateScore *aggregate(std::string_view name) const;
};

/// Whether a column's values are those of single frames, not of all frames so far.
bool is_of_frame(const std::string &column);

/// A line for each column whose mean is infinite although some scores are not: how many are, and
/// what the whole clip has (spec cli 10.2).
std::vector<std::string> notes_of_infinite_scores(const ScoreColumns &columns);

/// Frames of the videos that are frames 0, 1, ... of a session.
struct SessionFrames {
    std::span<const FramePair> pairs = {};             ///< empty: frames of these numbers
    enum { are_named, are_left_out } refs = are_named; ///< numbers of the reference's frames
    const FrameSample *sample = nullptr;               ///< that the pairs are; null: they are none
    unsigned per_stratum = 0;                          ///< frames of the sample
};

/// Columns of a session whose models' scores have been pooled. Throws Failure.
ScoreColumns score_columns(VmafContext *context, const SessionFrames &frames = {});

/// Score columns that are taken when somebody first asks. For one thread.
class LazyScoreColumns {
  public:
    explicit LazyScoreColumns(VmafContext *context, const SessionFrames &frames = {})
        : context_(context), frames_(frames)
    {
    }
    const SessionFrames &frames() const { return frames_; }
    /// Throws Failure.
    const ScoreColumns &get() const
    {
        if (!columns_)
            columns_ = score_columns(context_, frames_);
        return *columns_;
    }

  private:
    VmafContext *context_;
    SessionFrames frames_;
    mutable std::optional<ScoreColumns> columns_;
};

} // namespace vmaf::tool
