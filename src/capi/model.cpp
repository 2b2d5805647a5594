#include "libvmaf/model.h"

#include <memory>
#include <utility>

#include "capi/c_boundary.h"
#include "capi/types.h"
#include "capi/visibility.h"
#include "model/loader.h"

namespace {

using vmaf::Status;

vmaf::ModelConfig model_config(const VmafModelConfig &cfg)
{
    // VMAF_MODEL_FLAG_DISABLE_TRANSFORM has no effect (spec models 2.3).
    return {cfg.name != nullptr ? cfg.name : "vmaf", (cfg.flags & VMAF_MODEL_FLAG_DISABLE_CLIP) != 0,
            (cfg.flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM) != 0};
}

enum class Source { built_in, file };

/// @param load as vmaf::load_builtin_model; `source` is its version or path.
template <class Load>
int load_model(const char *entry, VmafModel **model, const VmafModelConfig *cfg, const char *source, Source kind,
               Load load)
{
    return vmaf::c_boundary(entry, [&]() -> Status {
        if (model == nullptr)
            return Status::error(EINVAL);
        *model = nullptr;
        if (cfg == nullptr || source == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(vmaf::Model loaded, load(source, model_config(*cfg)));
        *model = new VmafModel(std::move(loaded), kind == Source::file ? source : nullptr);
        return {};
    });
}

/// @param load as vmaf::load_builtin_collection; `source` is its version or path.
template <class Load>
int load_collection(const char *entry, VmafModel **model, VmafModelCollection **collection, const VmafModelConfig *cfg,
                    const char *source, Source kind, Load load)
{
    return vmaf::c_boundary(entry, [&]() -> Status {
        if (model != nullptr)
            *model = nullptr;
        if (collection != nullptr)
            *collection = nullptr;
        if (model == nullptr || collection == nullptr || cfg == nullptr || source == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(vmaf::LoadedCollection loaded, load(source, model_config(*cfg)));
        auto main = std::make_unique<VmafModel>(std::move(loaded.main), kind == Source::file ? source : nullptr);
        *collection = new VmafModelCollection{std::move(loaded.collection)};
        *model = main.release();
        return {};
    });
}

} // namespace

VMAF_PUBLIC int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version)
{
    return load_model(__func__, model, cfg, version, Source::built_in, vmaf::load_builtin_model);
}

VMAF_PUBLIC int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path)
{
    return load_model(__func__, model, cfg, path, Source::file, vmaf::load_model_file);
}

VMAF_PUBLIC int vmaf_model_feature_overload(VmafModel *model, const char *feature_name,
                                            VmafFeatureDictionary *opts_dict)
{
    return vmaf::c_boundary(__func__, [&] {
        if (model == nullptr || feature_name == nullptr || opts_dict == nullptr)
            return Status::error(EINVAL);
        const std::unique_ptr<VmafFeatureDictionary> consumed(opts_dict);
        vmaf::Model changed = model->model;
        changed.overload(feature_name, consumed->options);
        model->model = std::move(changed);
        return Status();
    });
}

VMAF_PUBLIC void vmaf_model_destroy(VmafModel *model)
{
    delete model;
}

VMAF_PUBLIC int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection,
                                           VmafModelConfig *cfg, const char *version)
{
    return load_collection(__func__, model, model_collection, cfg, version, Source::built_in,
                           vmaf::load_builtin_collection);
}

VMAF_PUBLIC int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                                     VmafModelConfig *cfg, const char *path)
{
    return load_collection(__func__, model, model_collection, cfg, path, Source::file, vmaf::load_collection_file);
}

VMAF_PUBLIC int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                                       const char *feature_name, VmafFeatureDictionary *opts_dict)
{
    return vmaf::c_boundary(__func__, [&] {
        if (model == nullptr || model_collection == nullptr || *model_collection == nullptr ||
            feature_name == nullptr || opts_dict == nullptr)
            return Status::error(EINVAL);
        const std::unique_ptr<VmafFeatureDictionary> consumed(opts_dict);
        vmaf::Model main = model->model;
        vmaf::ModelCollection collection = (*model_collection)->collection;
        for (vmaf::Model &member : collection.members)
            member.overload(feature_name, consumed->options);
        main.overload(feature_name, consumed->options);
        model->model = std::move(main);
        (*model_collection)->collection = std::move(collection);
        return Status();
    });
}

VMAF_PUBLIC void vmaf_model_collection_destroy(VmafModelCollection *model_collection)
{
    delete model_collection;
}
