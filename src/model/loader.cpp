#include "model/loader.h"

#include <cstdio>

#include <array>
#include <utility>
#include <vector>

#include "base/log.h"
#include "model/builtin/builtin_table.h"
#include "model/json_model.h"
#include "model/model_file.h"

namespace vmaf {
namespace {

ModelParameters builtin_parameters(const BuiltinModel &builtin, const BuiltinRegression &regression)
{
    ModelParameters parameters;
    parameters.type = builtin.regressions.size() == 1 ? ModelType::nu_svr : ModelType::bootstrap_nu_svr;
    parameters.slope = regression.score.slope;
    parameters.intercept = regression.score.intercept;
    for (std::size_t i = 0; i < builtin.features.size(); ++i) {
        const Rescaling &rescaling = regression.features[i];
        ModelFeature feature{std::string(builtin.features[i].name), rescaling.slope, rescaling.intercept, {}};
        for (const auto &[key, value] : builtin.features[i].options)
            feature.options.set(key, value);
        parameters.features.push_back(std::move(feature));
    }
    parameters.svr = {regression.gamma, regression.rho, builtin.features.size(), regression.rows, {}, nullptr};
    if (builtin.transform) {
        const BuiltinTransform &t = *builtin.transform;
        parameters.transform = {t.enabled, t.p0, t.p1, t.p2, {}, false, t.out_gte_in};
    }
    parameters.clip = {0, builtin.clip_max};
    parameters.chroma_correction = builtin.chroma_correction;
    return parameters;
}

const BuiltinModel *find_builtin(std::string_view version)
{
    for (const BuiltinModel &builtin : builtin_models())
        if (builtin.version == version)
            return &builtin;
    log(LogLevel::warning, "model: no built-in version \"%.*s\"", static_cast<int>(version.size()), version.data());
    return nullptr;
}

std::string member_name(const std::string &collection_name, std::size_t number)
{
    std::array<char, 24> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "_%04zu", number);
    return collection_name + suffix.data();
}

/// @param submodels at least two, the first the main model.
LoadedCollection make_collection(std::vector<ModelParameters> submodels, const ModelConfig &config)
{
    ModelCollection collection{config.name, {}};
    ModelConfig member_config = config;
    collection.members.reserve(submodels.size() - 1);
    for (std::size_t i = 1; i < submodels.size(); ++i) {
        member_config.name = member_name(config.name, i);
        collection.members.emplace_back(member_config, std::move(submodels[i]));
    }
    return {Model(config, std::move(submodels[0])), std::move(collection)};
}

// spec models 2.4
Status check_collection(const ModelFile &file, std::span<const ModelParameters> submodels)
{
    if (submodels.size() < 2)
        return file.fail("a collection needs the models \"0\" and \"1\" at least, has %zu", submodels.size());
    for (std::size_t i = 1; i < submodels.size(); ++i) {
        if (submodels[i].type == ModelType::nu_svr)
            return file.fail("model %zu of the collection is not of a bootstrap type", i);
        if (submodels[i].type != submodels[1].type)
            return file.fail("model %zu of the collection is of another type than model 1", i);
    }
    return {};
}

} // namespace

Result<Model> load_builtin_model(std::string_view version, const ModelConfig &config)
{
    const BuiltinModel *builtin = find_builtin(version);
    if (builtin == nullptr || builtin->regressions.size() != 1)
        return Status::error(EINVAL);
    return Model(config, builtin_parameters(*builtin, builtin->regressions[0]));
}

Result<LoadedCollection> load_builtin_collection(std::string_view version, const ModelConfig &config)
{
    const BuiltinModel *builtin = find_builtin(version);
    if (builtin == nullptr || builtin->regressions.size() == 1)
        return Status::error(EINVAL);
    std::vector<ModelParameters> submodels;
    for (const BuiltinRegression &regression : builtin->regressions)
        submodels.push_back(builtin_parameters(*builtin, regression));
    return make_collection(std::move(submodels), config);
}

Result<Model> load_model_file(const std::string &path, const ModelConfig &config)
{
    const ModelFile file(path);
    VMAF_TRY_ASSIGN(const std::string text, file.read());
    VMAF_TRY_ASSIGN(std::vector<ModelParameters> models, parse_model_json(file, text, JsonLayout::single));
    return Model(config, std::move(models.front()));
}

Result<LoadedCollection> load_collection_file(const std::string &path, const ModelConfig &config)
{
    const ModelFile file(path);
    VMAF_TRY_ASSIGN(const std::string text, file.read());
    VMAF_TRY_ASSIGN(std::vector<ModelParameters> models, parse_model_json(file, text, JsonLayout::collection));
    VMAF_TRY(check_collection(file, models));
    return make_collection(std::move(models), config);
}

} // namespace vmaf
