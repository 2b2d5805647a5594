#pragma once

#include "libvmaf/libvmaf_ext.h"

// What a client in C99 does with planes of its own: foreign_client.c.

#ifdef __cplusplus
extern "C" {
#endif

/// Scores two NV12 frames, the distorted one brighter by `change`. The frames' luma PSNR; negative
/// errno on failure.
double psnr_of_nv12_in_c(unsigned w, unsigned h, unsigned char change, unsigned *releases);

/// vmaf_picture_wrap() of 8-bit 4:2:0 planes with enum values that no enumerator may have.
int wrap_with_enums(VmafContext *vmaf, VmafPicture *pic, int pix_fmt, int layout, int memory);

#ifdef __cplusplus
}
#endif
