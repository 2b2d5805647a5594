#include "cli/presets.h"

#include <algorithm>
#include <utility>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kMaxModels = 32;
constexpr std::size_t kMaxFeatures = 32;
constexpr std::string_view kHeatmapsOption = "heatmaps_path";

constexpr const char *kAomFeatures[] = {
    "psnr=reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5",
    "ciede",
    "float_ssim=enable_db=true:clip_db=true",
    "float_ms_ssim=enable_db=true:clip_db=true",
    "psnr_hvs",
};
constexpr const char *kAomV7Ssim = "float_ssim=scale=1:enable_db=true:clip_db=true";
constexpr const char *kNflxFeatures[] = {
    "psnr=enable_chroma=true:enable_apsnr=true",
    "float_ssim=enable_db=true:clip_db=true",
    "cambi",
};

void add_model_and_neg(Selection &selection, const std::string &version)
{
    ModelSpec model;
    model.is_of_preset = true;
    model.version = version;
    model.name = "vmaf";
    selection.add(model);
    model.version = version + "neg";
    model.name = "vmaf_neg";
    selection.add(model);
}

/// Replaces the first float_ssim of the list, whether the user or a preset put it there.
void replace_first_ssim(Selection &selection)
{
    const auto ssim = std::ranges::find(selection.features, "float_ssim", &FeatureSpec::name);
    *ssim = parse_feature_spec(kAomV7Ssim);
}

} // namespace

void Selection::add(ModelSpec model)
{
    if (models.size() == kMaxModels)
        throw UsageError(formatted("a maximum of {} models is supported", kMaxModels));
    models.push_back(std::move(model));
}

void Selection::add(FeatureSpec feature)
{
    if (features.size() == kMaxFeatures)
        throw UsageError(formatted("a maximum of {} features is supported", kMaxFeatures));
    features.push_back(std::move(feature));
}

void Selection::add(std::vector<FeatureSpec> several)
{
    for (FeatureSpec &feature : several)
        add(std::move(feature));
}

bool Selection::writes_heatmaps() const
{
    const auto is_asked_of = [](const FeatureSpec &feature) {
        return std::ranges::any_of(feature.options, [](const auto &option) { return option.first == kHeatmapsOption; });
    };
    const auto is_asked_by = [](const ModelSpec &model) {
        return std::ranges::find(model.overloads, kHeatmapsOption, &FeatureOverload::option) != model.overloads.end();
    };
    return std::ranges::any_of(features, is_asked_of) || std::ranges::any_of(models, is_asked_by);
}

void add_aom_ctc(Selection &selection, InputOptions &input, std::string_view version)
{
    constexpr std::string_view kVersions[] = {"v1.0", "v2.0", "v3.0", "v4.0", "v5.0", "v6.0", "v7.0"};
    if (version == "proposed")
        throw UsageError("--aom_ctc proposed is deprecated; name a version, v1.0 to v7.0");
    if (std::ranges::find(kVersions, version) == std::end(kVersions))
        throw UsageError(formatted("bad --aom_ctc version \"{}\"; should be v1.0 to v7.0{}", printable(version),
                                   suggestion(version, {std::begin(kVersions), std::end(kVersions)})));
    add_model_and_neg(selection, "vmaf_v0.6.1");
    for (const char *feature : kAomFeatures)
        selection.add(parse_feature_spec(feature));
    if (version >= "v3.0")
        selection.add(parse_feature_spec("cambi"));
    if (version >= "v6.0")
        input.unequal_depths_allowed = true;
    if (version == "v7.0")
        replace_first_ssim(selection);
}

void add_nflx_ctc(Selection &selection, std::string_view version)
{
    if (version != "v1.0")
        throw UsageError(formatted("bad --nflx_ctc version \"{}\"; should be v1.0{}", printable(version),
                                   suggestion(version, {"v1.0"})));
    add_model_and_neg(selection, "vmaf_4k_v0.6.1");
    for (const char *feature : kNflxFeatures)
        selection.add(parse_feature_spec(feature));
}

} // namespace vmaf::tool
