#include <algorithm>
#include <memory>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/device.h"
#include "capi/types.h"
#include "capi/visibility.h"
#include "engine/model_scores.h"
#include "engine/session.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf.h"
#include "version_string.h"

using namespace vmaf;

namespace {

// More threads than any machine that scores video has; a larger request is a slip (-1) and not
// worth failing for.
constexpr unsigned kMaxWorkers = 1024;

constexpr Status kInvalid = Status::error(EINVAL);

LogLevel clamped_log_level(VmafLogLevel level)
{
    return static_cast<LogLevel>(std::clamp<int>(level, VMAF_LOG_LEVEL_NONE, VMAF_LOG_LEVEL_DEBUG));
}

bool is_pooling_method(VmafPoolingMethod method)
{
    return method > VMAF_POOL_METHOD_UNKNOWN && method < VMAF_POOL_METHOD_NB;
}

VmafModelCollectionScore public_score(const BootstrapScore &score)
{
    VmafModelCollectionScore result{};
    result.type = VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP;
    result.bootstrap.bagging_score = score.bagging;
    result.bootstrap.stddev = score.stddev;
    result.bootstrap.ci.p95.lo = score.ci_p95_lo;
    result.bootstrap.ci.p95.hi = score.ci_p95_hi;
    return result;
}

} // namespace

VMAF_PUBLIC int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg)
{
    return c_boundary("vmaf_init", [&]() -> Status {
        if (vmaf == nullptr)
            return kInvalid;
        *vmaf = nullptr;
        set_log_level(clamped_log_level(cfg.log_level));
        set_cpu_mask(cfg.cpumask);
        auto context = std::make_unique<VmafContext>();
        VMAF_TRY_ASSIGN(context->session,
                        Session::create({std::min(cfg.n_threads, kMaxWorkers), cfg.n_subsample, cfg.gpumask == 0}));
        *vmaf = context.release();
        return {};
    });
}

VMAF_PUBLIC int vmaf_close(VmafContext *vmaf)
{
    return c_boundary("vmaf_close", [&]() -> Status {
        if (vmaf == nullptr)
            return kInvalid;
        const std::unique_ptr<VmafContext> closed(vmaf);
        return closed->session->close();
    });
}

VMAF_PUBLIC int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict)
{
    return c_boundary("vmaf_use_feature", [&]() -> Status {
        if (vmaf == nullptr || feature_name == nullptr)
            return kInvalid;
        const std::string_view demanded = demanded_feature(feature_name);
        const FeatureSpec *spec = find_feature(demanded.empty() ? feature_name : demanded);
        if (spec == nullptr) {
            log(LogLevel::error, "unknown feature: %s", feature_name);
            return kInvalid;
        }
        VMAF_TRY(vmaf->session->use_feature(*spec, opts_dict != nullptr ? opts_dict->options : OptionDict(),
                                            demanded.empty() ? DeviceChoice::if_possible : DeviceChoice::demanded));
        delete opts_dict;
        return {};
    });
}

VMAF_PUBLIC int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model)
{
    return c_boundary("vmaf_use_features_from_model", [&]() -> Status {
        if (vmaf == nullptr || model == nullptr)
            return kInvalid;
        return use_model_features(*vmaf->session, model->model);
    });
}

VMAF_PUBLIC int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection)
{
    return c_boundary("vmaf_use_features_from_model_collection", [&]() -> Status {
        if (vmaf == nullptr || model_collection == nullptr)
            return kInvalid;
        for (const Model &member : model_collection->collection.members)
            VMAF_TRY(use_model_features(*vmaf->session, member));
        return {};
    });
}

VMAF_PUBLIC int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index)
{
    return c_boundary("vmaf_import_feature_score", [&]() -> Status {
        if (vmaf == nullptr || feature_name == nullptr)
            return kInvalid;
        return vmaf->session->import_score(feature_name, value, index);
    });
}

VMAF_PUBLIC int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index)
{
    return c_boundary("vmaf_read_pictures", [&]() -> Status {
        if (vmaf == nullptr || (ref == nullptr) != (dist == nullptr))
            return kInvalid;
        if (ref == nullptr)
            return vmaf->session->flush();
        VMAF_TRY(vmaf->session->read(*ref, *dist, index));
        *ref = {};
        *dist = {};
        return {};
    });
}

VMAF_PUBLIC int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index)
{
    return c_boundary("vmaf_feature_score_at_index", [&]() -> Status {
        if (vmaf == nullptr || feature_name == nullptr || score == nullptr)
            return kInvalid;
        VMAF_TRY_ASSIGN(*score, vmaf->session->score(feature_name, index));
        return {};
    });
}

VMAF_PUBLIC int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, VmafPoolingMethod pool_method,
                                          double *score, unsigned index_low, unsigned index_high)
{
    return c_boundary("vmaf_feature_score_pooled", [&]() -> Status {
        if (vmaf == nullptr || feature_name == nullptr || score == nullptr || index_low > index_high ||
            !is_pooling_method(pool_method))
            return kInvalid;
        VMAF_TRY_ASSIGN(*score, vmaf->session->pooled(feature_name, static_cast<PoolingMethod>(pool_method), index_low,
                                                      index_high));
        return {};
    });
}

VMAF_PUBLIC int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index)
{
    return c_boundary("vmaf_score_at_index", [&]() -> Status {
        if (vmaf == nullptr || model == nullptr || score == nullptr)
            return kInvalid;
        VMAF_TRY_ASSIGN(*score, model_score(*vmaf->session, model->model, index));
        return {};
    });
}

VMAF_PUBLIC int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                                     VmafModelCollectionScore *score, unsigned index)
{
    return c_boundary("vmaf_score_at_index_model_collection", [&]() -> Status {
        if (vmaf == nullptr || model_collection == nullptr || score == nullptr)
            return kInvalid;
        VMAF_TRY_ASSIGN(const BootstrapScore found,
                        collection_score(*vmaf->session, model_collection->collection, index));
        *score = public_score(found);
        return {};
    });
}

VMAF_PUBLIC int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, VmafPoolingMethod pool_method, double *score,
                                  unsigned index_low, unsigned index_high)
{
    return c_boundary("vmaf_score_pooled", [&]() -> Status {
        if (vmaf == nullptr || model == nullptr || score == nullptr || index_low > index_high ||
            !is_pooling_method(pool_method))
            return kInvalid;
        VMAF_TRY_ASSIGN(*score, pooled_model_score(*vmaf->session, model->model,
                                                   static_cast<PoolingMethod>(pool_method), index_low, index_high));
        return {};
    });
}

VMAF_PUBLIC int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                                   VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                                   unsigned index_low, unsigned index_high)
{
    return c_boundary("vmaf_score_pooled_model_collection", [&]() -> Status {
        if (vmaf == nullptr || model_collection == nullptr || score == nullptr || index_low > index_high ||
            !is_pooling_method(pool_method))
            return kInvalid;
        VMAF_TRY_ASSIGN(const BootstrapScore found,
                        pooled_collection_score(*vmaf->session, model_collection->collection,
                                                static_cast<PoolingMethod>(pool_method), index_low, index_high));
        *score = public_score(found);
        return {};
    });
}

VMAF_PUBLIC int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg)
{
    return c_boundary("vmaf_preallocate_pictures", [&]() -> Status {
        const PictureFormat format{cfg.pic_params.pix_fmt, cfg.pic_params.bpc, cfg.pic_params.w, cfg.pic_params.h};
        if (vmaf == nullptr || !is_valid_format(format) || format.width == 0 || format.height == 0 || cfg.pic_cnt == 0)
            return kInvalid;
        return vmaf->session->preallocate(format, cfg.pic_cnt);
    });
}

VMAF_PUBLIC int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    return c_boundary("vmaf_fetch_preallocated_picture", [&]() -> Status {
        if (vmaf == nullptr || pic == nullptr)
            return kInvalid;
        return vmaf->session->pool().fetch(*pic);
    });
}

VMAF_PUBLIC const char *vmaf_version(void)
{
    return VMAF_VERSION_STRING;
}
