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

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_EXT_H */
