#include "model/model_dict.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "model/svm_text.h"

namespace vmaf {
namespace {

Status check_required(const ModelFile &file, const ModelDict &dict)
{
    const bool rescales = dict.rescales.value_or(false);
    const std::pair<const char *, bool> required[] = {
        {"model_type", dict.type.has_value()},
        {"norm_type", dict.rescales.has_value()},
        {"feature_names", dict.feature_names.has_value()},
        {"slopes", !rescales || dict.slopes.has_value()},
        {"intercepts", !rescales || dict.intercepts.has_value()},
        {"model", dict.svm_text.has_value()},
    };
    for (const auto &[key, present] : required)
        if (!present)
            return file.fail("no %s", key);
    return {};
}

Status check_counts(const ModelFile &file, const ModelDict &dict)
{
    const std::size_t features = dict.feature_names->size();
    if (features == 0)
        return file.fail("feature_names is empty");
    if (dict.slopes && dict.slopes->size() != features + 1)
        return file.fail("%zu slopes for %zu features", dict.slopes->size(), features);
    if (dict.intercepts && dict.intercepts->size() != features + 1)
        return file.fail("%zu intercepts for %zu features", dict.intercepts->size(), features);
    if (dict.feature_options.size() > features)
        return file.fail("%zu feature_opts_dicts for %zu features", dict.feature_options.size(), features);
    if (dict.clip && dict.clip->size() != 2)
        return file.fail("score_clip holds %zu numbers, should be 2", dict.clip->size());
    return {};
}

Status check_knots(const ModelFile &file, const std::vector<Knot> &knots)
{
    for (std::size_t i = 1; i < knots.size(); ++i)
        if (knots[i].x <= knots[i - 1].x || knots[i].y < knots[i - 1].y)
            return file.fail("score_transform: knot %zu does not rise", i);
    return {};
}

Status check_chroma_correction(const ModelFile &file, const ModelParameters &parameters)
{
    if (parameters.chroma_correction == 0)
        return {};
    for (const auto is_needed : {is_adm3, is_speed_chroma}) {
        std::size_t count = 0;
        for (const ModelFeature &feature : parameters.features) {
            if (!is_needed(feature.name))
                continue;
            ++count;
            if (feature.slope == 0)
                return file.fail("a feature that the chroma correction needs has slope 0");
        }
        if (count != 1)
            return file.fail("the chroma correction needs one %s feature, there are %zu",
                             is_needed == is_adm3 ? "adm3" : "speed_chroma", count);
    }
    return {};
}

std::vector<ModelFeature> make_features(ModelDict &dict)
{
    std::vector<ModelFeature> features;
    features.reserve(dict.feature_names->size());
    for (std::size_t i = 0; i < dict.feature_names->size(); ++i) {
        ModelFeature feature{std::move((*dict.feature_names)[i]), 1, 0, {}};
        if (*dict.rescales) {
            feature.slope = (*dict.slopes)[i + 1];
            feature.intercept = (*dict.intercepts)[i + 1];
        }
        if (i < dict.feature_options.size())
            feature.options = std::move(dict.feature_options[i]);
        features.push_back(std::move(feature));
    }
    return features;
}

} // namespace

Result<ModelParameters> make_parameters(const ModelFile &file, ModelDict dict)
{
    VMAF_TRY(check_required(file, dict));
    VMAF_TRY(check_counts(file, dict));
    ModelParameters parameters;
    parameters.type = *dict.type;
    if (*dict.rescales) {
        parameters.slope = dict.slopes->front();
        parameters.intercept = dict.intercepts->front();
    }
    if (parameters.slope == 0)
        return file.fail("the score's slope is 0");
    parameters.features = make_features(dict);
    parameters.chroma_correction = dict.chroma_correction.value_or(0);
    VMAF_TRY(check_chroma_correction(file, parameters));
    if (dict.transform)
        VMAF_TRY(check_knots(file, dict.transform->knots));
    parameters.transform = std::move(dict.transform);
    if (dict.clip)
        parameters.clip = {(*dict.clip)[0], (*dict.clip)[1]};
    VMAF_TRY_ASSIGN(parameters.svr, parse_svm_text(file, *dict.svm_text, parameters.features.size()));
    return parameters;
}

} // namespace vmaf
