#include "comparison/made_for.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/format.h"
#include "library/lists.h"
#include "model_choice.h"

namespace vmaf::tool {
namespace {

/// One of them says so, and the other one not otherwise.
bool are_hdr(const VideoTags &a, const VideoTags &b)
{
    return may_be_hdr(a) && may_be_hdr(b) && (h273::is_hdr(a.colour.transfer) || h273::is_hdr(b.colour.transfer));
}

bool is_for_sdr_alone(const VmafFeatureInfo &feature)
{
    return feature.dynamic_range == VMAF_DYNAMIC_RANGE_SDR;
}

bool is_for_sdr_alone(const VmafModelInfo &model)
{
    return std::ranges::any_of(listed(model.features),
                               [](const VmafFeatureInfo *feature) { return is_for_sdr_alone(*feature); });
}

/// The feature that knows displays.
const VmafFeatureInfo *feature_for_hdr()
{
    for (const VmafFeatureInfo *feature : library_features())
        if ((feature->dynamic_range & VMAF_DYNAMIC_RANGE_HDR) != 0 && find_option(*feature, VMAF_ROLE_DISPLAY))
            return feature;
    return nullptr;
}

} // namespace

std::optional<Decision> made_for_sdr(const VideoTags &ref, const VideoTags &dis, std::span<const std::string> models,
                                     std::span<const std::string> features)
{
    const VmafFeatureInfo *const cure = feature_for_hdr();
    if (cure == nullptr || !are_hdr(ref, dis))
        return std::nullopt;
    std::vector<std::string_view> unfit;
    std::string names;
    const auto add = [&](std::string_view name, bool is_unfit) {
        if (!is_unfit || std::ranges::find(unfit, name) != unfit.end())
            return;
        names += (unfit.empty() ? "" : ", ") + std::string(name);
        unfit.push_back(name);
    };
    for (const std::string &version : models)
        if (const VmafModelInfo *const model = model_info(version))
            add(model->version, is_for_sdr_alone(*model));
    for (const std::string &name : features)
        if (const VmafFeatureInfo *const feature = find_feature_info(name))
            add(feature->name, is_for_sdr_alone(*feature));
    if (unfit.empty())
        return std::nullopt;
    return Decision{Decision::Kind::dynamic_range, Side::both, Severity::note,
                    formatted("{}: made for SDR; for HDR use {}", names, cure->name)};
}

} // namespace vmaf::tool
