#pragma once

#include "engine/pooling.h"
#include "engine/session.h"
#include "model/collection.h"
#include "model/model.h"

namespace vmaf {

/// Registers every feature that the model needs, with the model's options; all or none. -EINVAL,
/// naming the feature, if this build does not provide one or an option is bad.
Status use_model_features(Session &session, const Model &model);

/// The stored score of that frame under the model's name, or a prediction from the frame's feature
/// scores, which is then stored (spec abi 4.6). -EINVAL, naming feature and frame, if a feature
/// score is missing.
Result<double> model_score(Session &session, const Model &model, unsigned index);

/// Predicts a collection's score, and stores each member's score and the four bootstrap figures
/// (spec models 5).
Result<BootstrapScore> collection_score(Session &session, const ModelCollection &collection, unsigned index);

/// Scores the frames low..high that subsampling counts, then pools.
Result<double> pooled_model_score(Session &session, const Model &model, PoolingMethod method, unsigned low,
                                  unsigned high);
Result<BootstrapScore> pooled_collection_score(Session &session, const ModelCollection &collection,
                                               PoolingMethod method, unsigned low, unsigned high);

} // namespace vmaf
