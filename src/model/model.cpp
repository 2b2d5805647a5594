#include "model/model.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/log.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

template <class Predicate> std::size_t index_of(std::span<const ModelFeature> features, Predicate is_wanted)
{
    const auto found = std::find_if(features.begin(), features.end(),
                                    [&](const ModelFeature &feature) { return is_wanted(feature.name); });
    return static_cast<std::size_t>(found - features.begin());
}

std::uint64_t next_revision()
{
    static std::atomic<std::uint64_t> latest{0};
    return ++latest;
}

} // namespace

bool is_adm3(std::string_view feature_name)
{
    return feature_name.find("adm3") != std::string_view::npos;
}
bool is_speed_chroma(std::string_view feature_name)
{
    return feature_name.find("speed_chroma") != std::string_view::npos;
}

Model::Model(const ModelConfig &config, ModelParameters parameters)
    : name_(config.name), revision_(next_revision()), parameters_(std::move(parameters)),
      adm3_(index_of(features(), is_adm3)), speed_chroma_(index_of(features(), is_speed_chroma))
{
    if (config.disable_clip)
        parameters_.clip.reset();
    if (config.enable_transform && parameters_.transform)
        parameters_.transform->enabled = true;
}

double Model::predict_raw(std::span<const double> feature_scores) const
{
    const std::size_t count = parameters_.features.size();
    std::array<double, kMaxModelFeatures> x;
    for (std::size_t i = 0; i < count; ++i)
        x[i] = parameters_.features[i].slope * feature_scores[i] + parameters_.features[i].intercept;
    const std::span<double> inputs = std::span(x).first(count);
    if (parameters_.chroma_correction != 0)
        correct_chroma(inputs);
    return (parameters_.svr.predict(inputs) - parameters_.intercept) / parameters_.slope;
}

// spec models 4, step 3: without measurable chroma distortion, its score is guessed from luma's.
void Model::correct_chroma(std::span<double> x) const
{
    const ModelFeature &adm3 = parameters_.features[adm3_];
    const ModelFeature &chroma = parameters_.features[speed_chroma_];
    const double u = (x[speed_chroma_] - chroma.intercept) / chroma.slope;
    if (u != 0)
        return;
    const double c = parameters_.chroma_correction;
    const double luma = (x[adm3_] - adm3.intercept) / adm3.slope;
    const double guess = -c * luma + c;
    x[speed_chroma_] = chroma.slope * guess + chroma.intercept;
}

double Model::transformed_and_clipped(double raw) const
{
    const bool transformed = parameters_.transform && parameters_.transform->enabled;
    const double score = transformed ? parameters_.transform->apply(raw) : raw;
    return parameters_.clip ? parameters_.clip->apply(score) : score;
}

void Model::overload(std::string_view feature, const OptionDict &options)
{
    bool used = false;
    for (ModelFeature &input : parameters_.features) {
        const FeatureSpec *provider = find_feature_providing(input.name);
        if (provider == nullptr || provider->name != feature)
            continue;
        for (const auto &[key, value] : options.entries())
            input.options.set(key, value);
        used = true;
    }
    if (used)
        revision_ = next_revision();
    else
        log(LogLevel::warning, "model %s uses no feature %.*s: the options for it are ignored", name_.c_str(),
            static_cast<int>(feature.size()), feature.data());
}

} // namespace vmaf
