#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "engine/score_table.h"
#include "feature/feature.h"

namespace vmaf {

class Lane;

/// Whether a feature runs on the session's device: where it can, by demand (a `_cuda` name), or not
/// at all.
enum class DeviceChoice { never, if_possible, demanded };

/// Whether a frame that the session had accepted brought no scores.
enum class FramesLost { no, yes };

/// Successive frames whose scores others computed.
struct AppendedFrames {
    unsigned first;
    unsigned count;
    std::uint64_t first_call; ///< call number of the first one, as if the session had read it
};

/// One feature of one session: its options, the columns it writes, its backends, what it keeps
/// across frames.
class SessionFeature {
  public:
    /// @param ordinal its place in the order of registration.
    /// @param pairs_before pairs that the session had read when it was registered
    /// (PictureHistory::count()).
    SessionFeature(const FeatureSpec &spec, OptionValues values, unsigned ordinal, DeviceChoice choice,
                   std::uint64_t pairs_before);

    const FeatureSpec &spec() const { return *spec_; }
    const Feature &feature() const { return *feature_; }
    const OptionValues &values() const { return values_; }
    /// Equal for two registrations that are duplicates (spec abi 5.4).
    const std::string &identity() const { return identity_; }
    /// Equal for two registrations of one feature with the same options.
    std::string registration() const { return spec_->name + (':' + values_.identity()); }
    std::uint64_t pairs_before() const { return pairs_before_; }

    /// Tells the feature the pictures' format: from then on it has a window.
    void set_format(const PictureFormat &format) { window_ = feature_->window(format); }
    const ReadingWindow &window() const { return window_; }

    /// Whether the frame is scored (spec abi 4.5).
    bool is_due(unsigned index, unsigned subsample) const
    {
        return subsample <= 1 || index % subsample == 0 || spec_->sees_every_frame != 0;
    }

    /// Whether it is prepared for pictures of that format. What a refused pair prepared may be for
    /// another.
    bool started_for(const PictureFormat &format) const { return (on_device_ || !cpu_.empty()) && format_ == format; }
    /// Whether its sums come from the session's device. Valid once started.
    bool on_device() const { return on_device_; }
    /// Prepares for pictures of that format: a backend of the lane's device or as many on the CPU
    /// as it wants. On failure nothing has changed.
    Status start(const PictureFormat &format, Guarded<ScoreTable> &table, Lane &lane);

    std::size_t sums_bytes() const { return feature_->sums_bytes(); }
    std::size_t frame_output_count() const { return frame_outputs_; }
    /// Whether a frame output of that index is written already. Needs the table's lock.
    bool is_scored(unsigned index) const;

    /// Planes -> sums on the CPU. Runs on any number of workers at a time. @param seen for what it
    /// sees of the planes; of any content.
    Status extract(unsigned worker, const FramePlanes &planes, unsigned look_back, FramePlanes &seen, void *sums) const
    {
        see_through(window_, planes, look_back, seen);
        return cpu_[worker]->extract(seen, sums);
    }
    /// Whether extract_all() takes less than extract() of each frame.
    bool takes_ladders() const { return !cpu_.empty() && cpu_.front()->ladder() != nullptr; }
    /// Planes that it sees of frames with one reference -> sums of each. Throws std::bad_alloc.
    Status extract_all(unsigned worker, std::span<const FramePlanes> seen, void *sums) const
    {
        return cpu_[worker]->ladder()->extract_all(seen, sums);
    }
    /// Checks sums that come from the device.
    Status check_sums(const void *sums, unsigned index) const { return feature_->check_sums(sums, format_, index); }
    /// Sums -> scores of the frame outputs, wherever the sums come from.
    void finish(const void *sums, std::span<double> scores) const { feature_->finish(sums, format_, scores); }

    /// Makes room so that commit() cannot fail. Needs the table's lock; throws std::bad_alloc.
    void reserve(unsigned index) const;
    /// Writes the frame's scores and whatever delayed ones are determined now. Needs the table's
    /// lock and reserve().
    void commit(ScoreTable &table, unsigned index, std::uint64_t call, const void *sums,
                std::span<const double> scores);
    /// A score that is not there, and what it waits for.
    struct MissingScore {
        unsigned index;
        ScoreWait wait;
    };
    /// The first of those frames that lacks a score; empty: all are there. Needs the table's lock.
    std::optional<MissingScore> missing_score(unsigned first, unsigned count, unsigned subsample) const;

    /// What another session needs to have the scores of frames of which none is missing. By frame
    /// that is due: its scores that hold for segments, by output, then what is kept of it across
    /// frames. Needs the table's lock.
    std::vector<std::byte> save(unsigned first, unsigned count, unsigned subsample) const;

    /// Readies it for scores that others computed, of frames of that format: it has columns and no
    /// backend. -EINVAL with a log line if it has no scores of such frames.
    Status start_appending(const PictureFormat &format, Guarded<ScoreTable> &table);
    /// Whether rows have the size of save() of so many frames.
    bool fits(std::span<const std::byte> rows, const AppendedFrames &frames, unsigned subsample) const;
    /// The first of the frames that is scored already. Needs the table's lock.
    std::optional<unsigned> scored_index(const AppendedFrames &frames, unsigned subsample) const;
    /// Makes room so that append() cannot fail. Needs the table's lock; throws std::bad_alloc.
    void reserve_appended(const AppendedFrames &frames, unsigned subsample) const;
    /// Takes over what an equal feature of another session saved, as its own of frames of which
    /// none is scored. Needs the table's lock, fits() and reserve_appended().
    void append(ScoreTable &table, const std::byte *rows, const AppendedFrames &frames, unsigned subsample);

    /// Writes what was left open: with frames lost only what they have no part in. Needs the
    /// table's lock; throws std::bad_alloc, and may then be called again.
    Status flush(ScoreTable &table, FramesLost lost);

  private:
    class TableOutputs;
    struct Output {
        OutputSpec spec;
        ScoreColumn *column; ///< null for aggregates
    };
    ColumnOrder order(std::uint64_t call, std::size_t output) const;
    void place_delayed_columns(std::uint64_t call);
    /// Calls visit(index) for each of the frames that is due.
    template <class Visit> void for_each_due(unsigned first, unsigned count, unsigned subsample, Visit &&visit) const;
    std::size_t saved_frame_bytes() const;
    Result<bool> start_on_device(const PictureFormat &format, Lane &lane) const;
    std::vector<Output> make_outputs(const PictureFormat &format, Guarded<ScoreTable> &table) const;
    void adopt(const PictureFormat &format, std::vector<Output> outputs, std::unique_ptr<ClipState> clip_state);

    const FeatureSpec *spec_;
    std::unique_ptr<Feature> feature_;
    OptionValues values_;
    std::string identity_;
    unsigned ordinal_;
    DeviceChoice choice_;
    std::uint64_t pairs_before_;
    ReadingWindow window_;
    bool on_device_ = false;

    PictureFormat format_;
    std::vector<Output> outputs_;
    std::size_t frame_outputs_ = 0;
    bool has_columns_ = false;                       ///< format_ and outputs_ are valid
    std::vector<std::unique_ptr<CpuExtractor>> cpu_; ///< one for each worker
    std::unique_ptr<ClipState> clip_state_;
    std::array<std::uint64_t, 2> first_calls_{kFlushCall,
                                              kFlushCall}; ///< the earliest calls committed so far, ascending
};

} // namespace vmaf
