#include "bad_enums.h"

int init_with_log_level(VmafContext **vmaf, int log_level)
{
    const VmafConfiguration cfg = {.log_level = (enum VmafLogLevel)log_level};
    return vmaf_init(vmaf, cfg);
}

int alloc_with_format(VmafPicture *pic, int pix_fmt, unsigned bpc, unsigned w, unsigned h)
{
    return vmaf_picture_alloc(pic, (enum VmafPixelFormat)pix_fmt, bpc, w, h);
}

int preallocate_with_format(VmafContext *vmaf, int pix_fmt, unsigned bpc, unsigned w, unsigned h, unsigned pic_cnt)
{
    const VmafPictureConfiguration cfg = {{w, h, bpc, (enum VmafPixelFormat)pix_fmt}, pic_cnt};
    return vmaf_preallocate_pictures(vmaf, cfg);
}

int feature_pooled_with_method(VmafContext *vmaf, const char *feature_name, int method, double *score, unsigned low,
                               unsigned high)
{
    return vmaf_feature_score_pooled(vmaf, feature_name, (enum VmafPoolingMethod)method, score, low, high);
}

int score_pooled_with_method(VmafContext *vmaf, VmafModel *model, int method, double *score, unsigned low,
                             unsigned high)
{
    return vmaf_score_pooled(vmaf, model, (enum VmafPoolingMethod)method, score, low, high);
}

int write_output_with_format(VmafContext *vmaf, const char *path, int format)
{
    return vmaf_write_output(vmaf, path, (enum VmafOutputFormat)format);
}
