#include "scoring/scoring_models.h"

#include <utility>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "scoring/library_log.h"

namespace vmaf::tool {
namespace {

/// Either load call fills two handles or none.
/// @param path where to read spec.path; not used for a built-in version.
bool load_collection(const ModelSpec &spec, const std::string &path, Model &model, ModelCollection &collection)
{
    VmafModelConfig config{spec.name.c_str(), spec.flags};
    VmafModel *base = nullptr;
    VmafModelCollection *members = nullptr;
    const int error = spec.version.empty()
                          ? vmaf_model_collection_load_from_path(&base, &members, &config, path.c_str())
                          : vmaf_model_collection_load(&base, &members, &config, spec.version.c_str());
    model.reset(base);
    collection.reset(members);
    return error == 0;
}

bool load_single(const ModelSpec &spec, const std::string &path, Model &model)
{
    VmafModelConfig config{spec.name.c_str(), spec.flags};
    VmafModel *loaded = nullptr;
    const int error = spec.version.empty() ? vmaf_model_load_from_path(&loaded, &config, path.c_str())
                                           : vmaf_model_load(&loaded, &config, spec.version.c_str());
    model.reset(loaded);
    return error == 0;
}

/// The message with the file named as the user does.
std::string renamed(std::string message, const std::string &path, const std::string &name)
{
    const std::size_t place = path.empty() ? message.npos : message.find(path);
    return place == message.npos ? message : message.replace(place, path.size(), name);
}

} // namespace

ScoringModel::ScoringModel(VmafContext *context, ModelSpec spec, ModelFiles &files, LibraryLog &log, Warnings &warnings)
    : spec_(std::move(spec))
{
    load(files, log);
    for (const FeatureOverload &overload : spec_.overloads)
        apply(overload, log, warnings);
    register_features(context, log, warnings);
}

/// Why it is no single model matters only if it is no collection either.
void ScoringModel::load(ModelFiles &files, LibraryLog &log)
{
    const bool is_file = spec_.version.empty();
    if (is_file && spec_.path.ends_with(".pkl"))
        throw Failure(kExitSetup, formatted("problem loading model: {} (pickle files are not supported, convert the "
                                            "model to JSON)",
                                            spec_.label()));
    const std::string path = is_file ? files.repeatable_path(spec_.path) : "";
    bool is_model = false;
    bool is_collection = false;
    auto messages = log.held([&] { is_model = load_single(spec_, path, model_); });
    if (!is_model) {
        const auto more = log.held([&] { is_collection = load_collection(spec_, path, model_, collection_); });
        if (is_collection)
            messages.clear();
        messages.insert(messages.end(), more.begin(), more.end());
    }
    for (const std::string &message : messages)
        log.show(renamed(message, path, spec_.path));
    if (!is_model && !is_collection)
        throw Failure(kExitSetup, formatted("problem loading model: {}{}", spec_.label(),
                                            is_file ? "" : suggested_model(spec_.version)));
}

/// The library takes the dictionary, on error too.
int ScoringModel::overload(const FeatureOverload &overload, VmafFeatureDictionary *options)
{
    if (!collection_)
        return vmaf_model_feature_overload(model_.get(), overload.extractor.c_str(), options);
    VmafModelCollection *members = collection_.release();
    const int error =
        vmaf_model_collection_feature_overload(model_.get(), &members, overload.extractor.c_str(), options);
    collection_.reset(members);
    return error;
}

void ScoringModel::apply(const FeatureOverload &overload, LibraryLog &log, Warnings &warnings)
{
    FeatureDictionary options;
    int error = options.set(overload.option.c_str(), overload.value.c_str());
    if (error == 0) {
        const auto messages = log.held([&] { error = this->overload(overload, options.release()); });
        if (!messages.empty())
            show_option_messages({messages.back()}, log,
                                 warnings); // members of a collection are all alike, and come before the base model
    }
    if (error)
        throw Failure(kExitSetup, formatted("problem overloading features of model: {}", spec_.label()));
}

void ScoringModel::register_features(VmafContext *context, LibraryLog &log, Warnings &warnings)
{
    int error = 0;
    const auto messages = log.held([&] {
        error = vmaf_use_features_from_model(context, model_.get());
        if (error == 0 && collection_)
            error = vmaf_use_features_from_model_collection(context, collection_.get());
    });
    show_option_messages(messages, log, warnings);
    if (error)
        throw Failure(kExitSetup, formatted("problem loading feature extractors from model: {}", spec_.label()));
}

int ScoringModel::pool(VmafContext *context, unsigned frames, double &score) const
{
    return vmaf_score_pooled(context, model_.get(), VMAF_POOL_METHOD_MEAN, &score, 0, frames - 1);
}

int ScoringModel::pool(VmafContext *context, unsigned frames, VmafModelCollectionScore &score) const
{
    return vmaf_score_pooled_model_collection(context, collection_.get(), VMAF_POOL_METHOD_MEAN, &score, 0, frames - 1);
}

} // namespace vmaf::tool
