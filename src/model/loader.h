#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/collection.h"
#include "model/model.h"

namespace vmaf {

/// A collection file's first model, trained on all data, and the others.
struct LoadedCollection {
    Model main;
    ModelCollection collection;
};

/// -EINVAL for a version that is not built in (logged) and for a collection (quiet: the client
/// tries that next).
Result<Model> load_builtin_model(std::string_view version, const ModelConfig &config);
/// -EINVAL for a version that is not built in (logged) and for a single model (quiet).
Result<LoadedCollection> load_builtin_collection(std::string_view version, const ModelConfig &config);

/// From a file in the layout of spec models 3. -EINVAL with one error line that says what is wrong
/// with it.
Result<Model> load_model_file(const std::string &path, const ModelConfig &config);
Result<LoadedCollection> load_collection_file(const std::string &path, const ModelConfig &config);

} // namespace vmaf
