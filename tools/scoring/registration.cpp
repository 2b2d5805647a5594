#include "scoring/registration.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "scoring/library.h"
#include "scoring/option_messages.h"

namespace vmaf::tool {
namespace {

/// A feature with the option `fps`, which is the frame rate (spec xpsnr 2, cvvdp 2).
struct RateFeature {
    std::string_view name;
    double least, most;       ///< rates that it takes
    std::string_view assumed; ///< what it takes others for, and a rate that is not known; empty: nothing to be said
};
constexpr std::array kRateFeatures{
    RateFeature{"xpsnr", 0, 1000000, ""},
    RateFeature{"xpsnr_cuda", 0, 1000000, ""},
    RateFeature{"cvvdp", 1, 240, "25"},
    RateFeature{"cvvdp_cuda", 1, 240, "25"},
};
constexpr std::string_view kRateOption = "fps";

/// Once, however many contexts there are.
void say_assumed_rate(const RateFeature &feature, std::optional<double> rate, Warnings &warnings)
{
    const std::string known = rate ? formatted("is {}, which it does not take", *rate) : "is not known";
    const std::string text = formatted("{} takes the video for one of {} frames/s: the reference's frame rate {}",
                                       feature.name, feature.assumed, known);
    const std::vector<std::string> said = warnings.texts();
    if (std::ranges::find(said, text) == said.end())
        warnings.warn_at_start(text);
}

/// The feature with the rate among its options, where it asks for one and the user gave none.
FeatureSpec with_frame_rate(FeatureSpec feature, std::optional<double> rate, Warnings &warnings)
{
    const auto *const asking = std::ranges::find(kRateFeatures, feature.name, &RateFeature::name);
    if (asking == kRateFeatures.end() ||
        std::ranges::any_of(feature.options, [](const auto &option) { return option.first == kRateOption; }))
        return feature;
    if (rate && *rate >= asking->least && *rate <= asking->most)
        feature.options.emplace_back(kRateOption, formatted("{}", *rate));
    else if (!asking->assumed.empty())
        say_assumed_rate(*asking, rate, warnings);
    return feature;
}

void use_feature(VmafContext *context, const FeatureSpec &feature, LibraryLog &log, Warnings &warnings)
{
    const Failure failure(kExitSetup, formatted("problem loading feature extractor: {}{}", printable(feature.name),
                                                suggested_feature(feature.name)));
    FeatureDictionary options;
    for (const auto &[key, value] : feature.options)
        if (options.set(key.c_str(), value.c_str()) != 0)
            throw failure;
    int error = 0;
    const auto messages = log.held([&] { error = vmaf_use_feature(context, feature.name.c_str(), options.get()); });
    if (error == 0)
        options.release();
    show_option_messages(messages, log, warnings);
    if (error)
        throw failure;
}

} // namespace

std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, unsigned height_px,
                                       std::optional<double> frame_rate, ModelFiles &files, LibraryLog &log,
                                       Warnings &warnings)
{
    for (const ModelSpec &spec : selection.models)
        if (const auto doubt = doubt_about_height(spec, height_px))
            warnings.warn(*doubt);
    std::vector<ScoringModel> models;
    for (const ModelSpec &spec : selection.models)
        models.emplace_back(context, resolve_auto(spec, height_px), files, log, warnings);
    for (const FeatureSpec &feature : selection.features)
        use_feature(context, with_frame_rate(feature, frame_rate, warnings), log, warnings);
    return models;
}

} // namespace vmaf::tool
