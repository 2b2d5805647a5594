#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/score_board.h"
#include "feature/feature.h"

namespace vmaf {

/// One feature registered in one session: its options, the columns it writes, its backends, its state across frames.
class Registration {
  public:
    Registration(const FeatureSpec &spec, OptionValues values, unsigned ordinal);

    const FeatureSpec &spec() const { return *spec_; }
    const Feature &feature() const { return *feature_; }
    /// Equal for two registrations that are duplicates (spec abi 5.4).
    const std::string &identity() const { return identity_; }

    /// Whether the frame is scored (spec abi 4.5).
    bool is_due(unsigned index, unsigned subsample) const
    {
        return subsample <= 1 || index % subsample == 0 || spec_->subsampling == Subsampling::sees_every_frame;
    }

    bool started() const { return !cpu_.empty(); }
    /// Prepares for pictures of that format, one CPU backend a worker. On failure nothing has changed.
    Status start(const PictureFormat &format, unsigned worker_count, ScoreBoard &board);

    std::size_t frame_output_count() const { return frame_outputs_; }
    /// Whether a frame output of that index is written already. Needs the table's lock.
    bool is_scored(unsigned index) const;

    /// Planes -> sums -> scores of the frame outputs. Runs on any number of workers at a time.
    Status compute(unsigned worker, const FramePlanes &planes, void *sums, std::span<double> scores) const;

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

    const FeatureSpec *spec_;
    std::unique_ptr<Feature> feature_;
    OptionValues values_;
    std::string identity_;
    unsigned ordinal_;

    PictureFormat format_;
    std::vector<Output> outputs_;
    std::size_t frame_outputs_ = 0;
    std::vector<std::unique_ptr<CpuExtractor>> cpu_; ///< by worker
    std::unique_ptr<FeatureSeries> series_;
};

} // namespace vmaf
