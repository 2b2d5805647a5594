// Sizes, offsets and numbers that compiled clients rely on (spec abi 2, "ABI check values"; x86-64
// Linux). Also the headers that libvmaf.h includes.

#include <libvmaf.h>

#ifdef VMAF_API_VERSION_MAJOR
#error "version.h is included by no other header (spec abi 1)"
#endif

// libvmaf.h alone declares <stdio.h>, <stdint.h>, <stddef.h> and the other headers (spec abi 1).
typedef FILE *stdio_is_included;
typedef uint64_t stdint_is_included;
typedef ptrdiff_t stddef_is_included;
typedef VmafFeatureDictionary *feature_is_included;
typedef VmafModel *model_is_included;
typedef VmafPicture *picture_is_included;

#include <libvmaf/version.h>
#include <libvmaf_cuda.h>
#include <libvmaf_ext.h>

#define SIZE(type, size, align)                                                                                        \
    _Static_assert(sizeof(type) == (size), "size of " #type);                                                          \
    _Static_assert(_Alignof(type) == (align), "alignment of " #type)
#define OFFSET(type, field, offset) _Static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field)
#define VALUE(constant, value) _Static_assert((constant) == (value), "value of " #constant)

SIZE(VmafPicture, 96, 8);
OFFSET(VmafPicture, pix_fmt, 0);
OFFSET(VmafPicture, bpc, 4);
OFFSET(VmafPicture, w, 8);
OFFSET(VmafPicture, h, 20);
OFFSET(VmafPicture, stride, 32);
OFFSET(VmafPicture, data, 56);
OFFSET(VmafPicture, ref, 80);
OFFSET(VmafPicture, priv, 88);

SIZE(VmafConfiguration, 32, 8);
OFFSET(VmafConfiguration, log_level, 0);
OFFSET(VmafConfiguration, n_threads, 4);
OFFSET(VmafConfiguration, n_subsample, 8);
OFFSET(VmafConfiguration, cpumask, 16);
OFFSET(VmafConfiguration, gpumask, 24);

SIZE(VmafPictureConfiguration, 20, 4);
OFFSET(VmafPictureConfiguration, pic_params.w, 0);
OFFSET(VmafPictureConfiguration, pic_params.h, 4);
OFFSET(VmafPictureConfiguration, pic_params.bpc, 8);
OFFSET(VmafPictureConfiguration, pic_params.pix_fmt, 12);
OFFSET(VmafPictureConfiguration, pic_cnt, 16);

SIZE(VmafModelConfig, 16, 8);
OFFSET(VmafModelConfig, name, 0);
OFFSET(VmafModelConfig, flags, 8);

SIZE(VmafModelCollectionScore, 40, 8);
OFFSET(VmafModelCollectionScore, type, 0);
OFFSET(VmafModelCollectionScore, bootstrap.bagging_score, 8);
OFFSET(VmafModelCollectionScore, bootstrap.stddev, 16);
OFFSET(VmafModelCollectionScore, bootstrap.ci.p95.lo, 24);
OFFSET(VmafModelCollectionScore, bootstrap.ci.p95.hi, 32);

SIZE(VmafForeignPicture, 128, 8);
OFFSET(VmafForeignPicture, struct_size, 0);
OFFSET(VmafForeignPicture, pix_fmt, 8);
OFFSET(VmafForeignPicture, bpc, 12);
OFFSET(VmafForeignPicture, shift, 16);
OFFSET(VmafForeignPicture, w, 20);
OFFSET(VmafForeignPicture, h, 24);
OFFSET(VmafForeignPicture, layout, 28);
OFFSET(VmafForeignPicture, memory, 32);
OFFSET(VmafForeignPicture, data, 40);
OFFSET(VmafForeignPicture, stride, 64);
OFFSET(VmafForeignPicture, stream, 88);
OFFSET(VmafForeignPicture, release, 96);
OFFSET(VmafForeignPicture, opaque, 104);
OFFSET(VmafForeignPicture, scaled_w, 112);
OFFSET(VmafForeignPicture, scaled_h, 116);
OFFSET(VmafForeignPicture, scored_bpc, 120);
OFFSET(VmafForeignPicture, reserved, 124);
VALUE(VMAF_PLANE_LAYOUT_PLANAR, 0);
VALUE(VMAF_PLANE_LAYOUT_SEMI_PLANAR, 1);
VALUE(VMAF_MEMORY_HOST, 0);
VALUE(VMAF_MEMORY_CUDA_DEVICE, 1);

SIZE(VmafCudaConfiguration, 8, 8);
OFFSET(VmafCudaConfiguration, cu_ctx, 0);

SIZE(VmafCudaPictureConfiguration, 20, 4);
OFFSET(VmafCudaPictureConfiguration, pic_params.w, 0);
OFFSET(VmafCudaPictureConfiguration, pic_params.h, 4);
OFFSET(VmafCudaPictureConfiguration, pic_params.bpc, 8);
OFFSET(VmafCudaPictureConfiguration, pic_params.pix_fmt, 12);
OFFSET(VmafCudaPictureConfiguration, pic_prealloc_method, 16);

SIZE(enum VmafPixelFormat, 4, 4);
VALUE(VMAF_PIX_FMT_UNKNOWN, 0);
VALUE(VMAF_PIX_FMT_YUV420P, 1);
VALUE(VMAF_PIX_FMT_YUV422P, 2);
VALUE(VMAF_PIX_FMT_YUV444P, 3);
VALUE(VMAF_PIX_FMT_YUV400P, 4);

SIZE(enum VmafModelFlags, 4, 4);
VALUE(VMAF_MODEL_FLAGS_DEFAULT, 0);
VALUE(VMAF_MODEL_FLAG_DISABLE_CLIP, 1);
VALUE(VMAF_MODEL_FLAG_ENABLE_TRANSFORM, 2);
VALUE(VMAF_MODEL_FLAG_DISABLE_TRANSFORM, 4);

SIZE(enum VmafModelCollectionScoreType, 4, 4);
VALUE(VMAF_MODEL_COLLECTION_SCORE_UNKNOWN, 0);
VALUE(VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, 1);

SIZE(enum VmafLogLevel, 4, 4);
VALUE(VMAF_LOG_LEVEL_NONE, 0);
VALUE(VMAF_LOG_LEVEL_ERROR, 1);
VALUE(VMAF_LOG_LEVEL_WARNING, 2);
VALUE(VMAF_LOG_LEVEL_INFO, 3);
VALUE(VMAF_LOG_LEVEL_DEBUG, 4);

SIZE(enum VmafOutputFormat, 4, 4);
VALUE(VMAF_OUTPUT_FORMAT_NONE, 0);
VALUE(VMAF_OUTPUT_FORMAT_XML, 1);
VALUE(VMAF_OUTPUT_FORMAT_JSON, 2);
VALUE(VMAF_OUTPUT_FORMAT_CSV, 3);
VALUE(VMAF_OUTPUT_FORMAT_SUB, 4);

SIZE(enum VmafPoolingMethod, 4, 4);
VALUE(VMAF_POOL_METHOD_UNKNOWN, 0);
VALUE(VMAF_POOL_METHOD_MIN, 1);
VALUE(VMAF_POOL_METHOD_MAX, 2);
VALUE(VMAF_POOL_METHOD_MEAN, 3);
VALUE(VMAF_POOL_METHOD_HARMONIC_MEAN, 4);
VALUE(VMAF_POOL_METHOD_NB, 5);

SIZE(enum VmafCudaPicturePreallocationMethod, 4, 4);
VALUE(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE, 0);
VALUE(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE, 1);
VALUE(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST, 2);
VALUE(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED, 3);

VALUE(VMAF_API_VERSION_MAJOR, 3);
VALUE(VMAF_API_VERSION_MINOR, 2);
VALUE(VMAF_API_VERSION_PATCH, 0);
