#ifndef VMAF_PICTURE_H
#define VMAF_PICTURE_H

/**
 * @file
 * Pictures: planar YUV frames with a reference count. Get one from vmaf_picture_alloc(), or from a
 * pool of libvmaf.h or libvmaf_cuda.h. Write its planes and pass it to vmaf_read_pictures(). The
 * specification is docs/spec in the source tree: "spec abi 3.2" is section 3.2 of its abi.md.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Planes that a picture has, and how its chroma is subsampled. Chroma sizes are rounded down. */
enum VmafPixelFormat {
    VMAF_PIX_FMT_UNKNOWN = 0, /**< no format: an error wherever one is needed */
    VMAF_PIX_FMT_YUV420P = 1, /**< chroma (w / 2) x (h / 2) */
    VMAF_PIX_FMT_YUV422P = 2, /**< chroma (w / 2) x h */
    VMAF_PIX_FMT_YUV444P = 3, /**< chroma w x h */
    VMAF_PIX_FMT_YUV400P = 4  /**< luma only */
};

/** Reference count of a picture; opaque. */
typedef struct VmafRef VmafRef;

/**
 * A picture. A copy of the struct is not another reference: release or feed only one of several
 * copies. The library sets all fields. A client reads them, and writes only the samples that `data`
 * points to.
 *
 * Arrays go by plane: 0 luma, 1 Cb, 2 Cr. A sample is 1 byte at 8 bits and 2 bytes in native order
 * above, with its value (0 .. 2^bpc - 1) in the low bits. Samples outside w x h never influence a
 * score.
 */
typedef struct VmafPicture {
    enum VmafPixelFormat pix_fmt; /**< layout of the planes */
    unsigned bpc;                 /**< bits a sample, 8..16 */
    unsigned w[3], h[3];          /**< size of each plane in samples; 0 for a plane that the format lacks */
    ptrdiff_t stride[3];          /**< bytes from one row to the next; 0 for a plane that the format lacks */
    /**
     * First sample of each plane; NULL for a plane that the format lacks. In device pictures
     * (libvmaf_cuda.h) a device address.
     */
    void *data[3];
    VmafRef *ref; /**< the library's; NULL in a struct that holds no picture */
    void *priv;   /**< the library's */
} VmafPicture;

/**
 * Allocate a picture in host memory, all samples 0.
 *
 * stride[i] is w[i] rounded up to a multiple of 32 samples, in bytes. The planes lie in one block,
 * aligned to 32 bytes at least: data[1] = data[0] + stride[0] * h[0] and data[2] = data[1] +
 * stride[1] * h[1].
 *
 * @param pic      Filled in. Not NULL; earlier contents are overwritten, not released. On 0 the
 *                 client owns one reference, until it passes it to vmaf_read_pictures() or
 *                 vmaf_picture_unref(). On failure there is nothing to release.
 * @param pix_fmt  Any format but VMAF_PIX_FMT_UNKNOWN.
 * @param bpc      Bits a sample, 8..16.
 * @param w        Luma width in samples. 0: empty planes.
 * @param h        Luma height in samples. 0: empty planes.
 *
 * Threads: any.
 * Source: spec abi 3.2.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `pic` NULL, unknown format or bpc out of range
 *         - `-ENOMEM`: no memory, or a size that overflows
 */
int vmaf_picture_alloc(VmafPicture *pic, enum VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h);

/**
 * Drop the client's reference and zero the struct. The last reference frees the picture, or returns
 * it to its pool.
 *
 * @param pic  A picture of this library, also one whose context has been closed. Not NULL. Not
 *             needed after vmaf_read_pictures() returned 0: that call has zeroed the struct.
 *
 * Threads: any; the count is atomic. After the vmaf_close() of the picture's context it never calls
 * the CUDA driver.
 * Source: spec abi 3.2.
 *
 * @return 0, or `-EINVAL`: `pic` NULL or without a picture. A second call on the same struct does
 *         no harm.
 */
int vmaf_picture_unref(VmafPicture *pic);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_PICTURE_H */
