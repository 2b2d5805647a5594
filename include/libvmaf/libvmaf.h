#ifndef VMAF_LIBVMAF_H
#define VMAF_LIBVMAF_H

/**
 * @file
 * Scoring sessions: how good does a distorted video look, compared with its reference?
 *
 * A session is one VmafContext. In order:
 * 1. vmaf_init();
 * 2. register what to compute: vmaf_use_features_from_model() for a model (model.h),
 *    vmaf_use_feature() for a single feature;
 * 3. for each frame, fill two pictures (picture.h, or from a pool:
 *    vmaf_fetch_preallocated_picture()) and pass them to vmaf_read_pictures(). After the last
 *    frame, pass NULL pictures: the flush;
 * 4. ask for scores: vmaf_score_at_index(), vmaf_score_pooled(), the same for features and
 *    collections, vmaf_write_output();
 * 5. vmaf_close().
 *
 * Errors. Calls return 0 or a negative errno. A NULL that is not allowed is -EINVAL. No call ends
 * the process, and no C++ exception leaves one. Messages go to stderr; VmafConfiguration.log_level
 * says which. Nothing goes to stdout.
 *
 * Threads. Use a context from one thread at a time; any number of contexts may be in use at once.
 * The score getters, vmaf_import_feature_score(), vmaf_fetch_preallocated_picture() and
 * vmaf_picture_unref() may run at the same time as another thread's calls on the same context.
 *
 * Waiting. vmaf_read_pictures() waits while the queue is full, and at the flush. Getters wait for
 * their frame if its work is in flight. vmaf_write_output() and vmaf_close() wait for all work in
 * flight. vmaf_fetch_preallocated_picture() waits for a free picture. No other call waits for work
 * in flight.
 *
 * Memory. A session holds at most 2 * n_threads queued pairs, and earlier pictures that features
 * look back at. Most features look back at none; the most are the 60 of cvvdp at 240 frames per
 * second. Each feature has working memory for each worker. Each score takes 8 bytes until
 * vmaf_close(), for pooling and output files. Scores are kept in blocks of neighbouring indices, so
 * indices far apart cost more.
 *
 * The specification, with every name, number and limit, is docs/spec in the source tree: "spec abi
 * 3.1" is section 3.1 of its abi.md.
 */

#include <stdint.h>
#include <stdio.h>

#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which messages are written to stderr: those of this level and the levels above it. */
enum VmafLogLevel {
    VMAF_LOG_LEVEL_NONE = 0,    /**< none */
    VMAF_LOG_LEVEL_ERROR = 1,   /**< why a call failed */
    VMAF_LOG_LEVEL_WARNING = 2, /**< scores stand, but something is off */
    VMAF_LOG_LEVEL_INFO = 3,    /**< what runs where, once a session */
    VMAF_LOG_LEVEL_DEBUG = 4    /**< registrations and their options */
};

/** Formats of vmaf_write_output(). */
enum VmafOutputFormat {
    VMAF_OUTPUT_FORMAT_NONE = 0, /**< no format: an error */
    VMAF_OUTPUT_FORMAT_XML = 1,  /**< frames, pooled scores and aggregates */
    VMAF_OUTPUT_FORMAT_JSON = 2, /**< frames, pooled scores and aggregates */
    VMAF_OUTPUT_FORMAT_CSV = 3,  /**< frames */
    VMAF_OUTPUT_FORMAT_SUB = 4   /**< frames, as MicroDVD subtitles */
};

/** How the scores of several frames become one. */
enum VmafPoolingMethod {
    VMAF_POOL_METHOD_UNKNOWN = 0,       /**< no method: an error */
    VMAF_POOL_METHOD_MIN = 1,           /**< lowest score */
    VMAF_POOL_METHOD_MAX = 2,           /**< highest score */
    VMAF_POOL_METHOD_MEAN = 3,          /**< arithmetic mean */
    VMAF_POOL_METHOD_HARMONIC_MEAN = 4, /**< n / sum(1 / (s + 1)) - 1 */
    VMAF_POOL_METHOD_NB = 5             /**< number of values above, itself an error */
};

/**
 * How a session runs. All zero is valid: silent, no threads, every frame, all instruction sets.
 * Scores depend on n_subsample only.
 */
typedef struct VmafConfiguration {
    /** Log level of the whole process: the last vmaf_init() wins. A value out of range counts as
     *  the nearest level. */
    enum VmafLogLevel log_level;
    /** Worker threads; 0: all work is done inside the calls. More than 1024 count as 1024. */
    unsigned n_threads;
    /**
     * Score only frames whose index is a multiple of this number; 0 and 1: every frame. Feed all
     * frames nevertheless: psnr, and features that compare frames in time, score them all. Pooling,
     * model scores and output files skip the other frames.
     */
    unsigned n_subsample;
    /**
     * Instruction sets not to use, or-ed: 1 SSE2 or NEON, 2 SSSE3, 4 SSE4.1, 8 AVX2, 16 AVX-512, 32
     * AVX-512 of Ice Lake and VNNI of AVX2. Bits 1 to 16 exclude the sets after them too. SSE2 and
     * NEON are used even so, because every processor of their kind has them. The mask holds for the
     * whole process: the last vmaf_init() wins.
     */
    uint64_t cpumask;
    /** Not 0: no feature moves to the GPU by itself, even if a CUDA state is imported. */
    uint64_t gpumask;
} VmafConfiguration;

/** A scoring session; opaque. */
typedef struct VmafContext VmafContext;

/**
 * Open a session.
 *
 * @param vmaf  Set to the new context, which the client owns and ends with vmaf_close(); NULL on
 *              failure. Not NULL.
 * @param cfg   Copied. Its log level and CPU mask hold for the whole process from here on.
 *
 * Threads: any.
 * Source: spec abi 3.1.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `vmaf` is NULL
 *         - `-ENOMEM`: no memory, or the worker threads could not be started
 */
int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/**
 * Register the features that a model needs, with the options that the model has at this moment.
 *
 * Features that are registered already with the same options are skipped. You may register after
 * the first frame: the feature sees the frames that follow. On a context with a CUDA state,
 * features that have a CUDA version use it.
 *
 * @param vmaf   Open context. Not NULL.
 * @param model  Not NULL. Stays the client's. After the call it is needed only to ask for its
 *               scores.
 *
 * Threads: one at a time per context.
 * Source: spec abi 3.4, 5.4.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, a feature that this library lacks or an option out of range
 *           (then none of the model's features is registered)
 *         - `-ENOMEM`
 */
int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);

/**
 * Register the features that the members of a collection need: vmaf_use_features_from_model() for
 * each in order, up to the first error. The main model is registered by its own call.
 *
 * @param vmaf              Open context. Not NULL.
 * @param model_collection  Not NULL. Stays the client's.
 *
 * Threads: one at a time per context.
 * Source: spec abi 3.4.
 *
 * @return As vmaf_use_features_from_model().
 */
int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection);

/**
 * Register one feature. If an earlier registration gives the same scores, the call does nothing and
 * returns 0.
 *
 * @param vmaf          Open context. Not NULL.
 * @param feature_name  Name of an extractor, such as vif, psnr or float_ssim; exact case. vif_cuda
 *                      and its like demand the CUDA version. Not NULL.
 * @param opts_dict     Options, or NULL for the defaults. Keys that the feature does not have are
 *                      ignored. On 0 the library owns it; on failure it stays the client's.
 *
 * Threads: one at a time per context.
 * Source: spec abi 3.4, 5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, an unknown name, a name that demands CUDA in a build
 *           without it, or an option value that is malformed or out of range
 *         - `-ENOMEM`
 */
int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict);

/**
 * Add a score that was computed elsewhere. Models predict from it as from a computed one, and
 * output files show it.
 *
 * @param vmaf          Open context, before, during or after reading pictures, also after the
 *                      flush. Not NULL.
 * @param feature_name  Name under which the score is stored, taken as it is. Not NULL; copied.
 * @param value         Any double.
 * @param index         Frame index, below UINT_MAX. Each (name, index) is written once: a picture
 *                      whose features write it again is refused.
 *
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.1.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument or the score exists (it keeps its value)
 *         - `-ENOMEM`: no memory, or index UINT_MAX
 */
int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index);

/**
 * Score one frame pair; with both pictures NULL, flush.
 *
 * Without worker threads the frame is scored when the call returns. With them it is queued, and the
 * call waits only while 2 * n_threads frames are queued. The first pair fixes size, format, depth
 * and memory kind (host or device) for the session. Features that compare frames in time compare
 * them in the order of the calls, not of the indices. A feature whose output depends on the next
 * frame writes it after that frame was read, or at the flush.
 *
 * The flush waits for all work, lets features write their last scores, and ends reading. All other
 * calls still work after it.
 *
 * @param vmaf   Open context. Not NULL.
 * @param ref    Reference picture, filled. If the call returns 0, the library owns it and zeroes
 *               the struct. On failure it stays the client's, untouched. (The library may then hold
 *               a reference of its own for queued work.)
 * @param dist   Distorted picture of the same size, format, depth and memory kind, owned as `ref`
 *               is. Do not pass a copy of `ref`'s struct: both would share one reference.
 * @param index  Key of the frame's scores: any order, gaps allowed, each once. Ignored by the
 *               flush. `motion` needs the frame before index 1 and higher ones: start at 0.
 *
 * Threads: one at a time per context. The calling thread's CUDA context is unchanged.
 * Source: spec abi 3.3, 4.2 to 4.5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `vmaf` NULL; one picture NULL or without content; the same picture twice;
 *           size, format, depth or memory kind changed; a call after the flush; an index whose
 *           scores exist; a feature that refuses the picture (too small, depth, format). At the
 *           flush: features are registered but no frame was read. Then you may still read.
 *         - `-ENOMEM`: no memory; you may try again
 *         - `-EIO`: the CUDA driver failed (logged)
 *
 *         With worker threads or CUDA, the first error of queued work is kept. A later read or the
 *         flush returns it. That flush is complete even so, and scores collected so far stay
 *         readable. Scores that depend on a lost frame, also values of the whole clip, are not
 *         written.
 */
int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/**
 * Score of a model for one frame. The first call for a frame predicts it from the feature scores
 * and stores it under the model's name. Later calls and output files use the stored score.
 *
 * @param vmaf   Open context. Not NULL.
 * @param model  Not NULL; need not be registered if its feature scores exist.
 * @param score  Receives the score. Not NULL; untouched on failure.
 * @param index  Frame index. Score i - 1 is available once frame i was read. Only the last frame
 *               needs the flush.
 *
 * Waits for the frame if its work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.3, 4.6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, a feature score that does not exist (yet; an error line
 *           names it), or an index that subsampling skips
 *         - `-ENOMEM`
 *         - the errno of the work that lost the score
 */
int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);

/**
 * Score of a collection for one frame, with its confidence interval. The call stores the members'
 * scores. It stores the result under the collection's name with _bagging, _stddev, _ci_p95_lo and
 * _ci_p95_hi added. A later call returns the same.
 *
 * @param vmaf              Open context. Not NULL.
 * @param model_collection  Not NULL.
 * @param score             Receives the score. Not NULL; unspecified on failure.
 * @param index             Frame index.
 *
 * Waits for the frame if its work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.6.
 *
 * @return As vmaf_score_at_index().
 */
int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index);

/**
 * Score of a feature for one frame.
 *
 * @param vmaf          Open context. Not NULL.
 * @param feature_name  Name under which the score is stored: VMAF_integer_feature_adm2_score, not
 *                      the short integer_adm2 of output files. If an option that changes scores is
 *                      set, the name is the short one with the options: integer_adm2_egl_1. Not
 *                      NULL.
 * @param score         Receives the score. Not NULL; untouched on failure.
 * @param index         Frame index.
 *
 * Waits for the frame if its work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.6, 5.3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or no such score (yet)
 *         - the errno of the work that lost the score
 */
int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index);

/**
 * Score of a model for a range of frames. Predicts missing scores, as vmaf_score_at_index() does.
 *
 * @param vmaf         Open context. Not NULL.
 * @param model        Not NULL.
 * @param pool_method  VMAF_POOL_METHOD_MIN to VMAF_POOL_METHOD_HARMONIC_MEAN.
 * @param score        Receives the score. Not NULL; untouched on failure. NaN for a mean over no
 *                     frame.
 * @param index_low    First frame.
 * @param index_high   Last frame, included; not below index_low. Frames that subsampling skips do
 *                     not count. If it skips index_low, the minimum is at most 0 and the maximum at
 *                     least 0.
 *
 * Waits for frames whose work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, a bad range or method, or a score of the range that cannot
 *           be had
 *         - `-ENOMEM`
 *         - the errno of the work that lost a score
 */
int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method, double *score,
                      unsigned index_low, unsigned index_high);

/**
 * Score of a collection for a range of frames. Calls vmaf_score_at_index_model_collection() for
 * each frame, then pools each of the four numbers separately.
 *
 * @param vmaf              Open context. Not NULL.
 * @param model_collection  Not NULL.
 * @param pool_method       As for vmaf_score_pooled().
 * @param score             Receives the score. Not NULL; unspecified on failure.
 * @param index_low         As for vmaf_score_pooled().
 * @param index_high        As for vmaf_score_pooled().
 *
 * Waits for frames whose work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.6.
 *
 * @return As vmaf_score_pooled().
 */
int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       enum VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                       unsigned index_low, unsigned index_high);

/**
 * Score of a feature for a range of frames.
 *
 * @param vmaf          Open context. Not NULL.
 * @param feature_name  Stored name, as for vmaf_feature_score_at_index(). Not NULL.
 * @param pool_method   As for vmaf_score_pooled().
 * @param score         Receives the score. Not NULL; untouched on failure. NaN for a mean over no
 *                      frame.
 * @param index_low     As for vmaf_score_pooled().
 * @param index_high    As for vmaf_score_pooled().
 *
 * Waits for frames whose work is in flight.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 4.6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, a bad range or method, or a score of the range that does
 *           not exist (yet)
 *         - the errno of the work that lost a score
 */
int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, enum VmafPoolingMethod pool_method,
                              double *score, unsigned index_low, unsigned index_high);

/** What a pool of host pictures holds. */
typedef struct VmafPictureConfiguration {
    struct {
        unsigned w, h;                /**< luma size in samples, not 0 */
        unsigned bpc;                 /**< bits a sample, 8..16 */
        enum VmafPixelFormat pix_fmt; /**< any format but VMAF_PIX_FMT_UNKNOWN */
    } pic_params;                     /**< of each picture */
    /** Pictures that the client can hold at once, not 0. The library makes more for those that it
     *  keeps itself. */
    unsigned pic_cnt;
} VmafPictureConfiguration;

/**
 * Make the context's pool of host pictures, laid out as by vmaf_picture_alloc(). A second call
 * replaces the pool; pictures of the old one stay valid.
 *
 * @param vmaf  Open context. Not NULL.
 * @param cfg   Copied.
 *
 * Threads: one at a time per context.
 * Source: spec abi 3.2.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `vmaf` NULL, or size, depth, format or count out of range
 *         - `-ENOMEM`
 */
int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);

/**
 * Take a picture from the pool. Waits while the client holds all of them: another thread must then
 * feed or release one.
 *
 * @param vmaf  Open context with a pool. Not NULL.
 * @param pic   Filled in. Not NULL. On 0 the client owns one reference, as after
 *              vmaf_picture_alloc(). vmaf_read_pictures() or vmaf_picture_unref() returns it to the
 *              pool. The samples are 0 at first, later those of an earlier use.
 *
 * Threads: any, also during other calls on the context.
 * Source: spec abi 3.2.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or there is no pool
 *         - `-ENOMEM`
 */
int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/**
 * End a session. The call lets queued frames finish, then frees scores, features and pools. It does
 * not flush, and reports no error of the frames.
 *
 * @param vmaf  Context that no thread uses any more. Not NULL. It is gone after the call, also if
 *              that fails.
 *
 * Models and a CUDA state that were used with the context stay the client's. Pictures that the
 * client still holds stay valid until it releases them (device and pinned ones: see
 * libvmaf_cuda.h). The call does not wait for them.
 *
 * Source: spec abi 3.1, cuda 2.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `vmaf` is NULL
 *         - another errno: the CUDA driver failed to release something (the close is complete)
 */
int vmaf_close(VmafContext *vmaf);

/**
 * Write the scores that exist to a file, replacing it. You may call it at any time, and repeatedly.
 * Scores of a model are in the file if you asked for them before. Columns have their short names,
 * in the order in which a run without threads first writes them. Numbers have 6 decimals, or 16 if
 * the first 6 decimals are zeros and later ones are not. NaN and infinities are null in JSON.
 *
 * @param vmaf         Open context. Not NULL.
 * @param output_path  File to write. Not NULL.
 * @param fmt          VMAF_OUTPUT_FORMAT_XML to VMAF_OUTPUT_FORMAT_SUB.
 *
 * XML and JSON are well-formed for any names of models and imported scores. A byte that is not
 * UTF-8 becomes U+FFFD. JSON escapes control characters. XML escapes tab, line feed and carriage
 * return, and replaces other control characters by U+FFFD. In names of XML attributes, each
 * character other than letters, digits, `_`, `-` and `.` becomes `_`. If the first character is not
 * a letter, `_` is put before it. If the element has the name already, `_` is added to it.
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec abi 6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, the file cannot be opened (a line on stderr names it at
 *           every log level), or an unknown format (the file is then empty)
 *         - `-EIO`: writing failed
 *         - `-ENOMEM`
 */
int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/**
 * Version of the library.
 *
 * Threads: any.
 * Source: spec abi 3.1.
 *
 * @return Static text, never NULL: the API version, "+" and the library's own version, such as
 *         "3.2.0+1.0.0". For printing.
 */
const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_H */
