/* Encodes raw NV12 frames to H.264 with NVENC and scores the frames that the encoder reconstructs:
 * nothing is decoded, and pictures stay on the GPU.
 *
 *   nvenc_recon FRAMES.nv12 WIDTH HEIGHT ENCODE.h264
 *   cc nvenc_recon.c $(pkg-config --cflags --libs libvmaf ffnvcodec) -ldl
 *
 * Needs nv-codec-headers 12.1 and a GPU with NVENC from Turing on. It was compiled, and not run: no
 * machine with an encoder was there. Exit status 77: this machine has no encoder. */
#include <ffnvcodec/dynlink_loader.h>
#include <libvmaf/libvmaf.h>
#include <libvmaf/libvmaf_cuda.h>
#include <libvmaf/libvmaf_ext.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 16 };

typedef struct Surface {
    CUdeviceptr data;
    size_t pitch;
    NV_ENC_REGISTERED_PTR registered;
} Surface;

/* The input of one frame and its reconstruction. `readers` of them are with the library. */
typedef struct Slot {
    Surface input, recon;
    int readers;
} Slot;

static CudaFunctions *cuda;
static NvencFunctions *loader;
static NV_ENCODE_API_FUNCTION_LIST nvenc = {.version = NV_ENCODE_API_FUNCTION_LIST_VER};
static void *encoder;
static unsigned width, height;

static void fail(const char *what, int code)
{
    fprintf(stderr, "nvenc_recon: %s: error %d\n", what, code);
    exit(1);
}

static void check(const char *what, int code)
{
    if (code)
        fail(what, code);
}

static void need(const char *what, int code)
{
    if (!code)
        return;
    fprintf(stderr, "nvenc_recon: no encoder here: %s\n", what);
    exit(77);
}

static int can_reconstruct(void)
{
    NV_ENC_CAPS_PARAM cap = {.version = NV_ENC_CAPS_PARAM_VER, .capsToQuery = NV_ENC_CAPS_OUTPUT_RECON_SURFACE};
    int value = 0;
    return nvenc.nvEncGetEncodeCaps(encoder, NV_ENC_CODEC_H264_GUID, &cap, &value) == NV_ENC_SUCCESS && value;
}

static void open_encoder(CUcontext context)
{
    NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS session = {
        .version = NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS_VER,
        .deviceType = NV_ENC_DEVICE_TYPE_CUDA,
        .device = context,
        .apiVersion = NVENCAPI_VERSION,
    };
    NV_ENC_PRESET_CONFIG preset = {.version = NV_ENC_PRESET_CONFIG_VER, .presetCfg.version = NV_ENC_CONFIG_VER};
    NV_ENC_INITIALIZE_PARAMS init = {
        .version = NV_ENC_INITIALIZE_PARAMS_VER,
        .encodeGUID = NV_ENC_CODEC_H264_GUID,
        .presetGUID = NV_ENC_PRESET_P4_GUID,
        .tuningInfo = NV_ENC_TUNING_INFO_HIGH_QUALITY,
        .encodeWidth = width,
        .encodeHeight = height,
        .darWidth = width,
        .darHeight = height,
        .frameRateNum = 25,
        .frameRateDen = 1,
        .enablePTD = 1,
        .encodeConfig = &preset.presetCfg,
    };
    need("NvEncodeAPICreateInstance", (int)loader->NvEncodeAPICreateInstance(&nvenc));
    need("nvEncOpenEncodeSessionEx", (int)nvenc.nvEncOpenEncodeSessionEx(&session, &encoder));
    need("it cannot output reconstructed frames", !can_reconstruct());
    check("nvEncGetEncodePresetConfigEx",
          (int)nvenc.nvEncGetEncodePresetConfigEx(encoder, init.encodeGUID, init.presetGUID, init.tuningInfo, &preset));
    init.enableReconFrameOutput = 1;
    /* Without B-frames and lookahead each call encodes the frame that it was given. */
    preset.presetCfg.frameIntervalP = 1;
    preset.presetCfg.rcParams.enableLookahead = 0;
    check("nvEncInitializeEncoder", (int)nvenc.nvEncInitializeEncoder(encoder, &init));
}

static Surface make_surface(NV_ENC_BUFFER_USAGE usage)
{
    Surface surface;
    check("cuMemAllocPitch", (int)cuda->cuMemAllocPitch(&surface.data, &surface.pitch, width, height * 3 / 2, 16));
    NV_ENC_REGISTER_RESOURCE resource = {
        .version = NV_ENC_REGISTER_RESOURCE_VER,
        .resourceType = NV_ENC_INPUT_RESOURCE_TYPE_CUDADEVICEPTR,
        .width = width,
        .height = height,
        .pitch = (uint32_t)surface.pitch,
        .resourceToRegister = (void *)surface.data,
        .bufferFormat = NV_ENC_BUFFER_FORMAT_NV12,
        .bufferUsage = usage,
    };
    check("nvEncRegisterResource", (int)nvenc.nvEncRegisterResource(encoder, &resource));
    surface.registered = resource.registeredResource;
    return surface;
}

static void *map(const Surface *surface)
{
    NV_ENC_MAP_INPUT_RESOURCE resource = {.version = NV_ENC_MAP_INPUT_RESOURCE_VER,
                                          .registeredResource = surface->registered};
    check("nvEncMapInputResource", (int)nvenc.nvEncMapInputResource(encoder, &resource));
    return resource.mappedResource;
}

static void upload(const Surface *surface, const unsigned char *frame)
{
    const CUDA_MEMCPY2D copy = {
        .srcMemoryType = CU_MEMORYTYPE_HOST,
        .srcHost = frame,
        .srcPitch = width,
        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
        .dstDevice = surface->data,
        .dstPitch = surface->pitch,
        .WidthInBytes = width,
        .Height = height * 3 / 2,
    };
    check("cuMemcpy2D", (int)cuda->cuMemcpy2D(&copy));
}

static void encode(const Slot *slot, void *bitstream, FILE *out)
{
    NV_ENC_PIC_PARAMS picture = {
        .version = NV_ENC_PIC_PARAMS_VER,
        .inputWidth = width,
        .inputHeight = height,
        .inputPitch = (uint32_t)slot->input.pitch,
        .inputBuffer = map(&slot->input),
        .outputReconBuffer = map(&slot->recon),
        .outputBitstream = bitstream,
        .bufferFmt = NV_ENC_BUFFER_FORMAT_NV12,
        .pictureStruct = NV_ENC_PIC_STRUCT_FRAME,
        .encodePicFlags = NV_ENC_PIC_FLAG_OUTPUT_RECON_FRAME,
    };
    NV_ENC_LOCK_BITSTREAM lock = {.version = NV_ENC_LOCK_BITSTREAM_VER, .outputBitstream = bitstream};
    check("nvEncEncodePicture", (int)nvenc.nvEncEncodePicture(encoder, &picture));
    check("nvEncLockBitstream", (int)nvenc.nvEncLockBitstream(encoder, &lock)); /* waits for the frame */
    if (fwrite(lock.bitstreamBufferPtr, 1, lock.bitstreamSizeInBytes, out) != lock.bitstreamSizeInBytes)
        fail("writing the encode", 0);
    check("nvEncUnlockBitstream", (int)nvenc.nvEncUnlockBitstream(encoder, bitstream));
    /* Only an unmapped surface may be read. */
    check("nvEncUnmapInputResource", (int)nvenc.nvEncUnmapInputResource(encoder, picture.inputBuffer));
    check("nvEncUnmapInputResource", (int)nvenc.nvEncUnmapInputResource(encoder, picture.outputReconBuffer));
}

static void released(void *slot)
{
    __atomic_sub_fetch(&((Slot *)slot)->readers, 1, __ATOMIC_RELEASE);
}

static VmafPicture wrap(VmafContext *vmaf, const Surface *surface, Slot *slot)
{
    const VmafForeignPicture foreign = {
        .struct_size = sizeof foreign,
        .pix_fmt = VMAF_PIX_FMT_YUV420P,
        .bpc = 8,
        .w = width,
        .h = height,
        .layout = VMAF_PLANE_LAYOUT_SEMI_PLANAR,
        .memory = VMAF_MEMORY_CUDA_DEVICE,
        .data = {(void *)surface->data, (void *)(surface->data + surface->pitch * height)},
        .stride = {(ptrdiff_t)surface->pitch, (ptrdiff_t)surface->pitch},
        .release = released,
        .opaque = slot,
    };
    VmafPicture picture;
    check("vmaf_picture_wrap", vmaf_picture_wrap(vmaf, &picture, &foreign));
    __atomic_add_fetch(&slot->readers, 1, __ATOMIC_RELAXED);
    return picture;
}

int main(int argc, char **argv)
{
    FILE *in = argc == 5 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[4], "wb") : NULL;
    if (!out)
        return fprintf(stderr, "usage: nvenc_recon FRAMES.nv12 WIDTH HEIGHT ENCODE.h264\n"), 2;
    width = (unsigned)strtoul(argv[2], NULL, 10), height = (unsigned)strtoul(argv[3], NULL, 10);
    if (!width || !height || width % 2 || height % 2)
        fail("width and height must be even", 0);

    CUcontext context;
    need("NVIDIA's driver", cuda_load_functions(&cuda, NULL));
    need("NVENC's library", nvenc_load_functions(&loader, NULL));
    need("cuInit", (int)cuda->cuInit(0));
    need("cuDevicePrimaryCtxRetain", (int)cuda->cuDevicePrimaryCtxRetain(&context, 0));
    check("cuCtxPushCurrent", (int)cuda->cuCtxPushCurrent(context));
    open_encoder(context);

    VmafConfiguration config = {.log_level = VMAF_LOG_LEVEL_WARNING};
    VmafModelConfig model_config = {.name = "vmaf"};
    VmafCudaConfiguration cuda_config = {.cu_ctx = context};
    VmafContext *vmaf;
    VmafModel *model;
    VmafCudaState *state;
    unsigned ref_held, dis_held;
    check("vmaf_init", vmaf_init(&vmaf, config));
    check("vmaf_cuda_state_init", vmaf_cuda_state_init(&state, cuda_config));
    check("vmaf_cuda_import_state", vmaf_cuda_import_state(vmaf, state));
    check("vmaf_model_load", vmaf_model_load(&model, &model_config, "vmaf_v0.6.1"));
    check("vmaf_use_features_from_model", vmaf_use_features_from_model(vmaf, model));
    check("vmaf_frames_held", vmaf_frames_held(vmaf, &ref_held, &dis_held));
    const unsigned slots = ref_held > dis_held ? ref_held : dis_held;
    if (slots > MAX_SLOTS)
        fail("the library holds more frames than there are slots", (int)slots);

    Slot slot[MAX_SLOTS] = {0};
    for (unsigned i = 0; i < slots; i++) {
        slot[i].input = make_surface(NV_ENC_INPUT_IMAGE);
        slot[i].recon = make_surface(NV_ENC_OUTPUT_RECON);
    }
    NV_ENC_CREATE_BITSTREAM_BUFFER buffer = {.version = NV_ENC_CREATE_BITSTREAM_BUFFER_VER};
    check("nvEncCreateBitstreamBuffer", (int)nvenc.nvEncCreateBitstreamBuffer(encoder, &buffer));

    const size_t size = (size_t)width * height * 3 / 2;
    unsigned char *frame = malloc(size);
    unsigned frames = 0, at = 0;
    while (frame && fread(frame, 1, size, in) == size) {
        /* With as many slots as vmaf_frames_held() says, one is always free. */
        while (__atomic_load_n(&slot[at].readers, __ATOMIC_ACQUIRE))
            at = (at + 1) % slots;
        upload(&slot[at].input, frame);
        encode(&slot[at], buffer.bitstreamBuffer, out);
        VmafPicture ref = wrap(vmaf, &slot[at].input, &slot[at]), dis = wrap(vmaf, &slot[at].recon, &slot[at]);
        check("vmaf_read_pictures", vmaf_read_pictures(vmaf, &ref, &dis, frames++));
    }
    double score;
    check("flush", vmaf_read_pictures(vmaf, NULL, NULL, 0));
    check("vmaf_score_pooled", vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, frames - 1));
    printf("%.6f\n", score);
    vmaf_model_destroy(model);
    check("vmaf_close", vmaf_close(vmaf));
    check("vmaf_cuda_state_free", vmaf_cuda_state_free(state));
    free(frame);
    return fclose(in) || fclose(out); /* the process's end releases the encoder and its surfaces */
}
