#ifndef VMAF_MODEL_H
#define VMAF_MODEL_H

/**
 * @file
 * Models. A model turns the feature scores of a frame into one VMAF score. A collection is a set of
 * models trained on resampled data; it adds a confidence interval.
 *
 * Load a model. You may change options of its features. Register its features with
 * vmaf_use_features_from_model(), and ask for scores with vmaf_score_at_index() or
 * vmaf_score_pooled(). A model belongs to the client, and several contexts may use it. It must live
 * only during the calls that it is passed to: you may destroy it before or after vmaf_close().
 *
 * Threads, for every function here: change or destroy a model or collection from one thread at a
 * time. Any number of threads may score with one model.
 *
 * The specification of models, the layout of their files included, is docs/spec/models.md in the
 * source tree ("spec models 2" is its section 2).
 */

#include <stdint.h>

#include "feature.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One model; opaque. */
typedef struct VmafModel VmafModel;

/** The resampled models of a collection; opaque. */
typedef struct VmafModelCollection VmafModelCollection;

/** Bits of VmafModelConfig.flags. Others are ignored. */
enum VmafModelFlags {
    /** As the model says. */
    VMAF_MODEL_FLAGS_DEFAULT = 0,
    /** Do not clip scores to the model's range. */
    VMAF_MODEL_FLAG_DISABLE_CLIP = 1,
    /** Apply the model's score transform if it has one that is off by default. */
    VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2,
    /** Accepted, without effect. */
    VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4
};

/** How to load a model. All zero is valid. */
typedef struct VmafModelConfig {
    /**
     * Key of the model's scores in contexts and output files; copied; NULL means "vmaf". Models
     * that you use with one context need different names: two of one name share the first one's
     * scores.
     */
    const char *name;
    /** VmafModelFlags, or-ed; they apply from the load on, in a collection to every member. */
    uint64_t flags;
} VmafModelConfig;

/**
 * Load a built-in model.
 *
 * @param model    Set to the new model, which the client owns; NULL on failure. Not NULL.
 * @param cfg      Not NULL; used during the call only.
 * @param version  One of vmaf_v0.6.1, vmaf_v0.6.1neg, vmaf_4k_v0.6.1, vmaf_4k_v0.6.1neg,
 *                 vmaf_float_v0.6.1, vmaf_float_v0.6.1neg, vmaf_float_4k_v0.6.1 and vmaf_v1.0.16_V
 *                 with V one of 3d0h, 5d0h, 3d0h_2160, 1d5h_2160, hfr_3d0h, hfr_5d0h,
 *                 hfr_3d0h_2160, hfr_1d5h_2160. Exact case. Not NULL.
 *
 * Source: spec abi 3.6, models 2.1, 2.3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, unknown version (a warning names it) or the version of a
 *           collection (no message, so that a client can go on with vmaf_model_collection_load())
 *         - `-ENOMEM`
 */
int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);

/**
 * Load a model from a JSON file: an object with a member model_dict, as Netflix publishes them.
 *
 * @param model  Set to the new model, which the client owns; NULL on failure. Not NULL.
 * @param cfg    Not NULL; used during the call only.
 * @param path   File to read, of at most 64 MiB; read once from start to end, so it may be a pipe.
 *               Not NULL.
 *
 * Source: spec abi 3.6, models 2.3, 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or the file cannot be read or does not hold one model (an
 *           error line names the path)
 *         - `-ENOMEM`
 */
int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/**
 * Change options of the model's features. Call it before vmaf_use_features_from_model(), which
 * reads them.
 *
 * The options are merged over the model's own, in every feature that the extractor computes. If the
 * model has no such feature, nothing changes. Values are checked later, when the features are
 * registered.
 *
 * @param model         Not NULL.
 * @param feature_name  Name of an extractor, such as adm, vif, motion or float_adm (not of a
 *                      score). Not NULL.
 * @param opts_dict     Not NULL. The library owns it after the call, also if that fails. Only if an
 *                      argument is NULL, it stays the client's.
 *
 * Source: spec abi 3.6, models 2.5.
 *
 * @return 0, also if no feature matches; `-EINVAL`: a NULL argument; `-ENOMEM`.
 */
int vmaf_model_feature_overload(VmafModel *model, const char *feature_name, VmafFeatureDictionary *opts_dict);

/**
 * Free a model.
 *
 * @param model  A model, or NULL: nothing happens. Before or after the vmaf_close() of contexts
 *               that used it.
 *
 * Source: spec abi 3.6.
 */
void vmaf_model_destroy(VmafModel *model);

/** Which part of a VmafModelCollectionScore is valid. */
enum VmafModelCollectionScoreType {
    VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0,  /**< none */
    VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP = 1 /**< bootstrap */
};

/** Score of a collection. */
typedef struct VmafModelCollectionScore {
    enum VmafModelCollectionScoreType type; /**< VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP after a call that returned 0 */
    struct {
        double bagging_score; /**< mean of the members' predictions, on the scale of VMAF scores */
        double stddev;        /**< their standard deviation, on the same scale */
        struct {
            struct {
                double lo; /**< 2.5th percentile */
                double hi; /**< 97.5th percentile */
            } p95;         /**< 95 % confidence interval */
        } ci;              /**< confidence intervals */
    } bootstrap;           /**< of the members, without the main model */
} VmafModelCollectionScore;

/**
 * Load a built-in collection: its main model, and the models trained on resampled data.
 *
 * @param model             Set to the main model, an ordinary model named cfg->name, which the
 *                          client owns; NULL on failure. Not NULL.
 * @param model_collection  Set to the other members, named cfg->name with _0001, _0002 and so on
 *                          added, which the client owns; NULL on failure. Not NULL. Each of the two
 *                          is destroyed by its own call.
 * @param cfg               Not NULL; used during the call only.
 * @param version           vmaf_b_v0.6.3 or vmaf_float_b_v0.6.3. Exact case. Not NULL.
 *
 * Source: spec abi 3.6, models 2.4.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, an unknown version or that of a single model
 *         - `-ENOMEM`
 */
int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection, VmafModelConfig *cfg,
                               const char *version);

/**
 * Load a collection from a JSON file: an object with the members "0" (the main model), "1", "2" and
 * so on, each as a file of one model.
 *
 * @param model             As for vmaf_model_collection_load().
 * @param model_collection  As for vmaf_model_collection_load().
 * @param cfg               Not NULL; used during the call only.
 * @param path              As for vmaf_model_load_from_path().
 *
 * Source: spec abi 3.6, models 2.4, 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or the file cannot be read or does not hold a collection
 *           (an error line names the path)
 *         - `-ENOMEM`
 */
int vmaf_model_collection_load_from_path(VmafModel **model, VmafModelCollection **model_collection,
                                         VmafModelConfig *cfg, const char *path);

/**
 * Change options of the features of a whole collection: vmaf_model_feature_overload() of every
 * member and of the main model.
 *
 * @param model             The main model. Not NULL.
 * @param model_collection  Where the client keeps the collection; it is not replaced. Neither it
 *                          nor `*model_collection` NULL.
 * @param feature_name      Name of an extractor. Not NULL.
 * @param opts_dict         Not NULL. The library owns it after the call, also if that fails. Only
 *                          if an argument is NULL, it stays the client's.
 *
 * Source: spec abi 3.6, models 2.5.
 *
 * @return 0, also if no feature matches; `-EINVAL`: a NULL argument; `-ENOMEM`.
 */
int vmaf_model_collection_feature_overload(VmafModel *model, VmafModelCollection **model_collection,
                                           const char *feature_name, VmafFeatureDictionary *opts_dict);

/**
 * Free the members of a collection. The main model is freed by vmaf_model_destroy().
 *
 * @param model_collection  A collection, or NULL: nothing happens. Before or after the vmaf_close()
 *                          of contexts that used it.
 *
 * Source: spec abi 3.6.
 */
void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_MODEL_H */
