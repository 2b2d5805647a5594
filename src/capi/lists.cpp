#include "libvmaf/libvmaf_ext.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "capi/list.h"
#include "capi/visibility.h"
#include "feature/registry.h"
#include "model/builtin/builtin_table.h"

namespace vmaf {
namespace {

/// Whether a feature reads chroma under a model's options.
bool reads_chroma(const VmafFeatureInfo &feature, const BuiltinFeature &input)
{
    for (const auto &[option, value] : input.options)
        if (feature.chroma_option != nullptr && option == feature.chroma_option)
            return value == "true";
    return feature.reads_chroma != 0;
}

/// The public description of a model, with the list that it points to.
struct ShownModel {
    VmafModelInfo info{};
    std::array<const VmafFeatureInfo *, kMostModelFeatures + 1> features{};

    void show(const BuiltinModel &model)
    {
        auto end = features.begin();
        for (const BuiltinFeature &input : model.features) {
            const FeatureSpec &feature = *find_feature_providing(input.name);
            if (std::find(features.begin(), end, &feature) == end)
                *end++ = &feature;
            info.reads_chroma |= reads_chroma(feature, input) ? 1 : 0;
        }
        info.version = model.version;
        info.help = model.help;
        info.features = features.data();
        info.is_collection = model.regressions.size() > 1 ? 1 : 0;
        info.is_default = model.version == kDefaultModel ? 1 : 0;
    }

    static constexpr std::string_view kDefaultModel = "vmaf_v0.6.1";
};

struct ShownModels {
    ShownModels()
    {
        for (std::size_t i = 0; i < models.size(); ++i)
            models[i].show(builtin_models()[i]);
    }

    std::array<ShownModel, kBuiltinModels> models;
};

} // namespace
} // namespace vmaf

VMAF_PUBLIC const VmafFeatureInfo *vmaf_feature_list(const VmafFeatureInfo *previous)
{
    return vmaf::next_info(vmaf::feature_registry(), previous,
                           [](const vmaf::FeatureSpec *spec) -> const VmafFeatureInfo * { return spec; });
}

VMAF_PUBLIC const VmafModelInfo *vmaf_model_list(const VmafModelInfo *previous)
{
    static const vmaf::ShownModels kShown;
    return vmaf::next_info(kShown.models, previous, [](const vmaf::ShownModel &model) { return &model.info; });
}
