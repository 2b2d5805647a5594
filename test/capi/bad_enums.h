#pragma once

#include "libvmaf/libvmaf.h"
#include "libvmaf/libvmaf_cuda.h"

// Calls with enum values that no enumerator has. A C client can make them. In C++ such a value is
// undefined before the library sees it.

#ifdef __cplusplus
extern "C" {
#endif

int init_with_log_level(VmafContext **vmaf, int log_level);
int alloc_with_format(VmafPicture *pic, int pix_fmt, unsigned bpc, unsigned w, unsigned h);
int preallocate_with_format(VmafContext *vmaf, int pix_fmt, unsigned bpc, unsigned w, unsigned h, unsigned pic_cnt);
int feature_pooled_with_method(VmafContext *vmaf, const char *feature_name, int method, double *score, unsigned low,
                               unsigned high);
int score_pooled_with_method(VmafContext *vmaf, VmafModel *model, int method, double *score, unsigned low,
                             unsigned high);
int write_output_with_format(VmafContext *vmaf, const char *path, int format);

#ifdef __cplusplus
}
#endif
