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

ModelChoice choice_of(const ModelSpec &model, const ClipFacts &facts)
{
    const bool is_transformed = (model.flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM) != 0;
    return choose_model({model.version, is_transformed, model.overloads}, facts);
}

} // namespace

void fill_options(Selection &selection, const ClipFacts &facts, Warnings &warnings)
{
    for (ModelSpec &model : selection.models) {
        if (model.is_of_preset)
            continue;
        const ModelChoice choice = choice_of(model, facts);
        tell(choice, warnings);
        model.version = choice.version;
        model.flags |= choice.is_transformed ? VMAF_MODEL_FLAG_ENABLE_TRANSFORM : 0;
        model.overloads.insert(model.overloads.end(), choice.overloads.begin(), choice.overloads.end());
    }
    for (FeatureSpec &feature : selection.features)
        add_clip_options(feature.name, feature.options, facts, warnings);
}

void note_what_is_made_for_sdr(Videos &videos, std::size_t encode, const Selection &selection)
{
    const ClipFacts facts = facts_of(videos, videos.encodes[encode]);
    std::vector<std::string> models, features;
    for (const ModelSpec &model : selection.models)
        models.push_back(is_chosen_by_videos(model.version) ? choice_of(model, facts).version : model.version);
    for (const FeatureSpec &feature : selection.features)
        features.push_back(feature.name);
    note_what_is_made_for_sdr(videos, encode, models, features);
}

std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, ModelFiles &files,
                                       LibraryLog &log, Warnings &warnings)
{
    std::vector<ScoringModel> models;
    for (const ModelSpec &spec : selection.models)
        models.emplace_back(context, spec, files, log, warnings);
    for (const FeatureSpec &feature : selection.features)
        use_feature(context, feature, log, warnings);
    return models;
}

bool may_read_chroma(const Selection &selection)
{
    const auto reads = [](const auto &item) { return reads_chroma(item); };
    return std::ranges::any_of(selection.models, reads) || std::ranges::any_of(selection.features, reads);
}

} // namespace vmaf::tool
