#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/frame.h"
#include "engine/score_board.h"
#include "feature/feature.h"

namespace vmaf {

class DevicePipeline;

/// Whether a feature runs on the session's device: where it can, by demand (a `_cuda` name), or not at all.
enum class DeviceChoice { never, if_possible, demanded };

/// One feature registered in one session: its options, the columns it writes, its backends, its state across frames.
class Registration {
  public:
    Registration(const FeatureSpec &spec, OptionValues values, unsigned ordinal, DeviceChoice choice);

    const FeatureSpec &spec() const { return *spec_; }
    const Feature &feature() const { return *feature_; }
    const OptionValues &values() const { return values_; }
    /// Equal for two registrations that are duplicates (spec abi 5.4).
    const std::string &identity() const { return identity_; }

    /// Whether the frame is scored (spec abi 4.5).
    bool is_due(unsigned index, unsigned subsample) const
    {
        return subsample <= 1 || index % subsample == 0 || spec_->subsampling == Subsampling::sees_every_frame;
    }

    bool started() const { return on_device_ || !cpu_.empty(); }
    /// Whether its sums come from the session's device. Valid once started.
    bool on_device() const { return on_device_; }
    /// Prepares for pictures of that format: a backend of the device (null: there is none) or one CPU backend a worker. On failure
    /// nothing has changed.
    Status start(const PictureFormat &format, unsigned worker_count, ScoreBoard &board, DevicePipeline *device);

    std::size_t frame_output_count() const { return frame_outputs_; }
    /// Whether a frame output of that index is written already. Needs the table's lock.
    bool is_scored(unsigned index) const;

    /// Planes -> sums on the CPU. Runs on any number of workers at a time.
    Status extract(unsigned worker, const FramePlanes &planes, void *sums) const
    {
        return cpu_[worker]->extract(planes, sums);
    }
    /// Sums -> scores of the frame outputs, wherever the sums come from.
    void finish(const void *sums, std::span<double> scores) const { feature_->finish(sums, format_, scores); }

    /// Makes room so that commit() cannot fail. Needs the table's lock; throws std::bad_alloc.
    void reserve(unsigned index) const;
    /// Writes the frame's scores and whatever delayed ones are determined now. Needs the table's lock and reserve().
    void commit(ScoreTable &table, unsigned index, std::uint64_t call, const void *sums,
                std::span<const double> scores);
    /// Writes what was left open. Needs the table's lock; throws std::bad_alloc, and may then be called again.
    Status flush(ScoreTable &table);

    /// Reference pictures that this feature has seen since it was registered, up to what it can look back on.
    unsigned history_available = 0;

  private:
    class Scores;
    struct Output {
        OutputSpec spec;
        ScoreColumn *column; ///< null for aggregates
    };
    ColumnOrder order(std::uint64_t call, std::size_t output) const;
    void place_delayed_columns(std::uint64_t call);
    Result<bool> start_on_device(const PictureFormat &format, DevicePipeline *device) const;
    std::vector<Output> make_outputs(const PictureFormat &format, ScoreBoard &board) const;

    const FeatureSpec *spec_;
    std::unique_ptr<Feature> feature_;
    OptionValues values_;
    std::string identity_;
    unsigned ordinal_;
    DeviceChoice choice_;
    bool on_device_ = false;

    PictureFormat format_;
    std::vector<Output> outputs_;
    std::size_t frame_outputs_ = 0;
    std::vector<std::unique_ptr<CpuExtractor>> cpu_; ///< by worker
    std::unique_ptr<FeatureSeries> series_;
    std::array<std::uint64_t, 2> first_calls_{kFlushCall,
                                              kFlushCall}; ///< the earliest calls committed so far, ascending
};

/// Whether a feature that is due runs on the CPU.
bool has_cpu_work(const Frame &frame);

} // namespace vmaf
