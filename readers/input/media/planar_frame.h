#pragma once

#include "input/media/libav.h"
#include "input/media/pixel_layout.h"
#include "input/media/scaling.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// Makes planar YUV or gray of decoded frames, at their own size (the table of spec cli 10.1): of
/// 8, 10, 12 or 16 bits, little endian, without alpha, chroma sizes rounded up, color_range JPEG or
/// MPEG.
class PlanarFrames {
  public:
    /// @param background that frames with alpha are composed over; empty: alpha is left out.
    explicit PlanarFrames(Rounding rounding, std::optional<Background> background = std::nullopt)
        : rounding_(rounding), background_(background), chroma_scaler_(rounding)
    {
    }

    Rounding rounding() const { return rounding_; }
    /// What RGB becomes: that matrix, which has luma_weights(), range and depth. At first BT.709,
    /// limited, of its own depth.
    void convert_rgb_to(const PictureForm &form) { rgb_form_ = form; }

    /// @param decoded of a format that has a PixelLayout. The result may share its planes.
    AvFrame make(const AVFrame &decoded);

  private:
    void fill_chroma(const AVFrame &decoded, const PixelLayout &layout, AVFrame &planar);

    AvFrame make_yuv(const AVFrame &decoded, const PixelLayout &layout);

    Rounding rounding_;
    std::optional<Background> background_;
    std::optional<PictureForm> rgb_form_;
    PictureScaler chroma_scaler_;
};

/// The planes of a planar frame as a picture has them, but for chroma sizes rounded up. Borrows.
VmafPicture planes_of(const AVFrame &frame);

/// @param a, b planar.
bool have_same_samples(const AVFrame &a, const AVFrame &b);

/// Columns and rows of a plane of a frame of that format, rounded up.
int plane_width(AVPixelFormat format, int width_px, int plane);
int plane_height(AVPixelFormat format, int height_px, int plane);

} // namespace vmaf::tool
