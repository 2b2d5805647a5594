#ifndef VMAF_LIBVMAF_CUDA_H
#define VMAF_LIBVMAF_CUDA_H

/**
 * @file
 * Scoring on an NVIDIA GPU: sessions of libvmaf.h, with a CUDA state imported.
 *
 * Call vmaf_cuda_state_init(), then vmaf_init() and directly after it vmaf_cuda_import_state(),
 * optionally vmaf_cuda_preallocate_pictures(). Then use the session as on the CPU. At the end call
 * vmaf_close(), then vmaf_cuda_state_free(). Features that have a CUDA version run on the GPU, the
 * others on the CPU, in one session. Integer features have the same scores on both, bit for bit.
 * Pictures may be plain host pictures (picture.h: the library uploads them), pinned host pictures
 * or device pictures. Pass device and pinned pictures only to the context that they were fetched
 * from.
 *
 * Work is queued: vmaf_read_pictures() does not wait for its frame. If the driver fails later,
 * later reads, getters of the lost scores, and the flush return the error. After -ENOMEM everything
 * stays usable.
 *
 * Every build of the library has these functions. In a build without CUDA they return -ENOSYS;
 * vmaf_cuda_state_free(NULL) returns 0. You need no CUDA header, and no CUDA library to link with:
 * the driver is opened at run time.
 *
 * Threads, for every function here: the calling thread's current CUDA context is the same
 * afterwards as before.
 *
 * The specification of the GPU side is docs/spec/cuda.md in the source tree ("spec cuda 2" is its
 * section 2).
 */

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A device to score on; opaque. The client owns the handle from vmaf_cuda_state_init() to
 * vmaf_cuda_state_free(), also after contexts imported it.
 */
typedef struct VmafCudaState VmafCudaState;

/** Which device to use. All zero is valid. */
typedef struct VmafCudaConfiguration {
    /**
     * A CUcontext, or NULL for the primary context of device 0, which the library retains while it
     * needs it. A CUcontext stays the client's. It must live until every context that imported the
     * state is closed.
     */
    void *cu_ctx;
} VmafCudaConfiguration;

/**
 * Make a CUDA state.
 *
 * @param cu_state  Set to the new handle, which the client owns and frees with
 *                  vmaf_cuda_state_free(); NULL on failure. Not NULL.
 * @param cfg       Copied.
 *
 * Threads: any.
 * Source: spec abi 3.7, cuda 1, 3.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `cu_state` NULL, or a context that the driver refuses
 *         - `-ENODEV`: no driver, no device, or a device too old for this build (one line at info
 *           level says which; a client can go on with the CPU)
 *         - `-ENOMEM`
 *         - `-ENOSYS`: a build without CUDA or a driver that lacks a needed function
 *         - `-EIO`: any other failure of the driver
 */
int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg);

/**
 * Let a context use a state. Several contexts may import one state. A context imports only one.
 *
 * @param vmaf      Open context that has read no picture and imported no state. Not NULL. Import
 *                  before vmaf_cuda_preallocate_pictures().
 * @param cu_state  Not NULL. Stays the client's, on failure too.
 *
 * Threads: one at a time per context; one state may be imported by several threads at once, but not
 * while it is freed.
 * Source: spec abi 3.7, cuda 2, 4.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, after the first picture, or a second time
 *         - `-ENOMEM`
 *         - `-ENODEV` or `-EIO`: the driver failed
 *         - `-ENOSYS`: a build without CUDA
 */
int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state);

/** Memory that the pictures of a CUDA pool lie in. */
enum VmafCudaPicturePreallocationMethod {
    /** No pool. */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE = 0,
    /** Device memory: `data` are device addresses. The library chooses `stride`, at least a row. */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE = 1,
    /** Host memory, laid out as by vmaf_picture_alloc(). */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST = 2,
    /** Page-locked host memory, in the same layout; faster to upload. */
    VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED = 3
};

/** What a CUDA pool holds. */
typedef struct VmafCudaPictureConfiguration {
    struct {
        unsigned w, h;                                           /**< luma size in samples, not 0 */
        unsigned bpc;                                            /**< bits a sample, 8..16 */
        enum VmafPixelFormat pix_fmt;                            /**< any format but VMAF_PIX_FMT_UNKNOWN */
    } pic_params;                                                /**< of each picture */
    enum VmafCudaPicturePreallocationMethod pic_prealloc_method; /**< where the pictures lie */
} VmafCudaPictureConfiguration;

/**
 * Make the context's CUDA pool, from which a client can hold 16 pictures at once. A second call
 * replaces the pool.
 *
 * Device chroma planes start at the neutral value 2^(bpc - 1). A client that scores luma only need
 * not write them.
 *
 * @param vmaf  Open context with a state imported. Not NULL.
 * @param cfg   Copied. With VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE the call does nothing.
 *
 * Threads: one at a time per context.
 * Source: spec abi 3.7, cuda 5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `vmaf` NULL, no state imported, an unknown method, or size, depth or format
 *           out of range
 *         - `-ENOMEM`: no room for the first pictures
 *         - `-ENODEV` or `-EIO`: the driver failed
 *         - `-ENOSYS`: a build without CUDA
 */
int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg);

/**
 * Take a picture from the CUDA pool, ready to be written: the library has finished reading it.
 *
 * Write device pictures in the CUDA context of the state. The library reads them after all work
 * queued so far on the default stream and on blocking streams of that context. If you write on a
 * non-blocking stream, or in another context, synchronise before vmaf_read_pictures().
 *
 * @param vmaf  Open context with a CUDA pool. Not NULL.
 * @param pic   Filled in. Not NULL. On 0 the client owns one reference, until vmaf_read_pictures()
 *              takes it or vmaf_picture_unref() drops it. vmaf_close() frees the samples of device
 *              and pinned pictures, also if the client still holds them. vmaf_picture_unref() stays
 *              safe.
 *
 * If no picture is free, the call waits for one that work in flight will return.
 * Threads: any, also during other calls on the context.
 * Source: spec abi 3.7, cuda 2, 5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, or there is no pool
 *         - `-EAGAIN`: the client holds all pictures and nothing in flight will return one
 *         - `-ENOMEM`
 *         - `-ENODEV` or `-EIO`: the driver failed
 *         - `-ENOSYS`: a build without CUDA
 */
int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/**
 * Free a state. First close every context that imported it. Other orders are safe too: contexts
 * that are still open go on.
 *
 * @param cu_state  State, or NULL: nothing happens. It is gone after the call, also if that fails.
 *
 * Threads: any, but not while another thread imports the state.
 * Source: spec abi 3.7, cuda 2, 3.
 *
 * @return 0, or an errno: the CUDA driver failed to release something (the state is gone even so).
 */
int vmaf_cuda_state_free(VmafCudaState *cu_state);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_LIBVMAF_CUDA_H */
