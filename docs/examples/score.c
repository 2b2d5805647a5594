/* VMAF score of two raw 8-bit 4:2:0 files: score REF DIS WIDTH HEIGHT
 * cc score.c $(pkg-config --cflags --libs libvmaf) */
#include <libvmaf/libvmaf.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *what, int err)
{
    if (err) {
        fprintf(stderr, "score: %s: %s\n", what, strerror(-err));
        exit(1);
    }
}

/* Fills a new picture with the file's next frame; 0 when no whole frame is left. */
static int read_frame(FILE *file, unsigned w, unsigned h, VmafPicture *pic)
{
    check("vmaf_picture_alloc", vmaf_picture_alloc(pic, VMAF_PIX_FMT_YUV420P, 8, w, h));
    for (int p = 0; p < 3; p++)
        for (unsigned y = 0; y < pic->h[p]; y++)
            if (fread((char *)pic->data[p] + pic->stride[p] * y, 1, pic->w[p], file) != pic->w[p])
                return vmaf_picture_unref(pic);
    return 1;
}

int main(int argc, char **argv)
{
    FILE *ref_file = argc == 5 ? fopen(argv[1], "rb") : NULL, *dis_file = argc == 5 ? fopen(argv[2], "rb") : NULL;
    if (!ref_file || !dis_file)
        return fprintf(stderr, "usage: score REF DIS WIDTH HEIGHT\n"), 2;
    const unsigned w = (unsigned)strtoul(argv[3], NULL, 10), h = (unsigned)strtoul(argv[4], NULL, 10);
    VmafConfiguration config = {.log_level = VMAF_LOG_LEVEL_WARNING, .n_threads = 2};
    VmafModelConfig model_config = {.name = "vmaf"};
    VmafContext *vmaf;
    VmafModel *model;
    VmafPicture ref, dis;
    unsigned frames = 0;
    double score;
    check("vmaf_init", vmaf_init(&vmaf, config));
    check("vmaf_model_load", vmaf_model_load(&model, &model_config, "vmaf_v0.6.1"));
    check("vmaf_use_features_from_model", vmaf_use_features_from_model(vmaf, model));
    while (read_frame(ref_file, w, h, &ref) && (read_frame(dis_file, w, h, &dis) || vmaf_picture_unref(&ref)))
        check("vmaf_read_pictures", vmaf_read_pictures(vmaf, &ref, &dis, frames++));
    check("flush", vmaf_read_pictures(vmaf, NULL, NULL, 0));
    check("vmaf_score_pooled", vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, frames - 1));
    printf("%.6f\n", score);
    vmaf_model_destroy(model);
    return vmaf_close(vmaf) || fclose(ref_file) || fclose(dis_file);
}
