#pragma once

#include <memory>
#include <vector>

#include "engine/frame.h"
#include "engine/picture_history.h"
#include "engine/saved_segment.h"
#include "engine/session_feature.h"

namespace vmaf {

/// How many frames before and after a frame.
struct FrameNeighbours {
    unsigned before = 0;
    unsigned after = 0;
};

/// A client's options of a feature, with a warning for each that it has not. -EINVAL with one log
/// line.
Result<OptionValues> accepted_options(const FeatureSpec &spec, const OptionDict &options);

/// The features of a session in the order of registration: what is due of a frame, and what it
/// reads.
class FeatureList {
  public:
    bool empty() const { return features_.empty(); }

    /// Registers a feature; a duplicate is dropped (spec abi 5.4). -EINVAL for a bad option.
    /// @param pairs_before PictureHistory::count().
    Status add(const FeatureSpec &spec, const OptionDict &options, DeviceChoice choice, std::uint64_t pairs_before);

    /// Tells every feature the format of the pictures.
    void set_format(const PictureFormat &format);
    /// Says what is due of the frame, starts what was not started, and makes room for sums and
    /// scores.
    Status prepare(Frame &frame, const PictureFormat &format, unsigned subsample, Guarded<ScoreTable> &table,
                   Lane &lane);
    /// Says how many earlier pairs each feature sees. -EINVAL with a log line if one lacks a pair
    /// that it needs.
    static Status look_back(Frame &frame, const PictureHistory &history);

    /// Planes of earlier pairs that any feature reads. Valid after set_format().
    const Earlier<PairMask> &earlier_read() const { return earlier_read_; }
    /// Frames that the scores of a frame depend on, for all features together. `format` may be
    /// unknown.
    FrameNeighbours neighbours(const PictureFormat &format) const;
    /// How many pairs back features look, at references and at distorted pictures. Of any format:
    /// no window differs in that.
    struct LookBack {
        unsigned ref = 0, dis = 0;
    };
    LookBack look_back_at_most() const;
    /// The first feature that reads chroma of pictures of that format; null if none does.
    const FeatureSpec *chroma_reader(const PictureFormat &format) const;

    /// The first score of the frames first..first+count-1 that is missing, with a log line; empty:
    /// all are there. Needs the table's lock.
    std::optional<SessionFeature::MissingScore> missing_score(unsigned first, unsigned count, unsigned subsample) const;
    /// The scores of frames of which none is missing. Needs the table's lock.
    std::vector<SavedSegment::FeatureRows> save(unsigned first, unsigned count, unsigned subsample) const;
    /// Whether they were saved by a list of the same features with the same options in the same
    /// order.
    bool has_saved(const std::vector<SavedSegment::FeatureRows> &saved) const;
    /// Takes over what such a list saved. -EINVAL with a log line for rows of another size, and if
    /// a frame is scored; throws std::bad_alloc; either way no score has changed.
    Status append(Guarded<ScoreTable> &table, const SavedSegment &segment, const AppendedFrames &frames);

    /// Completes delayed scores and aggregates; the first failure. Throws std::bad_alloc, and may
    /// then be called again.
    Status flush(ScoreTable &table, FramesLost lost);

  private:
    std::vector<std::unique_ptr<SessionFeature>> features_;
    Earlier<PairMask> earlier_read_;
};

} // namespace vmaf
