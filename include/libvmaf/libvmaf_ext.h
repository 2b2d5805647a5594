#ifndef VMAF_LIBVMAF_EXT_H
#define VMAF_LIBVMAF_EXT_H

/**
 * @file
 * What this library adds to the interface of libvmaf 3. A program that uses it needs this library: another libvmaf has
 * neither this header nor these functions.
 *
 * Errors, threads, waiting and memory are as libvmaf.h says at its head. Every build of the library has all functions.
 *
 * The specification is docs/spec in the source tree: "spec cli 10.2" is section 10.2 of its cli.md.
 */

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Score files */

/**
 * Write the scores that exist to a file as vmaf_write_output() does, with numbers in a format of the client's. It holds
 * for every score of a frame, pooled score and aggregate; the rate in frames per second stays as it is.
 *
 * @param vmaf          Open context. Not NULL.
 * @param output_path   File to write. Not NULL.
 * @param fmt           VMAF_OUTPUT_FORMAT_XML to VMAF_OUTPUT_FORMAT_SUB.
 * @param score_format  NULL: as vmaf_write_output(). Else one printf conversion of a double with nothing before or
 *                      behind it: %, flags (any of - + # 0 and blank), width, precision (a point and digits; width and
 *                      precision at most 999), and one of e f g a E F G A. "%.17g" gives each double back when it is
 *                      read. For JSON, which has no such numbers, no flags + # 0 and neither a nor A. Needed during the
 *                      call only.
 *
 * The client's locale does not matter. NaN and infinities are written as by vmaf_write_output().
 *
 * Waits for frames already read.
 * Threads: one at a time per context.
 * Source: spec cli 10.2, abi 6.
 *
 * @return 0; -EINVAL a score format that is none (logged; no file is opened), or as vmaf_write_output(); -EIO writing
 *         failed; -ENOMEM.
 */
int vmaf_write_output_with_format(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt,
                                  const char *score_format);

/* Several GPUs */

struct VmafCudaState; /* of libvmaf_cuda.h, which an installation without CUDA lacks */

/**
 * Make a CUDA state of the primary context of a device, as vmaf_cuda_state_init() does of device 0.
 *
 * States of different devices live side by side in one process; a session uses the device of the state that it
 * imported, and scores do not depend on which that is.
 *
 * @param cu_state  Set to the new handle, which the client owns and frees with vmaf_cuda_state_free(); NULL on failure.
 *                  Not NULL.
 * @param device    Number of the device, from 0 on, as the driver counts them in this process (CUDA_VISIBLE_DEVICES).
 *
 * Threads: any. The calling thread's current CUDA context is the same afterwards as before.
 * Source: spec device_pictures 5, cuda 1, 3.
 *
 * @return 0; -EINVAL `cu_state` NULL, or there is no device of that number; -ENODEV no driver, no device at all, or one
 *         too old for this build (one line at info level says which); -ENOMEM; -ENOSYS a build without CUDA or a driver
 *         that lacks a needed function; -EIO any other failure of the driver.
 */
int vmaf_cuda_state_init_device(struct VmafCudaState **cu_state, int device);

/* Clips in parts */

/**
 * How many frames around a part of a clip must be read too, so that the part's own frames get the whole clip's scores,
 * to the last bit.
 *
 * A clip may be cut into parts that sessions of their own score, each with the same features, models and options. For
 * frames first..last of the clip a session reads the frames first - before..last + after, as far as the clip has them,
 * in order and under the indices 0, 1, ..., then the flush. Scores of the frames in front of first and behind last are
 * to be thrown away; index i of the session is frame i + first - before of the clip (from frame 0 on if the clip has
 * fewer frames before first). Model scores are predicted frame by frame and need no more. With
 * VmafConfiguration.n_subsample N, first is a multiple of N; `before` then is one too.
 *
 * Values of the whole clip (apsnr_y and its like) are those of what the session read: they are no frame's scores, and
 * are to be computed anew from the frames' (apsnr_y from mse_y).
 *
 * @param vmaf    Open context, with the features that count registered; before or after its first frame. Not NULL.
 * @param before  Set to the number of frames before. Not NULL; untouched on failure.
 * @param after   Set to the number of frames after. Not NULL; untouched on failure.
 *
 * Today's features need at most 4 frames before and 2 after: motion with a window of five frames and the moving average.
 *
 * Threads: one at a time per context.
 * Source: spec device_pictures 6.
 *
 * @return 0; -EINVAL a NULL argument; -ENOTSUP a feature is registered whose scores depend on all earlier frames (this
 *         version has none).
 */
int vmaf_segment_overlap(VmafContext *vmaf, unsigned *before, unsigned *after);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_EXT_H */
