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

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_EXT_H */
