#include "scoring/registration.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "scoring/library.h"
#include "scoring/option_messages.h"

namespace vmaf::tool {
namespace {

/// Features with the option `fps`, which is the frame rate (spec xpsnr 2), and the largest that it takes.
constexpr std::array<std::string_view, 2> kRateFeatures{"xpsnr", "xpsnr_cuda"};
constexpr std::string_view kRateOption = "fps";
constexpr double kHighestRate = 1000000;

/// The feature with the rate among its options, where it asks for one and the user gave none.
FeatureSpec with_frame_rate(FeatureSpec feature, std::optional<double> rate)
{
    const bool is_given =
        std::ranges::any_of(feature.options, [](const auto &option) { return option.first == kRateOption; });
    if (rate && !is_given && std::ranges::find(kRateFeatures, feature.name) != kRateFeatures.end())
        feature.options.emplace_back(kRateOption, formatted("{}", std::min(*rate, kHighestRate)));
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
        use_feature(context, with_frame_rate(feature, frame_rate), log, warnings);
    return models;
}

} // namespace vmaf::tool
