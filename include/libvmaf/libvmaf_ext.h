#ifndef VMAF_LIBVMAF_EXT_H
#define VMAF_LIBVMAF_EXT_H

/**
 * @file
 * What this library adds to the interface of libvmaf 3. A program that uses it needs this library:
 * another libvmaf has neither this header nor these functions.
 *
 * Errors, threads, waiting and memory are as libvmaf.h says at its head. Every build of the library
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
 * knows the fact sets the option, whatever its name is. Later versions append values.
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
    const char *alias;        /**< short name in the names of outputs; NULL: `name` stands there */
    enum VmafOptionType type; /**< type of the values */
    double default_number; /**< default of a number; of a bool 0 or 1. Outside of the range: not set, cannot be given */
    const char *default_text; /**< default of a text; else NULL */
    double least;             /**< smallest number that is taken */
    double most;              /**< largest number that is taken */
    int takes_nan;            /**< non-zero: "nan" is taken too */
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
    VMAF_MERGE_FRAMES =
        0,              /**< the values of the segments' frames are those of the clip, given vmaf_segment_overlap() */
    VMAF_MERGE_SUMS = 1 /**< segments' values do not tell it: vmaf_append_segment() computes it from their sums */
};

/** A score that a feature writes. Later versions append members. */
typedef struct VmafOutputInfo {
    const char *name;     /**< name for vmaf_feature_score_at_index() and models, with all options at defaults */
    const char *log_name; /**< name in score files; options append to it */
    const char *option;   /**< the bool option without which the output is not written; NULL: none */
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

/** A feature: what vmaf_use_feature() takes. Later versions append members. */
typedef struct VmafFeatureInfo {
    const char *name;                     /**< name for vmaf_use_feature() */
    const char *help;                     /**< half a sentence in English */
    const VmafOptionInfo *const *options; /**< the options; ends with NULL */
    const VmafOutputInfo *const *outputs; /**< whatever it may write, frame by frame or for the clip; ends with NULL */
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
 * List the features that this build has, in the order in which the outputs that models need are
 * looked up.
 *
 * The structures and all that they point to are constant and live as long as the process.
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
 * Whether a feature has kernels for a kind of device in this build. With some options, and of some
 * formats, it may run on the CPU nevertheless.
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

/** A built-in model or collection: what vmaf_model_load() takes. Later versions append members. */
typedef struct VmafModelInfo {
    const char *version;                    /**< name for vmaf_model_load() or vmaf_model_collection_load() */
    const char *help;                       /**< what it is for: half a sentence in English */
    const VmafFeatureInfo *const *features; /**< the features that it needs, each once; ends with NULL */
    int is_collection;                      /**< non-zero: a collection, for vmaf_model_collection_load() */
    int reads_chroma;                       /**< non-zero: its features read chroma planes */
    int is_default;                         /**< non-zero: the one to take for whoever names none; true of one model */
} VmafModelInfo;

/**
 * List the built-in models and collections.
 *
 * The structures and all that they point to are constant and live as long as the process.
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

/** What a Vulkan driver says that a device is. */
enum VmafVulkanDeviceType {
    VMAF_VULKAN_DEVICE_OTHER = 0,
    VMAF_VULKAN_DEVICE_INTEGRATED = 1, /**< a GPU that shares the processor's memory */
    VMAF_VULKAN_DEVICE_DISCRETE = 2,   /**< a GPU with memory of its own */
    VMAF_VULKAN_DEVICE_VIRTUAL = 3,    /**< a share of a GPU, in a virtual machine */
    VMAF_VULKAN_DEVICE_SOFTWARE = 4    /**< the processor */
};

/** A device that vmaf_vulkan_state_init() takes by its number. Later versions append members. */
typedef struct VmafVulkanDeviceInfo {
    unsigned device;                /**< number for VmafVulkanConfiguration.device */
    const char *name;               /**< as the driver says it */
    enum VmafVulkanDeviceType type; /**< what it is */
    const char *driver;             /**< the driver's name and version */
    uint64_t memory_bytes;          /**< size of its memory */
} VmafVulkanDeviceInfo;

/**
 * List the Vulkan devices of the machine, in the loader's order.
 *
 * The first call asks the drivers. The structures and all that they point to are constant and live
 * as long as the process. A listed device may lack what the library needs:
 * vmaf_vulkan_state_init() says so.
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
 * Write the scores that exist to a file as vmaf_write_output() does, with numbers in a format of
 * the client's. It holds for every score of a frame, pooled score and aggregate; the rate in frames
 * per second stays as it is.
 *
 * @param vmaf          Open context. Not NULL.
 * @param output_path   File to write. Not NULL.
 * @param fmt           VMAF_OUTPUT_FORMAT_XML to VMAF_OUTPUT_FORMAT_SUB.
 * @param score_format  NULL: as vmaf_write_output(). Else one printf conversion of a double with
 *                      nothing before or behind it: %, flags (any of - + # 0 and blank), width,
 *                      precision (a point and digits; width and precision at most 999), and one of
 *                      e f g a E F G A. "%.17g" gives each double back when it is read. For JSON,
 *                      which has no such numbers, no flags + # 0 and neither a nor A. Needed during
 *                      the call only.
 *
 * The client's locale does not matter. NaN and infinities are written as by vmaf_write_output().
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec cli 10.2, abi 6.
 *
 * @return 0; -EINVAL a score format that is none (logged; no file is opened), or as
 *         vmaf_write_output(); -EIO writing failed; -ENOMEM.
 */
int vmaf_write_output_with_format(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt,
                                  const char *score_format);

/**
 * What a context's score files hold but for pooled scores, as columns: see
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
 * Take the scores that exist out of a context, all at once and without the text of a score file.
 * The rows are those of vmaf_write_output(): frames with any score, with n_subsample N the
 * multiples of N. Scores of a model are among them once they were asked for.
 *
 * Names are those of score files, UTF-8 (bytes that are none become U+FFFD), and end with a 0. Two
 * columns may have one name if the client imported scores under the name that a feature's have in
 * files.
 *
 * @param vmaf     Open context. Not NULL.
 * @param columns  Set to scores of the client's own, which it frees by
 *                 vmaf_score_columns_destroy(), also after vmaf_close(). They do not follow the
 *                 context. Not NULL; set to NULL on failure.
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec abi 4.2, 6.
 *
 * @return 0; -EINVAL a NULL argument; -ENOMEM.
 */
int vmaf_score_columns_create(VmafContext *vmaf, VmafScoreColumns **columns);

/**
 * Free them.
 *
 * @param columns  Of vmaf_score_columns_create(). NULL does nothing.
 *
 * Threads: any.
 */
void vmaf_score_columns_destroy(VmafScoreColumns *columns);

/* One reference, many encodes */

/**
 * Score one frame of several sessions that have the same reference: one source, several encodes of
 * it, say. The scores of each session are those of vmaf_read_pictures() with a copy of the
 * reference, to the last bit.
 *
 * The reference is read, held and freed once. On a device a reference in host memory is uploaded
 * once. Features and models may differ. What a feature computes of the reference alone it computes
 * for each session.
 *
 * @param vmaf   `count` open contexts, none NULL and none twice. All have imported states of one
 *               CUDA context (one state, or several of one device's primary context), or none has.
 *               Not NULL.
 * @param count  At least 1.
 * @param ref    Reference picture, whole and filled, in a format and memory that all contexts take.
 *               One that was fetched from the pool of any of the contexts may be given, also one in
 *               device or pinned memory, which then stays until the last of them is closed. On 0
 *               the library owns it and zeroes the struct; on failure it stays the client's. Not
 *               NULL, but for the flush.
 * @param dis    `count` distorted pictures, dis[i] for vmaf[i], none twice: fetched from that
 *               context's pool if they are in device or pinned memory. On 0 the library owns them
 *               and zeroes the structs. On failure those that still have content stay the client's.
 *               Not NULL, but for the flush.
 * @param index  As for vmaf_read_pictures(): the same for all contexts. Ignored by the flush.
 *
 * Both pictures NULL: vmaf_read_pictures(context, NULL, NULL, 0) for each context in order,
 * whatever the others answer.
 *
 * Failure. All or nothing for what can fail before work begins: contexts, pictures, formats, an
 * index whose scores exist, features that refuse the pictures, memory, uploads. Then no context has
 * taken the frame, and all pictures are the client's. Later a context may fail alone: without
 * worker threads its computation, else want of memory. The others have taken the frame; the first
 * error is returned, and the structs of `dis` say whose picture was not taken: those contexts can
 * be given the same frame again. Failures of queued work are each context's own, as
 * vmaf_read_pictures() says.
 *
 * Waits for each context as vmaf_read_pictures() does.
 * Threads: one at a time per context, in every context that is listed.
 * Source: spec device_pictures 4.
 *
 * @return 0, or the first error, in the order of `vmaf`: as vmaf_read_pictures(); -EINVAL besides:
 *         `count` 0, a context NULL or listed twice, a distorted picture listed twice, contexts of
 *         different devices.
 */
int vmaf_read_pictures_shared(VmafContext *const *vmaf, unsigned count, VmafPicture *ref, VmafPicture *dis,
                              unsigned index);

/* Maps */

/**
 * Where in a picture a feature sees how much of a difference: one value for each place. A later
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
 * Make the map of a feature of one picture pair, on the CPU, with no context. VmafFeatureInfo.map
 * says which features have one. The scores of contexts cost what they cost without this call.
 *
 * @param map      Set to a map of the client's own, which it frees by vmaf_map_destroy(). Not NULL;
 *                 set to NULL on failure.
 * @param feature  Name of a feature. Not NULL.
 * @param options  Its options, as for vmaf_use_feature(). NULL: the defaults. It stays the
 *                 client's. An option of VMAF_ROLE_FOLDER has no effect.
 * @param ref      Reference picture; of vmaf_picture_wrap() too. It stays the client's, and is read
 *                 during the call only. One in device memory is copied to host memory first, after
 *                 the client's work in the stream that it was wrapped with, or else in the default
 *                 stream. Not NULL.
 * @param dis      Distorted picture of the same size, format and depth. Likewise.
 *
 * Threads: any; several calls may have the same pictures and dictionary.
 * Source: spec abi 10.
 *
 * @return 0; -EINVAL a NULL argument, an unknown feature, a bad option, pictures that do not match
 *         or that the feature refuses, or device memory that went with its context; -ENOTSUP a
 *         feature without a map (each but NULL logged); -ENOMEM; -ENODEV or -EIO the driver failed.
 */
int vmaf_map_create(VmafMap **map, const char *feature, const VmafFeatureDictionary *options, const VmafPicture *ref,
                    const VmafPicture *dis);

/**
 * Free it.
 *
 * @param map  Of vmaf_map_create(). NULL does nothing.
 *
 * Threads: any.
 */
void vmaf_map_destroy(VmafMap *map);

/* Messages */

/**
 * Hand the library's messages to a function of the client's instead of stderr: to a program's own
 * log. Of the whole process, like the level, which VmafConfiguration.log_level sets as ever.
 *
 * @param write   Called with `opaque` for each message that the level lets through:
 *                VMAF_LOG_LEVEL_ERROR to VMAF_LOG_LEVEL_DEBUG, and a text of at most 4095 bytes
 *                without "libvmaf LEVEL" and newline, printable as on stderr, which is valid during
 *                the call. On any thread, one call at a time. It must call neither the library nor
 *                wait for a thread that is in a call of the library. NULL: stderr again.
 * @param opaque  For `write`.
 *
 * When the call returns, the function that was set before is not running and will not be called
 * again.
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
 * Make a CUDA state of the primary context of a device, as vmaf_cuda_state_init() does of device 0.
 *
 * States of different devices live side by side in one process; a session uses the device of the
 * state that it imported, and scores do not depend on which that is.
 *
 * @param cu_state  Set to the new handle, which the client owns and frees with
 *                  vmaf_cuda_state_free(); NULL on failure. Not NULL.
 * @param device    Number of the device, from 0 on, as the driver counts them in this process
 *                  (CUDA_VISIBLE_DEVICES).
 *
 * Threads: any. The calling thread's current CUDA context is the same afterwards as before.
 * Source: spec device_pictures 5, cuda 1, 3.
 *
 * @return 0; -EINVAL `cu_state` NULL, or there is no device of that number; -ENODEV no driver, no
 *         device at all, or one too old for this build (one line at info level says which);
 *         -ENOMEM; -ENOSYS a build without CUDA or a driver that lacks a needed function; -EIO any
 *         other failure of the driver.
 */
int vmaf_cuda_state_init_device(struct VmafCudaState **cu_state, int device);

/* Clips in segments */

/**
 * How many frames around a segment of a clip must be read too. Then the segment's own frames get
 * the whole clip's scores, to the last bit.
 *
 * Sessions may score the segments of a clip, each session one of them with the same features,
 * models and options. For the segment first..last a session reads the frames first - before..last +
 * after, as far as the clip has them, in order and under the indices 0, 1, ... Then it is flushed.
 * Index i of the session is frame i + first - before of the clip, or frame i if the clip has fewer
 * frames before first. Throw away the scores of the frames before first and after last. Model
 * scores are predicted frame by frame and need no more. With VmafConfiguration.n_subsample N, first
 * is a multiple of N, and so is `before`.
 *
 * Values of the whole clip (apsnr_y and its like) are those of what the session read, overlap
 * included. vmaf_append_segment() merges the segments, these values too.
 *
 * @param vmaf    Open context, with the features that count registered; before or after its first
 *                frame. Not NULL.
 * @param before  Set to the number of frames before. Not NULL; untouched on failure.
 * @param after   Set to the number of frames after. Not NULL; untouched on failure.
 *
 * Today's features need at most 60 frames before and 2 after: cvvdp at 240 frames per second,
 * motion with a window of five frames.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0; -EINVAL a NULL argument; -ENOTSUP a feature is registered whose scores depend on all
 *         earlier frames (this version has none).
 */
int vmaf_segment_overlap(VmafContext *vmaf, unsigned *before, unsigned *after);

/**
 * Append the scores of a segment of a clip to those of the segments before it. A context of its own
 * has read the segment, with the overlap of vmaf_segment_overlap(). Call this for each segment in
 * the clip's order, the first one too, instead of vmaf_read_pictures(). Then flush:
 * vmaf_read_pictures(vmaf, NULL, NULL, 0). After that `vmaf` is like one context that read the
 * whole clip, to the last bit: scores of frames, pooled scores, predictions of models and
 * collections, values of the whole clip (apsnr_y and its like), score files. Only the frames per
 * second of a score file differ: they are all frames over the time from the first start of a
 * segment to the last end of one. (The time of a segment is that from the start of its first frame
 * to the end of its last.)
 *
 * The scores of features are taken over. Predictions are made again when they are asked for. Scores
 * that were imported into `segment` stay there.
 *
 * @param vmaf     Open context that reads no pictures itself: it needs neither a CUDA state nor
 *                 threads. Its features are registered as in `segment`. Not flushed. Not NULL.
 * @param segment  Open context of the same n_subsample, features and options, registered in the
 *                 same order, which has read the segment under the indices 0, 1, ... and was
 *                 flushed. Its pictures have the format of those before. It stays the client's,
 *                 unchanged, and may be closed afterwards. Not NULL, not `vmaf`.
 * @param skip     Frames of `segment` before the segment: at least `before` of
 *                 vmaf_segment_overlap(), or all frames that the clip has there. With n_subsample N
 *                 they begin at a multiple of N.
 * @param count    Frames of the segment, at least 1. They become the next `count` frames of `vmaf`,
 *                 frames 0, 1, ... of the clip. The frames of `segment` after them are its overlap:
 *                 at least `after`, or as far as the clip goes. After the last segment there is
 *                 none.
 *
 * A range in which a frame was lost cannot be appended; the frames before it can, if what they look
 * at is there.
 *
 * Threads: one at a time per context, in both.
 * Source: spec device_pictures 6.
 *
 * @return 0; on failure no score of `vmaf` has changed: -EINVAL an argument that is not as said
 *         above, a frame without scores, or one whose scores `vmaf` has already (imported);
 *         -ENOMEM; and if a frame of the range was lost, why (each but NULL logged).
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
 * @return 0; on failure no score of `vmaf` has changed: as vmaf_append_segment(), but the number of
 *         frames read before and after is not checked.
 */
int vmaf_append_sampled_frame(VmafContext *vmaf, VmafContext *segment, unsigned index);

/**
 * Save the scores of a segment as bytes. Another process, on this machine or another one, appends
 * them by vmaf_append_saved_segment(): the scores are those that vmaf_append_segment() gives, to
 * the last bit.
 *
 * The bytes hold the scores of features, what values of the whole clip need, the features' names
 * and options, the pictures' format, the segment's place and the time of its reading. They are for
 * the version of the library that saved them and for machines of its byte order. They hold neither
 * predictions of models nor imported scores.
 *
 * @param segment  As for vmaf_append_segment(). It stays the client's, unchanged. Not NULL.
 * @param skip     As for vmaf_append_segment().
 * @param count    As for vmaf_append_segment().
 * @param data     Set to the bytes, which the client owns and frees by vmaf_segment_free(), also
 *                 after vmaf_close(). They may be copied. Not NULL; set to NULL on failure.
 * @param bytes    Set to their number. Not NULL; set to 0 on failure.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0; -EINVAL a NULL argument, a context that was not flushed, a range that it has not read,
 *         or a frame without scores; -ENOMEM; and if a frame of the range was lost, why (each but
 *         NULL logged).
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
 * Append the scores of a segment that was saved, as vmaf_append_segment() appends those of a
 * context. Segments of both kinds may follow each other.
 *
 * The frames per second of a score file count from the first start of a segment to the last end of
 * one. Of segments that other processes scored these are times of the machines' wall clocks.
 *
 * @param vmaf   As for vmaf_append_segment(). Not NULL.
 * @param data   Bytes of vmaf_segment_save(), read during the call only. They may come from
 *               anywhere: bytes that are not whole, or are something else, are refused. Not NULL.
 * @param bytes  Their number.
 * @param count  Set to the number of frames that were appended, to 0 on failure. May be NULL.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0; on failure no score of `vmaf` has changed: -EINVAL a NULL argument, bytes that are
 *         damaged, cut off, of another version of the library or of something else, or what
 *         vmaf_append_segment() refuses (each but NULL logged); -ENOMEM.
 */
int vmaf_append_saved_segment(VmafContext *vmaf, const void *data, size_t bytes, unsigned *count);

/* Pictures of foreign planes */

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
 * Planes that a client lends: a decoder's frame, say. All zero but for what is set; arrays go by
 * plane as it lies in memory. A sample is 1 byte at 8 bits and 2 bytes in native order above.
 *
 * NV12: bpc 8, shift 0, semi-planar; P010: bpc 10, shift 6, semi-planar; P012: 12 and 4; P016: 16
 * and 0.
 */
typedef struct VmafForeignPicture {
    size_t struct_size;           /**< sizeof(VmafForeignPicture): later versions append fields */
    enum VmafPixelFormat pix_fmt; /**< of the samples: VMAF_PIX_FMT_YUV420P for NV12 */
    unsigned bpc;                 /**< significant bits of a sample, 8..16 */
    /**
     * Low bits of each 16-bit sample that are not used and not looked at, bpc + shift <= 16: 6 for
     * P010, 0 for planar pictures and NV12. 0 at 8 bits.
     */
    unsigned shift;
    unsigned w, h; /**< luma size in samples of what is lent. Chroma sizes are rounded down as in every VmafPicture */
    enum VmafPlaneLayout layout; /**< which planes there are */
    enum VmafMemory memory;      /**< where they lie */
    /**
     * First sample of each plane, a host pointer or a CUdeviceptr value; at a multiple of the
     * sample size. Ignored for a plane without samples.
     */
    void *data[3];
    /**
     * Bytes from one row to the next: at least a row's samples (of plane 1 of a semi-planar picture
     * its pairs), and a multiple of the sample size. Ignored for a plane without samples.
     */
    ptrdiff_t stride[3];
    /**
     * Device memory: a CUstream of the same context. Work queued on it before vmaf_read_pictures()
     * comes before the library's reading. Must live until `release` has run. NULL: the default
     * stream. Host memory: ignored.
     */
    void *stream;
    /**
     * Called once, with `opaque`, when the library will not read the planes again; NULL: nobody is
     * told. See vmaf_picture_wrap().
     */
    void (*release)(void *opaque);
    void *opaque; /**< for `release` */
    /**
     * Luma size in samples of the picture that is scored; chroma sizes are rounded down from it.
     * Both 0: `w` and `h`. Every plane whose size differs is scaled on its own grid, as "Scaling"
     * below says. No side of a plane may be over 1048576 samples, or shrink to less than a 1024th.
     * A struct_size that ends before these fields, as the first version of this header had it,
     * stands for 0.
     */
    unsigned scaled_w, scaled_h;
    /**
     * Bits of a sample that is scored, `bpc`..16: samples are shifted left by the difference,
     * before they are scaled. 0: `bpc`. A struct_size that ends before this field stands for 0.
     */
    unsigned scored_bpc;
    unsigned reserved; /**< 0 */
} VmafForeignPicture;

/**
 * Make a picture of planes that the client lends. No sample is copied where the planes are as
 * pictures have them: planar with shift 0, and luma with shift 0 in any layout, of the depth that
 * is scored. Other planes are normalised when a frame is scored, only those that some feature
 * reads: shifted, de-interleaved. Scores are those of planar pictures with the same samples, bit
 * for bit. Rows that begin at multiples of 16 bytes are read fastest.
 *
 * Depth. A picture with `scored_bpc` has that depth to every other call: it may be paired with any
 * picture of the depth. Measuring 8-bit video at 10 bits takes no copy of the client's.
 *
 * Scaling. A picture with `scaled_w` and `scaled_h` is one of that size to every other call: it may
 * be paired with any picture of the size. Its planes are made when a frame is scored, in the same
 * step: bicubic (B = 0, C = 0.6), wider by the ratio where it shrinks, sample x at (x + 0.5) * lent
 * size / scored size - 0.5, edges repeated, chroma on its own grid whatever its siting; in
 * integers, so that a CPU and a GPU give the same samples. Planes in host memory of a session on a
 * GPU go over the bus in the size that they have. Scores are those of planar pictures with the
 * scaled samples (vmaf_picture_scale() makes them), bit for bit. This is not libswscale's scaler:
 * the specification says by how much they differ.
 *
 * @param vmaf     Open context. Not NULL. A picture in host memory may be given to any context, one
 *                 in device memory to those whose state has the same CUDA context; both may
 *                 alternate with pictures of pools and of vmaf_picture_alloc() in the same memory.
 * @param pic      Filled in. Not NULL; what it held is overwritten, not released. On 0 the client
 *                 owns one reference, which it gives to vmaf_read_pictures() or to
 *                 vmaf_picture_unref(). `data` and `stride` are what was given if all planes are
 *                 planar with shift 0 and of the size and depth that are scored; else NULL and 0,
 *                 since the samples have no planar view. Its sizes and depth are those that are
 *                 scored.
 * @param foreign  Copied. Not NULL.
 *
 * The planes are lent from this call until `release` runs, and are valid and unchanged until then.
 * `release` runs once for each call that returned 0: after the last reference is gone and work that
 * reads the planes is done. So it runs also when the picture is given up unread, when a frame
 * fails, and when the context is closed: for each picture that was read, at the latest before
 * vmaf_close() returns. After a failure of this call it does not run.
 *
 * `release` runs on any thread, in any call that takes `vmaf`, or in vmaf_picture_unref(); never
 * under a lock of the library. It must not call the library with a context that the picture was
 * given to, and must not wait for a thread that is in a call of the library. vmaf_frames_held()
 * says how many pictures are lent at once.
 *
 * Threads: any, beside other calls on the context.
 * Source: spec device_pictures 2, 3.
 *
 * @return 0; -EINVAL a NULL argument; a struct_size or fields behind it that this version does not
 *         know; an unknown format, layout or memory; bpc or scored_bpc out of range; a shift at 8
 *         bits or with bpc + shift > 16; semi-planar 4:0:0; a plane that is NULL, whose stride is
 *         shorter than a row or which ends beyond all addresses; 16-bit samples at odd addresses or
 *         strides; one of `scaled_w` and `scaled_h` 0, a plane that is to be scaled beyond the
 *         limits or has no samples to make some of; device memory that the driver knows to belong
 *         to another context (each logged); -ENOSYS device memory in a build without CUDA or a
 *         context without a state; -ENOMEM, also if memory could not hold the scaled picture;
 *         -ENODEV or -EIO the driver failed.
 */
int vmaf_picture_wrap(VmafContext *vmaf, VmafPicture *pic, const VmafForeignPicture *foreign);

/**
 * Make a picture of the library of copies of planes: the samples that the same struct would be
 * scored with in a picture of vmaf_picture_wrap(), shifted down, de-interleaved and scaled. For
 * clients that need the samples, or change them before they are scored.
 *
 * @param pic      Filled in as vmaf_picture_alloc() does, in the size that is scored. Not NULL;
 *                 what it held is overwritten, not released. The client owns one reference.
 * @param foreign  Planes in host memory, read during the call only: `stream`, `release` and
 *                 `opaque` are ignored. Not NULL.
 *
 * Threads: any.
 * Source: spec device_pictures 3.
 *
 * @return 0; -EINVAL planes in device memory (logged), and as vmaf_picture_wrap(); -ENOMEM.
 */
int vmaf_picture_scale(VmafPicture *pic, const VmafForeignPicture *foreign);

/**
 * How many pictures a client needs that reads one pair after the other and uses a picture's memory
 * again once it was released: those in flight, those that later frames are compared with, and the
 * next one. With so many there is always one free when vmaf_read_pictures() has returned; calls of
 * other threads that wait for scores may release what they take in a moment later. With fewer, a
 * client of a GPU must not wait for a release: pictures come back inside calls that take the
 * context.
 *
 * @param vmaf  Open context with all its features registered and its state imported, for both
 *              count. Not NULL.
 * @param ref   Set to the number of reference pictures. Not NULL.
 * @param dis   Set to the number of distorted pictures. Not NULL.
 *
 * Threads: as vmaf_read_pictures().
 * Source: spec device_pictures 2.
 *
 * @return 0; -EINVAL a NULL argument.
 */
int vmaf_frames_held(VmafContext *vmaf, unsigned *ref, unsigned *dis);

/* Small luma of pictures on a GPU */

/** How luma is cut into boxes. Passed by value: it keeps its members. */
typedef struct VmafLumaGrid {
    /** Boxes in a row, at least 1. Box i begins at column i * width / columns, rounded down. */
    unsigned columns;
    /** Rows of boxes, at least 1, cut likewise. columns * rows is at most 65536. */
    unsigned rows;
    /** Lines from one that counts to the next, in each box from its first line on; at least 1. */
    unsigned line_step;
} VmafLumaGrid;

/** Sums over boxes of pictures' luma, and of their chroma if asked for, made on a GPU. */
typedef struct VmafLumaBoxes VmafLumaBoxes;

/**
 * Prepare for sums over boxes: small pictures of frames that lie in a GPU's memory, made without
 * copying the frames to the host.
 *
 * @param boxes  Set to a new object, or to NULL on failure. Not NULL. The client owns it and
 *               destroys it before vmaf_close() of the last context that has the same device state.
 * @param vmaf   Open context with a device state. Not NULL. It is used in this call only.
 * @param grid   How each plane is cut, whatever its size.
 * @param slots  Number of planes whose sums are kept at once, 1..1024.
 *
 * The GPU may finish all queued work of the CUDA context before this call returns.
 *
 * Threads: any, beside other calls on the context.
 * Source: spec device_pictures 7.
 *
 * @return 0; -EINVAL a NULL argument, or a grid or number that is out of range; -ENOSYS a build
 *         without CUDA, or a context without a state; -ENOMEM; -EIO the driver failed.
 */
int vmaf_luma_boxes_create(VmafLumaBoxes **boxes, VmafContext *vmaf, VmafLumaGrid grid, unsigned slots);

/**
 * Queue the sums of a plane of a picture and return without waiting for them. The work is queued on
 * the stream that the picture was wrapped with. vmaf_read_pictures() of that picture comes after
 * it, and the client's `release` is called after it, also if the picture is given up unread. The
 * first picture that is scaled, and the first of a larger size, may wait for the GPU.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). Not NULL.
 * @param pic    Picture of vmaf_picture_wrap() in device memory of the CUDA context that `boxes`
 *               was made for, before it is read or given up. Not NULL. It stays the client's. A
 *               scaled picture is summed as it is scored; scaling is done once more for that.
 * @param plane  0: luma, 1: Cb, 2: Cr. One that the picture has.
 * @param slot   Number of the slot that gets the sums, from 0 on. Sums that it has are lost; if
 *               they are not made yet, the call waits for them.
 *
 * Threads: one at a time per object. The calling thread's CUDA context is unchanged.
 * Source: spec device_pictures 7.
 *
 * @return 0; -EINVAL a NULL argument, a slot out of range, another picture than that, a plane that
 *         it lacks, or boxes that may have more samples than a sum can hold: (2^32 - 1) / (2^bpc -
 *         1) of the lines that count (the last three logged); -ENOMEM; -EIO the driver failed.
 *         After a failure the slot is empty and nothing reads the picture.
 */
int vmaf_luma_boxes_add(VmafLumaBoxes *boxes, const VmafPicture *pic, unsigned plane, unsigned slot);

/**
 * Wait for the sums of a slot and copy them. They stay in the slot.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). Not NULL.
 * @param slot   Number of a slot with a picture.
 * @param sums   Filled with columns * rows sums of samples, rows of boxes from top to bottom.
 *               Samples are those that are scored, of the picture's depth. A box without a line or
 *               column has the sum 0. Not NULL.
 *
 * Threads: one at a time per object. The calling thread's CUDA context is unchanged.
 * Source: spec device_pictures 7.
 *
 * @return 0; -EINVAL a NULL argument or an empty slot; -EIO the driver failed.
 */
int vmaf_luma_boxes_read(VmafLumaBoxes *boxes, unsigned slot, uint32_t *sums);

/**
 * Wait for what was queued and free the object. Pictures that were added may live on.
 *
 * @param boxes  Object of vmaf_luma_boxes_create(). NULL does nothing. It is freed also on failure.
 *
 * Threads: one at a time per object.
 * Source: spec device_pictures 7.
 *
 * @return 0; -EIO the driver failed to release something (logged).
 */
int vmaf_luma_boxes_destroy(VmafLumaBoxes *boxes);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_EXT_H */
