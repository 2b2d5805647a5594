#include "scoring/registration.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "frames/library.h"
#include "library/lists.h"
#include "model_choice.h"
#include "scoring/library_log.h"

namespace vmaf::tool {
namespace {

/// Once, however many contexts there are.
void say_assumed_rate(const std::string &feature, const VmafOptionInfo &option, std::optional<double> rate,
                      Warnings &warnings)
{
    const std::string known = rate ? formatted("is {}, which it does not take", *rate) : "is not known";
    const std::string text = formatted("{} takes the video for one of {} frames/s: the reference's frame rate {}",
                                       feature, default_text(option), known);
    const std::vector<std::string> said = warnings.texts();
    if (std::ranges::find(said, text) == said.end())
        warnings.warn_at_start(text);
}

/// The feature with the rate among its options, where it asks for one (spec xpsnr 2, cvvdp 2) and the user gave none.
FeatureSpec with_frame_rate(FeatureSpec feature, std::optional<double> rate, Warnings &warnings)
{
    const VmafFeatureInfo *const info = find_feature_info(feature.name);
    const VmafOptionInfo *const asked = info != nullptr ? find_option(*info, VMAF_ROLE_FRAME_RATE) : nullptr;
    const auto is_given = [asked](const auto &option) { return option.first == asked->name; };
    if (asked == nullptr || std::ranges::any_of(feature.options, is_given))
        return feature;
    // A default of 0 stands for a rate that is not known.
    if (rate && asked->least <= *rate && *rate <= asked->most)
        feature.options.emplace_back(asked->name, formatted("{}", *rate));
    else if (asked->default_number != 0)
        say_assumed_rate(feature.name, *asked, rate, warnings);
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

std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, unsigned height_px,
                                       std::optional<double> frame_rate, ModelFiles &files, LibraryLog &log,
                                       Warnings &warnings)
{
    for (const ModelSpec &spec : selection.models)
        if (const auto doubt = spec.is_of_preset ? std::nullopt : doubt_about_height(spec.version, height_px))
            warnings.warn(*doubt);
    std::vector<ScoringModel> models;
    for (const ModelSpec &spec : selection.models)
        models.emplace_back(context, resolve_auto(spec, height_px), files, log, warnings);
    for (const FeatureSpec &feature : selection.features)
        use_feature(context, with_frame_rate(feature, frame_rate, warnings), log, warnings);
    return models;
}

bool may_read_chroma(const Selection &selection)
{
    const auto reads = [](const auto &item) { return reads_chroma(item); };
    return std::ranges::any_of(selection.models, reads) || std::ranges::any_of(selection.features, reads);
}

} // namespace vmaf::tool
