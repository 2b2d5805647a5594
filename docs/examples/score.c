/* VMAF score of two raw 8-bit 4:2:0 files of even size: score REF DIS WIDTH HEIGHT
 * Build: cc score.c $(pkg-config --cflags --libs libvmaf) -o score */
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

/* Fills a new picture with the file's next frame. Returns 0, without a picture, when no whole frame is left. */
static int read_frame(FILE *file, unsigned width, unsigned height, VmafPicture *pic)
{
    check("vmaf_picture_alloc", vmaf_picture_alloc(pic, VMAF_PIX_FMT_YUV420P, 8, width, height));
    for (int plane = 0; plane < 3; plane++)
        for (unsigned y = 0; y < pic->h[plane]; y++)
            if (fread((char *)pic->data[plane] + pic->stride[plane] * y, 1, pic->w[plane], file) != pic->w[plane])
                return vmaf_picture_unref(pic);
    return 1;
}

int main(int argc, char **argv)
{
    FILE *ref_file = argc == 5 ? fopen(argv[1], "rb") : NULL, *dis_file = argc == 5 ? fopen(argv[2], "rb") : NULL;
    if (!ref_file || !dis_file) {
        fprintf(stderr, "usage: score REF DIS WIDTH HEIGHT, with two files that can be read\n");
        return 2;
    }
    const unsigned width = (unsigned)strtoul(argv[3], NULL, 10), height = (unsigned)strtoul(argv[4], NULL, 10);
    const VmafConfiguration config = {.log_level = VMAF_LOG_LEVEL_WARNING, .n_threads = 2};
    VmafModelConfig model_config = {.name = "vmaf"};
    VmafContext *vmaf;
    VmafModel *model;
    VmafPicture ref, dis;
    unsigned frames = 0;
    double score;

    check("vmaf_init", vmaf_init(&vmaf, config));
    check("vmaf_model_load", vmaf_model_load(&model, &model_config, "vmaf_v0.6.1"));
    check("vmaf_use_features_from_model", vmaf_use_features_from_model(vmaf, model));
    while (read_frame(ref_file, width, height, &ref)) {
        if (!read_frame(dis_file, width, height, &dis)) {
            vmaf_picture_unref(&ref);
            break;
        }
        check("vmaf_read_pictures", vmaf_read_pictures(vmaf, &ref, &dis, frames++));
    }
    check("flush", vmaf_read_pictures(vmaf, NULL, NULL, 0));
    check("vmaf_score_pooled", vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, frames - 1));
    printf("%.6f\n", score);
    vmaf_model_destroy(model);
    check("vmaf_close", vmaf_close(vmaf));
    return fclose(ref_file) || fclose(dis_file);
}
