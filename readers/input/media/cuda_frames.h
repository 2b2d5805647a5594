#pragma once

/// The driver's handles as libavutil's header wants them; the driver's own header need not be
/// installed.
#ifndef CUDA_VERSION
#define CUDA_VERSION 0
#define VMAF_TOOL_HAS_NO_CUDA_H
#endif
typedef struct CUctx_st *CUcontext;   // NOLINT(modernize-use-using): as the driver's header does
typedef struct CUstream_st *CUstream; // NOLINT(modernize-use-using)

extern "C" {
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_cuda.h>
}
#ifdef VMAF_TOOL_HAS_NO_CUDA_H
#undef CUDA_VERSION
#undef VMAF_TOOL_HAS_NO_CUDA_H
#endif

#include <optional>

#include "input/crop.h"
#include "input/media/libav.h"
#include "libvmaf/libvmaf.h"

/// Frames in the memory of a GPU, and their way to pictures without a copy (spec device_pictures
/// 2).
namespace vmaf::tool {

/// How the samples of a frame lie in the GPU's memory.
struct CudaLayout {
    VmafPixelFormat pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    unsigned depth = 0;
    unsigned shift = 0; ///< unused low bits of samples of two bytes
    bool semi_planar = false;

    bool operator==(const CudaLayout &) const = default;
};

inline bool is_in_cuda(const AVFrame &frame)
{
    return frame.format == AV_PIX_FMT_CUDA;
}

/// @param frame in the GPU's memory. @param decoded_as the pixel format that a decoder in software
/// would have given. Empty: such samples cannot be lent. (Gray H.264 is decoded to other luma than
/// in software.)
std::optional<CudaLayout> cuda_layout(const AVFrame &frame, AVPixelFormat decoded_as);

/// The range that the name of its format in software says, yuvj420p say, which a frame need not say
/// again.
void take_range_of(AVFrame &frame, AVPixelFormat decoded_as);

/// What is to be seen of a frame: cropping on the left and at the top is left to whoever reads the
/// GPU's memory.
struct VisibleSize {
    int width_px;
    int height_px;

    bool operator==(const VisibleSize &) const = default;
};
VisibleSize visible_size(const AVFrame &frame);

/// Crop the frame without moving samples.
/// @param crop inside the frame's current rectangle.
void cut_out(AVFrame &frame, const Crop &crop);

/// A GPU's frame in host memory, with the samples that a software decoder gives: planar, of the
/// layout's depth.
AvFrame downloaded(const AVFrame &frame, const CudaLayout &layout);

/// The frame as a picture of the library, which frees it once nobody reads it any more. The library
/// raises its samples to that depth, and scales it if that is not its size. Throws ScoringStopped.
void lend(VmafContext *context, VmafPicture &picture, AvFrame frame, const CudaLayout &layout,
          const VisibleSize &scored, unsigned scored_depth);

/// Frames that are filled by ourselves: made of host pictures, or copies.
class CudaFrames {
  public:
    /// @param device outlives it.
    explicit CudaFrames(AVBufferRef *device) : device_(device) {}

    /// A frame that holds none of its decoder's surfaces.
    AvFrame copy(const AVFrame &frame);

    struct Uploaded {
        AvFrame frame;
        CudaLayout layout;
    };
    /// @param planes in host memory.
    Uploaded upload(const VmafPicture &planes, bool with_chroma);

  private:
    AvFrame get(AVPixelFormat format, int width_px, int height_px);

    AVBufferRef *device_;
    AvBuffer frames_; ///< frames of the last requested size
};

} // namespace vmaf::tool
