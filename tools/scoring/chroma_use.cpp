#include "scoring/chroma_use.h"

#include <algorithm>

#include "model_choice.h"

namespace vmaf::tool {
namespace {

bool reads_chroma(const FeatureSpec &feature)
{
    return feature_reads_chroma(feature.name, feature.options);
}

bool reads_chroma(const ModelSpec &model)
{
    return model_reads_chroma(model.version) ||
           std::ranges::any_of(model.overloads, [](const FeatureOverload &overload) {
               const OptionText option{overload.option, overload.value};
               return feature_reads_chroma(overload.extractor, {&option, 1});
           });
}

} // namespace

bool may_read_chroma(const Selection &selection)
{
    const auto reads = [](const auto &item) { return reads_chroma(item); };
    return std::ranges::any_of(selection.models, reads) || std::ranges::any_of(selection.features, reads);
}

} // namespace vmaf::tool
