#include "scoring/registration.h"

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "scoring/library.h"
#include "scoring/option_messages.h"

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

} // namespace

std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, unsigned height_px,
                                       ModelFiles &files, LibraryLog &log, Warnings &warnings)
{
    for (const ModelSpec &spec : selection.models)
        if (const auto doubt = doubt_about_height(spec, height_px))
            warnings.warn(*doubt);
    std::vector<ScoringModel> models;
    for (const ModelSpec &spec : selection.models)
        models.emplace_back(context, resolve_auto(spec, height_px), files, log, warnings);
    for (const FeatureSpec &feature : selection.features)
        use_feature(context, feature, log, warnings);
    return models;
}

} // namespace vmaf::tool
