#ifndef VMAF_LIBVMAF_EXT_H
#define VMAF_LIBVMAF_EXT_H

/**
 * @file
 * Functions that this library adds to the interface of libvmaf 3. A program that uses them needs
 * this library: another libvmaf lacks this header and these functions.
 *
 * The head of libvmaf.h explains errors, threads, waiting and memory. Every build of the library
 * has all functions.
 *
 * The specification is docs/spec in the source tree: "spec cli 10.2" is section 10.2 of its cli.md.
 */

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lists of features and models */

/** The type of an option's values. */
enum VmafOptionType {
    VMAF_OPTION_BOOL = 0,   /**< "true" or "false" */
    VMAF_OPTION_INT = 1,    /**< an integer */
    VMAF_OPTION_DOUBLE = 2, /**< a number */
    VMAF_OPTION_TEXT = 3    /**< any text */
};

/**
 * What an option tells a feature about the videos, the display or the caller's files. A caller that
 * knows the fact sets every option with this role; it need not know the option's name. Later
 * versions append values.
 */
enum VmafOptionRole {
    VMAF_ROLE_NONE = 0,            /**< a parameter of the metric */
    VMAF_ROLE_FRAME_RATE = 1,      /**< frames per second of the clip */
    VMAF_ROLE_DISPLAY = 2,         /**< name of the display that the clip is watched on */
    VMAF_ROLE_MATRIX = 3,          /**< number of the YCbCr matrix and range of the samples; `help` lists the numbers */
    VMAF_ROLE_TRANSFER = 4,        /**< name of the transfer function of the samples */
    VMAF_ROLE_ENCODE_WIDTH = 5,    /**< width in samples at which the distorted clip was encoded */
    VMAF_ROLE_ENCODE_HEIGHT = 6,   /**< height in samples at which the distorted clip was encoded */
    VMAF_ROLE_ENCODE_DEPTH = 7,    /**< bits per sample of the encode */
    VMAF_ROLE_SOURCE_WIDTH = 8,    /**< width in samples at which the reference was made */
    VMAF_ROLE_SOURCE_HEIGHT = 9,   /**< height in samples at which the reference was made */
    VMAF_ROLE_DISPLAY_HEIGHT = 10, /**< height of the display in pixels */
    VMAF_ROLE_VIEW_DISTANCE = 11,  /**< distance from which the display is watched, in display heights */
    VMAF_ROLE_PIXELS_PER_DEGREE = 12, /**< pixels of the display in one degree of the viewer's sight */
    VMAF_ROLE_FOLDER = 13,            /**< path of a folder that the feature writes files to */
    VMAF_ROLE_PRIMARIES = 14          /**< name of the samples' colour primaries */
};

/** An option of a feature. Later versions append members. */
typedef struct VmafOptionInfo {
    const char *name;         /**< key for vmaf_feature_dictionary_set() */
    const char *alias;        /**< short name in the names of outputs; NULL: they use `name` */
    enum VmafOptionType type; /**< type of the values */
    double default_number;    /**< default of a number; of a bool 0 or 1. If out of range: not set by default */
    const char *default_text; /**< default of a text; else NULL */
    double least;             /**< smallest number allowed */
    double most;              /**< largest number allowed */
    int takes_nan;            /**< non-zero: "nan" is allowed too */
    int in_names;             /**< non-zero: a value other than the default goes into the names of outputs */
    enum VmafOptionRole role; /**< what the option tells the feature */
    const char *help;         /**< half a sentence in English */
} VmafOptionInfo;

/** Which values of an output stand for better quality. */
enum VmafDirection {
    VMAF_DIRECTION_NONE = 0,   /**< neither: the output measures content, or is part of a score */
    VMAF_DIRECTION_HIGHER = 1, /**< higher values */
    VMAF_DIRECTION_LOWER = 2   /**< lower values */
};

/** What a value of an output belongs to. */
enum VmafScope {
    VMAF_SCOPE_FRAME = 0, /**< a frame: one value for each */
    VMAF_SCOPE_CLIP = 1   /**< the whole clip: one value, known after the flush */
};

/** How the values of a clip follow from those of its segments. Later versions append values. */
enum VmafMerge {
    VMAF_MERGE_FRAMES = 0, /**< with vmaf_segment_overlap(), the segments' frames have the clip's values */
    VMAF_MERGE_SUMS = 1    /**< vmaf_append_segment() computes the clip's value from sums of the segments */
};

/** A score that a feature writes. Later versions append members. */
typedef struct VmafOutputInfo {
    const char *name;     /**< name for vmaf_feature_score_at_index() and models, with all options at defaults */
    const char *log_name; /**< name in score files; options append to it */
    const char *option;   /**< the bool option that switches the output on; NULL: always written */
    enum VmafDirection direction; /**< which values are better */
    const char *unit;             /**< "dB", "JOD"; "" if there is none */
    double least;                 /**< bound of the values with default options; -infinity: none */
    double most;                  /**< bound of the values with default options; infinity: none */
    enum VmafScope scope;         /**< what a value belongs to */
    enum VmafMerge merge;         /**< how segments' values are put together */
    int for_models;               /**< non-zero: models may use it. Options change no other output's name */
    const char *help;             /**< half a sentence in English */
} VmafOutputInfo;

/** Which signals a feature is made for: bits of VmafFeatureInfo.dynamic_range. */
enum VmafDynamicRange {
    VMAF_DYNAMIC_RANGE_SDR = 1, /**< standard dynamic range */
    VMAF_DYNAMIC_RANGE_HDR = 2  /**< high dynamic range, PQ or HLG */
};

/** A feature, for vmaf_use_feature(). Later versions append members. */
typedef struct VmafFeatureInfo {
    const char *name;                     /**< name for vmaf_use_feature() */
    const char *help;                     /**< half a sentence in English */
    const VmafOptionInfo *const *options; /**< the options; ends with NULL */
    const VmafOutputInfo *const *outputs; /**< every output it may write, for frames or the clip; ends with NULL */
    int reads_chroma;          /**< non-zero: with default options it reads chroma planes, if the pictures have any */
    const char *chroma_option; /**< the bool option that says whether it reads chroma; NULL: nothing changes that */
    int sees_every_frame;      /**< non-zero: VmafConfiguration.n_subsample does not make it skip frames */
    unsigned min_width_px;     /**< smallest width of a picture; options may demand more */
    unsigned min_height_px;    /**< smallest height of a picture; options may demand more */
    unsigned dynamic_range;    /**< signals that the scores are made for; 0: they compare code values of any signal */
    double gpu_tolerance;      /**< by how much a score on a GPU may differ from the CPU's; 0: equal to the last bit */
    const char
        *map; /**< what a value of vmaf_map_create()'s map is: half a sentence in English; NULL: there is no map */
} VmafFeatureInfo;

/**
 * List the features of this build. If several features write an output that a model needs, the
 * model uses the first one in this order.
 *
 * The structures and everything they point to are constant and live as long as the process.
 *
 * @param previous  What the last call returned. NULL: the list begins.
 *
 * Threads: any.
 * Source: spec abi 5.6.
 *
 * @return the feature after `previous`; NULL after the last one, and for a pointer that this
 *         function did not return.
 */
const VmafFeatureInfo *vmaf_feature_list(const VmafFeatureInfo *previous);

/** Kinds of devices that features have kernels for. */
enum VmafDeviceKind { VMAF_DEVICE_CUDA = 1, VMAF_DEVICE_VULKAN = 2 };

/**
 * Whether a feature has kernels for a kind of device in this build. With some options or formats it
 * may still run on the CPU.
 *
 * @param feature  From vmaf_feature_list(). Any other pointer: it has none.
 * @param kind     Any other value: it has none.
 *
 * Threads: any.
 * Source: spec abi 5.6.
 *
 * @return non-zero if it has.
 */
int vmaf_feature_runs_on(const VmafFeatureInfo *feature, enum VmafDeviceKind kind);

/** A built-in model or collection. Later versions append members. */
typedef struct VmafModelInfo {
    const char *version;                    /**< name for vmaf_model_load() or vmaf_model_collection_load() */
    const char *help;                       /**< what it is for: half a sentence in English */
    const VmafFeatureInfo *const *features; /**< the features that it needs, each once; ends with NULL */
    int is_collection;                      /**< non-zero: a collection, for vmaf_model_collection_load() */
    int reads_chroma;                       /**< non-zero: its features read chroma planes */
    int is_default;                         /**< non-zero: the model to use if the user names none; true of one model */
} VmafModelInfo;

/**
 * List the built-in models and collections.
 *
 * The structures and everything they point to are constant and live as long as the process.
 *
 * @param previous  What the last call returned. NULL: the list begins.
 *
 * Threads: any.
 * Source: spec models 2.1.
 *
 * @return the model after `previous`; NULL after the last one, and for a pointer that this function
 *         did not return.
 */
const VmafModelInfo *vmaf_model_list(const VmafModelInfo *previous);

/** Type of a Vulkan device, as its driver reports it. */
enum VmafVulkanDeviceType {
    VMAF_VULKAN_DEVICE_OTHER = 0,
    VMAF_VULKAN_DEVICE_INTEGRATED = 1, /**< a GPU that shares the processor's memory */
    VMAF_VULKAN_DEVICE_DISCRETE = 2,   /**< a GPU with memory of its own */
    VMAF_VULKAN_DEVICE_VIRTUAL = 3,    /**< a share of a GPU, in a virtual machine */
    VMAF_VULKAN_DEVICE_SOFTWARE = 4    /**< the processor */
};

/** A Vulkan device. Later versions append members. */
typedef struct VmafVulkanDeviceInfo {
    unsigned device;                /**< number for VmafVulkanConfiguration.device */
    const char *name;               /**< the driver's name for it */
    enum VmafVulkanDeviceType type; /**< what it is */
    const char *driver;             /**< the driver's name and version */
    uint64_t memory_bytes;          /**< size of its memory */
} VmafVulkanDeviceInfo;

/**
 * List the Vulkan devices of the machine, in the loader's order.
 *
 * The first call asks the drivers. The structures and all that they point to are constant and live
 * as long as the process. A listed device may lack functions that the library needs:
 * vmaf_vulkan_state_init() reports it.
 *
 * @param previous  What the last call returned. NULL: the list begins.
 *
 * Threads: any.
 * Source: spec vulkan 1.
 *
 * @return the device after `previous`; NULL after the last one, for a pointer that this function
 *         did not return, without a loader or driver, and in a build without Vulkan.
 */
const VmafVulkanDeviceInfo *vmaf_vulkan_device_list(const VmafVulkanDeviceInfo *previous);

/* Score files */

/**
 * Write the scores that exist to a file as vmaf_write_output() does, but with a number format that
 * you choose. It applies to scores of frames, pooled scores and aggregates, not to the rate in
 * frames per second.
 *
 * @param vmaf          Open context. Not NULL.
 * @param output_path   File to write. Not NULL.
 * @param fmt           VMAF_OUTPUT_FORMAT_XML to VMAF_OUTPUT_FORMAT_SUB.
 * @param score_format  NULL: as vmaf_write_output(). Otherwise one printf conversion of a double,
 *                      with no other text: %, flags (any of - + # 0 and blank), width, precision (a
 *                      point and digits), and one of e f g a E F G A. Width and precision are at
 *                      most 999. "%.17g" keeps every bit of a double. JSON has no such numbers, so
 *                      it does not allow the flags + # 0 and the conversions a and A. Needed during
 *                      the call only.
 *
 * The client's locale does not matter. NaN and infinities are written as by vmaf_write_output().
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec cli 10.2, abi 6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: an invalid score format (logged; no file is opened), or as
 *           vmaf_write_output()
 *         - `-EIO`: writing failed
 *         - `-ENOMEM`
 */
int vmaf_write_output_with_format(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt,
                                  const char *score_format);

/**
 * The contents of a context's score files as columns, without pooled scores: see
 * vmaf_score_columns_create(). A later version may append members.
 */
typedef struct VmafScoreColumns {
    unsigned frame_count;               /**< rows */
    unsigned metric_count;              /**< columns */
    unsigned aggregate_count;           /**< values of the whole clip */
    const unsigned *frames;             /**< [frame_count]: frame numbers, ascending */
    const char *const *metric_names;    /**< [metric_count]: in the order of score files */
    const double *const *metric_scores; /**< [metric_count][frame_count]: NaN where a frame has no score */
    const char *const *aggregate_names; /**< [aggregate_count] */
    const double *aggregates;           /**< [aggregate_count] */
} VmafScoreColumns;

/**
 * Copy all scores that exist out of a context, without writing a score file. The rows are the same
 * as in vmaf_write_output(): frames with any score, or with n_subsample N the multiples of N.
 * Scores of a model are included if you asked for them before.
 *
 * Names are the same as in score files. They are UTF-8 with a final 0; other bytes become U+FFFD.
 * Two columns can have one name: the client may have imported scores under the name that a feature
 * has in score files.
 *
 * @param vmaf     Open context. Not NULL.
 * @param columns  Set to a copy that the client owns and frees with vmaf_score_columns_destroy(),
 *                 also after vmaf_close(). Later scores of the context do not change it. Not NULL;
 *                 set to NULL on failure.
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec abi 4.2, 6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument
 *         - `-ENOMEM`
 */
int vmaf_score_columns_create(VmafContext *vmaf, VmafScoreColumns **columns);

/**
 * Free the columns.
 *
 * @param columns  Of vmaf_score_columns_create(). NULL does nothing.
 *
 * Threads: any.
 */
void vmaf_score_columns_destroy(VmafScoreColumns *columns);

/* One reference, many encodes */

/**
 * Score one frame in several sessions that have the same reference, such as several encodes of one
 * source. Each session gets the same scores as from vmaf_read_pictures() with a copy of the
 * reference, to the last bit.
 *
 * The reference is read, held and freed once. If sessions run on a device, a reference in host
 * memory is uploaded once. Features and models may differ. On the CPU, vif, adm and motion with
 * equal options are computed together, and what depends on the reference alone is computed once. A
 * worker thread of one context then also completes frames of the others. Contexts with worker
 * threads may have more frames in flight from their first shared read on: vmaf_frames_held() counts
 * them after it.
 *
 * @param vmaf   `count` open contexts, none NULL and none twice. Either none has imported a state,
 *               or all have imported states of one CUDA context: one state, or several of one
 *               device's primary context. Not NULL.
 * @param count  At least 1.
 * @param ref    Reference picture, filled, in a format and memory that all contexts accept. It may
 *               come from the pool of any of the contexts. If it is then in device or pinned
 *               memory, the memory lives until the last of the contexts is closed. On 0 the library
 *               owns it and zeroes the struct; on failure it stays the client's. NULL only for the
 *               flush.
 * @param dis    `count` distorted pictures, dis[i] for vmaf[i], none twice. A picture in device or
 *               pinned memory must come from that context's pool. On 0 the library owns them and
 *               zeroes the structs. On failure those that still have content stay the client's.
 *               NULL only for the flush.
 * @param index  As for vmaf_read_pictures(): the same for all contexts. Ignored by the flush.
 *
 * With both pictures NULL, the call flushes each context in order by vmaf_read_pictures(context,
 * NULL, NULL, 0), also if another one fails.
 *
 * Failure. Before work begins the call checks contexts, pictures, formats, an index whose scores
 * exist, features that refuse the pictures, memory, and uploads. If one of them fails, no context
 * has taken the frame, and all pictures stay the client's. After that a single context may still
 * fail: without worker threads in its computation, otherwise because memory is missing. The others
 * have then taken the frame, and the call returns the first error. Where a struct of `dis` still
 * has content, its context has not taken the frame, and you may pass the same frame to it again.
 * Each context reports failures of its queued work itself, as vmaf_read_pictures() does.
 *
 * Waits for each context as vmaf_read_pictures() does.
 * Threads: one at a time per context, in every context that is listed.
 * Source: spec device_pictures 4.
 *
 * @return 0, or the first error in the order of `vmaf`: as vmaf_read_pictures(), and `-EINVAL` for
 *         a `count` of 0, a context that is NULL or listed twice, a distorted picture listed twice,
 *         and contexts of different devices.
 */
int vmaf_read_pictures_shared(VmafContext *const *vmaf, unsigned count, VmafPicture *ref, VmafPicture *dis,
                              unsigned index);

/* Maps */

/**
 * A map shows where in a picture a feature sees a difference: one value for each place. A later
 * version may append members.
 */
typedef struct VmafMap {
    unsigned w, h;     /**< columns and rows; which places of the picture they are, docs/maps.md says of each feature */
    ptrdiff_t stride;  /**< bytes from one row to the next */
    const float *data; /**< first value of the first row */
    /**
     * Values to show as the first and the last colour of a palette. `dark` stands for no visible
     * loss, `bright` for much. Either may be the larger one. Values beyond both exist.
     */
    double dark, bright;
} VmafMap;

/**
 * Make the map of a feature for one picture pair, on the CPU. No context is needed.
 * VmafFeatureInfo.map says which features have a map.
 *
 * @param map      Set to a map that the client owns and frees with vmaf_map_destroy(). Not NULL;
 *                 set to NULL on failure.
 * @param feature  Name of a feature. Not NULL.
 * @param options  Its options, as for vmaf_use_feature(). NULL: the defaults. It stays the
 *                 client's. An option of VMAF_ROLE_FOLDER has no effect.
 * @param ref      Reference picture; vmaf_picture_wrap() may have made it. It stays the client's,
 *                 and is read during the call only. A picture in device memory is first copied to
 *                 host memory. The copy waits for the client's work in the stream that the picture
 *                 was wrapped with, or else in the default stream. Not NULL.
 * @param dis      Distorted picture of the same size, format and depth; the same holds for it.
 *
 * Threads: any; several calls may have the same pictures and dictionary.
 * Source: spec abi 10.
 *
 * @return 0, or an error:
 *         - `-EINVAL`, logged except for a NULL argument: a NULL argument, an unknown feature or a
 *           bad option, pictures that do not match or that the feature refuses, device memory that
 *           was freed with its context
 *         - `-ENOTSUP`: a feature without a map (logged)
 *         - `-ENOMEM`
 *         - `-ENODEV` or `-EIO`: the driver failed
 */
int vmaf_map_create(VmafMap **map, const char *feature, const VmafFeatureDictionary *options, const VmafPicture *ref,
                    const VmafPicture *dis);

/**
 * Free the map.
 *
 * @param map  Of vmaf_map_create(). NULL does nothing.
 *
 * Threads: any.
 */
void vmaf_map_destroy(VmafMap *map);

/* Messages */

/**
 * Send the library's messages to a function of the client instead of stderr, for a program's own
 * log. The function holds for the whole process, as the level does. VmafConfiguration.log_level
 * still sets the level.
 *
 * @param write   Called with `opaque` for each message of the level, VMAF_LOG_LEVEL_ERROR to
 *                VMAF_LOG_LEVEL_DEBUG. The text has at most 4095 bytes, without "libvmaf LEVEL" and
 *                newline. It is printable as on stderr, and valid during the call only. The library
 *                calls it on any thread, one call at a time. The function must not call the
 *                library, and must not wait for a thread that is in a call of the library. NULL:
 *                stderr again.
 * @param opaque  For `write`.
 *
 * When the call returns, the library no longer calls the function that was set before.
 *
 * Threads: any.
 * Source: spec abi 7.
 *
 * @return 0.
 */
int vmaf_set_log_callback(void (*write)(void *opaque, enum VmafLogLevel level, const char *message), void *opaque);

/* Several GPUs */

struct VmafCudaState; /* of libvmaf_cuda.h, which an installation without CUDA lacks */

/**
 * Make a CUDA state for the primary context of a device. vmaf_cuda_state_init() does the same for
 * device 0.
 *
 * One process may have states of several devices. A session uses the device of the state that it
 * imported. Scores do not depend on the device.
 *
 * @param cu_state  Set to the new handle, which the client owns and frees with
 *                  vmaf_cuda_state_free(); NULL on failure. Not NULL.
 * @param device    Number of the device, from 0 on, as the driver counts them in this process
 *                  (CUDA_VISIBLE_DEVICES).
 *
 * Threads: any. The calling thread's current CUDA context is the same afterwards as before.
 * Source: spec device_pictures 5, cuda 1, 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `cu_state` NULL, or there is no device of that number
 *         - `-ENODEV`: no driver, no device at all, or one too old for this build (one line at info
 *           level says which)
 *         - `-ENOMEM`
 *         - `-ENOSYS`: a build without CUDA or a driver that lacks a needed function
 *         - `-EIO`: any other failure of the driver
 */
int vmaf_cuda_state_init_device(struct VmafCudaState **cu_state, int device);

/* Clips in segments */

/**
 * How many frames around a segment of a clip a session must read too. The segment's own frames then
 * get the same scores as in the whole clip, to the last bit.
 *
 * Several sessions may score the segments of one clip, with the same features, models and options.
 * For the segment first..last, feed a session the frames first - before..last + after, as far as
 * the clip has them, in order and under the indices 0, 1, ... Then flush it. Index i of the session
 * is frame i + first - before of the clip, or frame i if the clip has fewer frames before first.
 * Ignore the scores of the frames before first and after last. Scores of models need no further
 * frames. With VmafConfiguration.n_subsample N, first must be a multiple of N; `before` is one too.
 *
 * Values of the whole clip, such as apsnr_y, are computed from all frames that the session read,
 * overlap included. vmaf_append_segment() merges the segments and also these values.
 *
 * @param vmaf    Open context with all its features registered, before or after its first frame.
 *                Not NULL.
 * @param before  Set to the number of frames before. Not NULL; untouched on failure.
 * @param after   Set to the number of frames after. Not NULL; untouched on failure.
 *
 * Today's features need at most 60 frames before and 2 after: cvvdp at 240 frames per second,
 * motion with a window of five frames.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument
 *         - `-ENOTSUP`: the scores of a registered feature depend on all earlier frames (this
 *           version has no such feature)
 */
int vmaf_segment_overlap(VmafContext *vmaf, unsigned *before, unsigned *after);

/**
 * Append the scores of a segment of a clip to those of the segments before it. The context
 * `segment` has read the segment with the overlap of vmaf_segment_overlap(). Call this function for
 * each segment in the clip's order, also for the first one, instead of vmaf_read_pictures(). Then
 * flush: vmaf_read_pictures(vmaf, NULL, NULL, 0). After that `vmaf` has the same scores as a
 * context that read the whole clip, to the last bit: scores of frames, pooled scores, predictions
 * of models and collections, values of the whole clip, score files. Only the frames per second of a
 * score file differ. They are the number of all frames, divided by the time from the first start of
 * a segment to the last end of one. (A segment starts with its first frame and ends with its last.)
 *
 * The call copies scores of features. Predictions of models are made again when you ask for them.
 * Scores that were imported into `segment` are not copied.
 *
 * @param vmaf     Open context that reads no pictures itself: it needs neither a CUDA state nor
 *                 threads. Its features are registered as in `segment`. Not flushed. Not NULL.
 * @param segment  Open context with the same n_subsample, features and options, registered in the
 *                 same order. It has read the segment under the indices 0, 1, ... and was flushed.
 *                 Its pictures have the same format as those of earlier segments. It stays the
 *                 client's, unchanged, and may be closed afterwards. Not NULL, not `vmaf`.
 * @param skip     Frames of `segment` before the segment: at least `before` of
 *                 vmaf_segment_overlap(), or all frames that the clip has there. With n_subsample N
 *                 they begin at a multiple of N.
 * @param count    Frames of the segment, at least 1. They become the next `count` frames of `vmaf`,
 *                 frames 0, 1, ... of the clip. The frames of `segment` after them are its overlap:
 *                 at least `after`, or as far as the clip goes. After the last segment there is
 *                 none.
 *
 * A range with a lost frame cannot be appended. The frames before the lost one can, if all frames
 * that they depend on were scored.
 *
 * Threads: one at a time per context, in both.
 * Source: spec device_pictures 6.
 *
 * @return 0, or an error. After an error no score of `vmaf` has changed. Each is logged except a
 *         NULL argument.
 *         - `-EINVAL`: an argument that is not as described above, a frame without scores, or one
 *           whose scores `vmaf` already has (imported)
 *         - `-ENOMEM`
 *         - the errno of a frame of the range that was lost
 */
int vmaf_append_segment(VmafContext *vmaf, VmafContext *segment, unsigned skip, unsigned count);

/**
 * Append the scores of one frame to a sample of a clip's frames. `segment` has read the frame and
 * those around it that vmaf_segment_overlap() asks for. It may have read several such runs of
 * frames, one after the other.
 *
 * Call this for each frame of the sample in the clip's order, then flush `vmaf`. It has the frames
 * as its frames 0, 1, ... with their scores in the whole clip. Pooled scores and values of the
 * whole clip are those of the sample.
 *
 * @param vmaf     As for vmaf_append_segment(); it takes frames of several segments. Not NULL.
 * @param segment  As for vmaf_append_segment(), with an n_subsample of 0 or 1. Not NULL.
 * @param index    The frame's index in `segment`.
 *
 * Threads: one at a time per context, in both.
 * Source: spec device_pictures 6.
 *
 * @return As vmaf_append_segment(), but the number of frames read before and after is not checked.
 */
int vmaf_append_sampled_frame(VmafContext *vmaf, VmafContext *segment, unsigned index);

/**
 * Save the scores of a segment as bytes. Another process, on this or another machine, appends them
 * with vmaf_append_saved_segment(). The result is the same as with vmaf_append_segment(), to the
 * last bit.
 *
 * The bytes hold the scores of features, the data for values of the whole clip, the features' names
 * and options, the pictures' format, the segment's place, and the time of its reading. Only the
 * same version of the library, on a machine of the same byte order, can read them. They hold
 * neither predictions of models nor imported scores.
 *
 * @param segment  As for vmaf_append_segment(). It stays the client's, unchanged. Not NULL.
 * @param skip     As for vmaf_append_segment().
 * @param count    As for vmaf_append_segment().
 * @param data     Set to the bytes, which the client owns and frees with vmaf_segment_free(), also
 *                 after vmaf_close(). You may copy them. Not NULL; set to NULL on failure.
 * @param bytes    Set to their number. Not NULL; set to 0 on failure.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0, or an error. Each is logged except a NULL argument.
 *         - `-EINVAL`: a NULL argument, a context that was not flushed, a range that it has not
 *           read, or a frame without scores
 *         - `-ENOMEM`
 *         - the errno of a frame of the range that was lost
 */
int vmaf_segment_save(VmafContext *segment, unsigned skip, unsigned count, void **data, size_t *bytes);

/**
 * Free the bytes.
 *
 * @param data  Of vmaf_segment_save(). NULL does nothing.
 *
 * Threads: any.
 */
void vmaf_segment_free(void *data);

/**
 * Append the scores of a saved segment, as vmaf_append_segment() appends those of a context. You
 * may mix both kinds of segments.
 *
 * The frames per second of a score file count from the first start of a segment to the last end of
 * one. For segments that other processes scored, these are times of the machines' wall clocks.
 *
 * @param vmaf   As for vmaf_append_segment(). Not NULL.
 * @param data   Bytes of vmaf_segment_save(), read during the call only. They need not be trusted:
 *               incomplete or other bytes are refused. Not NULL.
 * @param bytes  Their number.
 * @param count  Set to the number of frames that were appended, to 0 on failure. May be NULL.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0, or an error. After an error no score of `vmaf` has changed.
 *         - `-EINVAL`, each logged except a NULL argument: a NULL argument; bytes that are damaged,
 *           cut off, of another version of the library or of something else; or the reasons of
 *           vmaf_append_segment()
 *         - `-ENOMEM`
 */
int vmaf_append_saved_segment(VmafContext *vmaf, const void *data, size_t bytes, unsigned *count);

/* Pictures in the client's memory */

/** Which planes hold the samples of a foreign picture. */
enum VmafPlaneLayout {
    VMAF_PLANE_LAYOUT_PLANAR = 0,     /**< planes Y, Cb, Cr */
    VMAF_PLANE_LAYOUT_SEMI_PLANAR = 1 /**< plane 0 Y; plane 1 rows of pairs Cb, Cr. Not for VMAF_PIX_FMT_YUV400P */
};

/** Memory that the planes of a foreign picture lie in. */
enum VmafMemory {
    VMAF_MEMORY_HOST = 0,       /**< host memory, page-locked or not */
    VMAF_MEMORY_CUDA_DEVICE = 1 /**< memory of the CUDA context that the session's state has (libvmaf_cuda.h) */
};

/**
 * Planes in the client's memory, such as a decoder's frame. Set unused members to zero. Arrays have
 * one element for each plane in memory. A sample is 1 byte at 8 bits and 2 bytes in native order
 * above.
 *
 * NV12: bpc 8, shift 0, semi-planar; P010: bpc 10, shift 6, semi-planar; P012: 12 and 4; P016: 16
 * and 0.
 */
typedef struct VmafForeignPicture {
    size_t struct_size;           /**< sizeof(VmafForeignPicture): later versions append fields */
    enum VmafPixelFormat pix_fmt; /**< of the samples: VMAF_PIX_FMT_YUV420P for NV12 */
    unsigned bpc;                 /**< significant bits of a sample, 8..16 */
    /**
     * Number of low bits of each 16-bit sample that are unused and not read; bpc + shift <= 16. 6
     * for P010, 0 for planar pictures and NV12. 0 at 8 bits.
     */
    unsigned shift;
    unsigned w, h; /**< luma size of the planes in samples. Chroma sizes are rounded down as in every VmafPicture */
    enum VmafPlaneLayout layout; /**< which planes there are */
    enum VmafMemory memory;      /**< where they lie */
    /**
     * First sample of each plane: a host pointer or a CUdeviceptr value, a multiple of the sample
     * size. Ignored for a plane without samples.
     */
    void *data[3];
    /**
     * Bytes from one row to the next: at least a row's samples, and a multiple of the sample size.
     * In plane 1 of a semi-planar picture a row has pairs of samples. Ignored for a plane without
     * samples.
     */
    ptrdiff_t stride[3];
    /**
     * Device memory: a CUstream of the same context. The library reads the planes after all work
     * that was queued on it before vmaf_read_pictures(). Must live until `release` has run. NULL:
     * the default stream. Host memory: ignored.
     */
    void *stream;
    /**
     * Called once, with `opaque`, when the library no longer reads the planes. NULL: no call. See
     * vmaf_picture_wrap().
     */
    void (*release)(void *opaque);
    void *opaque; /**< for `release` */
    /**
     * Luma size in samples of the picture that is scored; chroma sizes are rounded down from it.
     * Both 0: `w` and `h`. Every plane whose size differs is scaled on its own grid, as "Scaling"
     * below says. No side of a plane may be over 1048576 samples, or shrink to less than a 1024th.
     * If struct_size ends before these fields, as in the first version of this header, they count
     * as 0.
     */
    unsigned scaled_w, scaled_h;
    /**
     * Bits of a sample that is scored, `bpc`..16: samples are shifted left by the difference,
     * before they are scaled. 0: `bpc`. If struct_size ends before this field, it counts as 0.
     */
    unsigned scored_bpc;
    unsigned reserved; /**< 0 */
} VmafForeignPicture;

/**
 * Make a picture from planes in the client's memory. The library reads a plane without a copy if it
 * is planar with shift 0, or luma with shift 0 in any layout, and has the depth that is scored.
 * Other planes are shifted and de-interleaved when a frame is scored, if a feature reads them.
 * Scores are the same as for planar pictures with the same samples, bit for bit. Rows that begin at
 * multiples of 16 bytes are read fastest.
 *
 * Depth. A picture with `scored_bpc` has that depth in every other call: you may pair it with any
 * picture of the depth. To score 8-bit video at 10 bits, you need no copy of your own.
 *
 * Scaling. A picture with `scaled_w` and `scaled_h` has that size in every other call: you may pair
 * it with any picture of the size. Its planes are scaled when a frame is scored. The filter is
 * bicubic (B = 0, C = 0.6), and wider by the ratio if a side shrinks. Sample x is at (x + 0.5) *
 * wrapped size / scored size - 0.5. Edges are repeated. Chroma is scaled on its own grid; its
 * siting is ignored. The arithmetic is in integers, so a CPU and a GPU make the same samples. In a
 * session on a GPU, planes in host memory are uploaded before they are scaled. Scores are the same
 * as for planar pictures with the scaled samples (vmaf_picture_scale() makes them), bit for bit.
 * libswscale scales differently: the specification says by how much.
 *
 * @param vmaf     Open context. Not NULL. You may pass a picture in host memory to any context, and
 *                 one in device memory to contexts whose state has the same CUDA context. Both may
 *                 alternate with pictures of pools and of vmaf_picture_alloc() in the same memory.
 * @param pic      Filled in. Not NULL; earlier contents are overwritten, not released. On 0 the
 *                 client owns one reference, until it passes it to vmaf_read_pictures() or
 *                 vmaf_picture_unref(). `data` and `stride` are those of `foreign` if all planes
 *                 are planar with shift 0 and have the size and depth that are scored. Otherwise
 *                 they are NULL and 0, because the samples have no planar view. The picture's sizes
 *                 and depth are those that are scored.
 * @param foreign  Copied. Not NULL.
 *
 * The planes must stay valid and unchanged from this call until `release` runs. `release` runs once
 * for each call that returned 0: after the last reference is gone, and the work that reads the
 * planes is done. It also runs if the picture is released unread, if a frame fails, and if the
 * context is closed. For each picture that was read, it runs before vmaf_close() returns. If this
 * call fails, it does not run.
 *
 * `release` runs on any thread, in any call that takes `vmaf`, or in vmaf_picture_unref(). The
 * library then holds no lock. `release` must not call the library with a context that the picture
 * was passed to. It must not wait for a thread that is in a call of the library. vmaf_frames_held()
 * says how many pictures the library holds at once.
 *
 * Threads: any, also during other calls on the context.
 * Source: spec device_pictures 2, 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`, each logged except a NULL argument:
 *           - a NULL argument
 *           - a struct_size, or fields at its end, that this version does not know
 *           - an unknown format, layout or memory
 *           - bpc or scored_bpc out of range; a shift at 8 bits or with bpc + shift > 16
 *           - semi-planar 4:0:0
 *           - a plane that is NULL, has a stride shorter than a row, or ends beyond all addresses
 *           - 16-bit samples at odd addresses or strides
 *           - only one of `scaled_w` and `scaled_h` 0
 *           - a plane to be scaled beyond the limits, or one to be scaled that has no samples
 *           - device memory that the driver knows to belong to another context
 *         - `-ENOSYS`: device memory in a build without CUDA or a context without a state
 *         - `-ENOMEM`: no memory, or too little for the scaled picture
 *         - `-ENODEV` or `-EIO`: the driver failed
 */
int vmaf_picture_wrap(VmafContext *vmaf, VmafPicture *pic, const VmafForeignPicture *foreign);

/**
 * Make an ordinary picture with copies of planes. Its samples are those that vmaf_picture_wrap()
 * would score for the same struct: shifted down, de-interleaved and scaled. Use it if you need the
 * samples, or change them before they are scored.
 *
 * @param pic      Filled in as by vmaf_picture_alloc(), in the size that is scored. Not NULL;
 *                 earlier contents are overwritten, not released. The client owns one reference.
 * @param foreign  Planes in host memory, read during the call only: `stream`, `release` and
 *                 `opaque` are ignored. Not NULL.
 *
 * Threads: any.
 * Source: spec device_pictures 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: planes in device memory (logged), and as vmaf_picture_wrap()
 *         - `-ENOMEM`
 */
int vmaf_picture_scale(VmafPicture *pic, const VmafForeignPicture *foreign);

/**
 * How many pictures does a client need that reads one pair after the other and reuses the memory of
 * released pictures? The number counts pictures in flight, pictures that later frames are compared
 * with, and the next one. With this number one picture is always free when vmaf_read_pictures() has
 * returned. (If another thread waits for scores at that time, its call may release the picture a
 * moment later.) With fewer pictures, a client of a GPU must not wait for a release: pictures are
 * released inside calls that take the context.
 *
 * @param vmaf  Open context with all its features registered and its state imported: both change
 *              the number. Not NULL.
 * @param ref   Set to the number of reference pictures. Not NULL.
 * @param dis   Set to the number of distorted pictures. Not NULL.
 *
 * Threads: as vmaf_read_pictures().
 * Source: spec device_pictures 2.
 *
 * @return 0, or `-EINVAL`: a NULL argument.
 */
int vmaf_frames_held(VmafContext *vmaf, unsigned *ref, unsigned *dis);

/* Small luma of pictures on a GPU */

/** How luma is cut into boxes. Passed by value: it keeps its members. */
typedef struct VmafLumaGrid {
    /** Boxes in a row, at least 1. Box i begins at column i * width / columns, rounded down. */
    unsigned columns;
    /** Rows of boxes, at least 1, cut in the same way. columns * rows is at most 65536. */
    unsigned rows;
    /** Distance of the lines that count, from the first line of each box; at least 1. */
    unsigned line_step;
} VmafLumaGrid;

/** Sums over boxes of pictures' luma, and of their chroma if asked for, made on a GPU. */
typedef struct VmafLumaBoxes VmafLumaBoxes;

/**
 * Prepare for sums over boxes. These make small pictures of frames in a GPU's memory, without a
 * copy of the frames to the host.
 *
 * @param boxes  Set to a new object, or to NULL on failure. Not NULL. The client owns it and
 *               destroys it before vmaf_close() of the last context that has the same device state.
 * @param vmaf   Open context with a device state. Not NULL. It is used in this call only.
 * @param grid   How each plane is cut into boxes, for planes of any size.
 * @param slots  Number of planes whose sums are kept at once, 1..1024.
 *
 * The GPU may finish all queued work of the CUDA context before this call returns.
 *
 * Threads: any, also during other calls on the context.
 * Source: spec device_pictures 7.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or a grid or number that is out of range
 *         - `-ENOSYS`: a build without CUDA, or a context without a state
 *         - `-ENOMEM`
 *         - `-EIO`: the driver failed
 */
int vmaf_luma_boxes_create(VmafLumaBoxes **boxes, VmafContext *vmaf, VmafLumaGrid grid, unsigned slots);

/**
 * Queue the sums of a plane of a picture and return without waiting for them. The work is queued on
 * the stream that the picture was wrapped with. vmaf_read_pictures() of that picture and the
 * client's `release` come after it, also if the picture is released unread. The call may wait for
 * the GPU at the first picture that is scaled, and at the first of a larger size.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). Not NULL.
 * @param pic    Picture of vmaf_picture_wrap() in device memory of the CUDA context that `boxes`
 *               was made for. It was not yet read or released. Not NULL. It stays the client's. A
 *               scaled picture is summed in the size that is scored, and scaled once more for that.
 * @param plane  0: luma, 1: Cb, 2: Cr. One that the picture has.
 * @param slot   Number of the slot for the sums, from 0 on. Earlier sums in it are lost. If they
 *               are not ready yet, the call waits for them.
 *
 * Threads: one at a time per object. The calling thread's CUDA context is unchanged.
 * Source: spec device_pictures 7.
 *
 * @return 0, or an error. After an error the slot is empty and nothing reads the picture.
 *         - `-EINVAL`: a NULL argument or a slot out of range. Logged: a picture other than
 *           described, a plane that it lacks, or boxes that are too large. A sum can hold (2^32 -
 *           1) / (2^bpc - 1) samples of the lines that count
 *         - `-ENOMEM`
 *         - `-EIO`: the driver failed
 */
int vmaf_luma_boxes_add(VmafLumaBoxes *boxes, const VmafPicture *pic, unsigned plane, unsigned slot);

/**
 * Wait for the sums of a slot and copy them. They stay in the slot.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). Not NULL.
 * @param slot   Number of a slot with a picture.
 * @param sums   Filled with columns * rows sums of samples, rows of boxes from top to bottom. The
 *               samples are those that are scored, in the picture's depth. A box without a line or
 *               column has the sum 0. Not NULL.
 *
 * Threads: one at a time per object. The calling thread's CUDA context is unchanged.
 * Source: spec device_pictures 7.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument or an empty slot
 *         - `-EIO`: the driver failed
 */
int vmaf_luma_boxes_read(VmafLumaBoxes *boxes, unsigned slot, uint32_t *sums);

/**
 * Wait for queued work and free the object. It does not matter if pictures that were added still
 * live.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). NULL does nothing. It is freed also on failure.
 *
 * Threads: one at a time per object.
 * Source: spec device_pictures 7.
 *
 * @return 0, or `-EIO`: the driver failed to release something (logged).
 */
int vmaf_luma_boxes_destroy(VmafLumaBoxes *boxes);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_EXT_H */
