#pragma once

#include "libvmaf/libvmaf_ext.h"

// A client in C99 with planes of its own: foreign_client.c.

#ifdef __cplusplus
extern "C" {
#endif

/// Scores two NV12 frames. The distorted one is brighter by `change`. Returns the frames' luma
/// PSNR, or a negative errno on failure.
double psnr_of_nv12_in_c(unsigned w, unsigned h, unsigned char change, unsigned *releases);

/// Calls vmaf_picture_wrap() for 8-bit 4:2:0 planes, with enum values that may have no enumerator.
int wrap_with_enums(VmafContext *vmaf, VmafPicture *pic, int pix_fmt, int layout, int memory);

#ifdef __cplusplus
}
#endif
