#include "foreign_client.h"

#include <errno.h>
#include <stdlib.h>

static void count_release(void *releases)
{
    ++*(unsigned *)releases;
}

double psnr_of_nv12_in_c(unsigned w, unsigned h, unsigned char change, unsigned *releases)
{
    const unsigned luma_bytes = w * h, chroma_bytes = w / 2 * 2 * (h / 2);
    VmafConfiguration config = {.log_level = VMAF_LOG_LEVEL_NONE};
    VmafContext *vmaf = NULL;
    VmafPicture pics[2];
    unsigned char *frames[2] = {NULL, NULL};
    unsigned ref_count = 0, dis_count = 0;
    double psnr = 0;
    int err = vmaf_init(&vmaf, config);
    if (!err)
        err = vmaf_use_feature(vmaf, "psnr", NULL);
    if (!err)
        err = vmaf_frames_held(vmaf, &ref_count, &dis_count);
    if (!err && (ref_count != 1 || dis_count != 1))
        err = -ERANGE;
    for (unsigned i = 0; !err && i < 2; i++) {
        frames[i] = malloc(luma_bytes + chroma_bytes);
        if (!frames[i]) {
            err = -ENOMEM;
            break;
        }
        for (unsigned b = 0; b < luma_bytes + chroma_bytes; b++)
            frames[i][b] = (unsigned char)(b % 128 + (i ? change : 0));
        const VmafForeignPicture nv12 = {
            .struct_size = sizeof nv12,
            .pix_fmt = VMAF_PIX_FMT_YUV420P,
            .bpc = 8,
            .w = w,
            .h = h,
            .layout = VMAF_PLANE_LAYOUT_SEMI_PLANAR,
            .data = {frames[i], frames[i] + luma_bytes},
            .stride = {(ptrdiff_t)w, (ptrdiff_t)(w / 2 * 2)},
            .release = count_release,
            .opaque = releases,
        };
        err = vmaf_picture_wrap(vmaf, &pics[i], &nv12);
    }
    if (!err)
        err = vmaf_read_pictures(vmaf, &pics[0], &pics[1], 0);
    if (!err)
        err = vmaf_read_pictures(vmaf, NULL, NULL, 0);
    if (!err)
        err = vmaf_feature_score_at_index(vmaf, "psnr_y", &psnr, 0);
    if (vmaf)
        vmaf_close(vmaf);
    free(frames[0]);
    free(frames[1]);
    return err ? err : psnr;
}

int wrap_with_enums(VmafContext *vmaf, VmafPicture *pic, int pix_fmt, int layout, int memory)
{
    static unsigned char samples[16 * 16];
    const VmafForeignPicture foreign = {
        .struct_size = sizeof foreign,
        .pix_fmt = (enum VmafPixelFormat)pix_fmt,
        .bpc = 8,
        .w = 16,
        .h = 16,
        .layout = (enum VmafPlaneLayout)layout,
        .memory = (enum VmafMemory)memory,
        .data = {samples, samples, samples},
        .stride = {16, 16, 16},
    };
    return vmaf_picture_wrap(vmaf, pic, &foreign);
}
