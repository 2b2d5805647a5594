#include "model.h"

#include "call.h"

namespace vmaf::python {
namespace {

int load_single(const std::string &source, bool is_file, VmafModelConfig config, tool::Model &model)
{
    VmafModel *loaded = nullptr;
    const int error = is_file ? vmaf_model_load_from_path(&loaded, &config, source.c_str())
                              : vmaf_model_load(&loaded, &config, source.c_str());
    model.reset(loaded);
    return error;
}

int load_collection(const std::string &source, bool is_file, VmafModelConfig config, tool::Model &model,
                    tool::ModelCollection &collection)
{
    VmafModel *main = nullptr;
    VmafModelCollection *members = nullptr;
    const int error = is_file ? vmaf_model_collection_load_from_path(&main, &members, &config, source.c_str())
                              : vmaf_model_collection_load(&main, &members, &config, source.c_str());
    model.reset(main);
    collection.reset(members);
    return error;
}

/// Why it is no single model matters only if it is no collection either.
int load_either(const std::string &source, bool is_file, VmafModelConfig config, tool::Model &model,
                tool::ModelCollection &collection)
{
    {
        const Silence silence;
        if (load_single(source, is_file, config, model) == 0 ||
            load_collection(source, is_file, config, model, collection) == 0)
            return 0;
    }
    return load_single(source, is_file, config, model);
}

} // namespace

Model Model::load(const std::string &source, bool is_file, const std::string &name, std::uint64_t flags)
{
    Model model;
    model.name_ = name;
    const int error = without_gil([&] {
        return load_either(source, is_file, {name.c_str(), flags}, model.model_, model.collection_);
    });
    check(error, ("model " + source).c_str());
    return model;
}

void fill(tool::FeatureDictionary &dictionary, const OptionTexts &options)
{
    for (const auto &[key, value] : options)
        check(dictionary.set(key.c_str(), value.c_str()), "options");
}

void Model::overload(const std::string &feature, const OptionTexts &options)
{
    tool::FeatureDictionary dictionary;
    fill(dictionary, options);
    if (dictionary.get() == nullptr)
        return;
    VmafModelCollection *collection = collection_.get();
    const int error =
        collection != nullptr
            ? vmaf_model_collection_feature_overload(model_.get(), &collection, feature.c_str(), dictionary.release())
            : vmaf_model_feature_overload(model_.get(), feature.c_str(), dictionary.release());
    check(error, ("options of feature " + feature).c_str());
}

void Model::use_features(VmafContext *context) const
{
    const int error = without_gil([&] {
        const int main = vmaf_use_features_from_model(context, model_.get());
        return main != 0 || collection_ == nullptr
                   ? main
                   : vmaf_use_features_from_model_collection(context, collection_.get());
    });
    check(error, ("features of model " + name_).c_str());
}

int Model::score(VmafContext *context, unsigned index, double &score) const
{
    return vmaf_score_at_index(context, model_.get(), &score, index);
}

int Model::score(VmafContext *context, unsigned index, VmafModelCollectionScore &score) const
{
    return vmaf_score_at_index_model_collection(context, collection_.get(), &score, index);
}

} // namespace vmaf::python
