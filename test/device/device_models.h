#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "feature/registry.h"
#include "model/loader.h"
#include "support/device_client.h"

namespace vmaf::test {

inline bool runs_on_device(const FeatureSpec *spec)
{
    return spec != nullptr && DeviceClient::runs(*spec);
}

/// The model of that version, or the main model of a collection.
inline std::optional<Model> builtin_model(const std::string &version)
{
    Result<Model> model = load_builtin_model(version.c_str(), {});
    if (model.ok())
        return std::move(model).value();
    Result<LoadedCollection> collection = load_builtin_collection(version.c_str(), {});
    return collection.ok() ? std::optional(std::move(collection).value().main) : std::nullopt;
}

/// Whether all of the model's features run on the device.
inline bool model_runs_on_device(const std::string &version)
{
    const std::optional<Model> model = builtin_model(version);
    return model && std::ranges::all_of(model->features(), [](const ModelFeature &input) {
               return runs_on_device(find_feature_providing(input.name));
           });
}

} // namespace vmaf::test
