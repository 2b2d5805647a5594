#include "scoring/chroma_use.h"

#include <algorithm>

#include "model_choice.h"

namespace vmaf::tool {
namespace {

bool reads_luma_alone(const FeatureSpec &feature)
{
    return feature_reads_luma_alone(feature.name) &&
           std::ranges::none_of(feature.options, [](const auto &option) { return option.first == kChromaOption; });
}

bool reads_luma_alone(const ModelSpec &model)
{
    return model_reads_luma_alone(model.version) &&
           std::ranges::none_of(model.overloads,
                                [](const FeatureOverload &overload) { return overload.option == kChromaOption; });
}

} // namespace

bool may_read_chroma(const Selection &selection)
{
    const auto luma_alone = [](const auto &item) { return reads_luma_alone(item); };
    return !std::ranges::all_of(selection.models, luma_alone) || !std::ranges::all_of(selection.features, luma_alone);
}

} // namespace vmaf::tool
