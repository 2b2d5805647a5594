#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "engine/score_table.h"
#include "model/collection.h"
#include "model/model.h"

namespace vmaf {

/// The columns of one session that a model reads and writes.
struct ModelColumns {
    std::vector<ScoreColumn *> inputs; ///< in the order of Model::features()
    ScoreColumn *score;
};

/// Columns of a collection: its members' scores, then (spec abi 4.6) bagging, standard deviation,
/// low and high end of the confidence interval.
struct CollectionColumns {
    std::vector<ModelColumns> members;
    std::array<ScoreColumn *, 4> figures;
};

/// The columns of the models that a session was asked about, looked up by name once for each model
/// as it is. Thread-safe.
class ModelBindings {
  public:
    /// -EINVAL, naming the feature, if this build does not provide one or an option is bad.
    Result<std::shared_ptr<const ModelColumns>> of(const Model &model, Guarded<ScoreTable> &table);
    Result<std::shared_ptr<const CollectionColumns>> of(const ModelCollection &collection, Guarded<ScoreTable> &table);

  private:
    /// The latest ones: a client may load and destroy any number of models in a session.
    template <class Columns> class Recent {
      public:
        std::shared_ptr<const Columns> find(std::uint64_t revision) const;
        void add(std::uint64_t revision, std::shared_ptr<const Columns> columns);

      private:
        struct Entry {
            std::uint64_t revision;
            std::shared_ptr<const Columns> columns;
        };
        mutable std::mutex mutex_;
        std::vector<Entry> entries_; ///< oldest first
    };

    Recent<ModelColumns> models_;
    Recent<CollectionColumns> collections_;
};

/// The stored name of a model's input (spec models 2.6). -EINVAL, naming the feature, as above.
Result<std::string> model_input_name(const Model &model, const ModelFeature &input);

} // namespace vmaf
