#pragma once

#include "input/media/libav.h"
#include "input/media/scaling.h"
#include "input/video_format.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// Brings planar frames of any size, layout, depth and range to one form, into pictures (spec cli 10.1).
class PictureWriter {
  public:
    PictureWriter(const PictureForm &to, Rounding rounding);

    /// @param frame as PlanarFrames makes them. @param picture of that form. @param with_chroma else those planes
    /// keep what they hold.
    void write(const AVFrame &frame, VmafPicture &picture, bool with_chroma);

  private:
    AvFrame resized(const AVFrame &frame, unsigned width_px, unsigned height_px);
    void write_in_integers(const AVFrame &frame, VmafPicture &picture, bool with_chroma);
    void write_plane_in_integers(const AVFrame &frame, VmafPicture &picture, unsigned plane) const;
    void write_resized_luma(const AVFrame &frame, VmafPicture &picture);
    void write_chroma(const AVFrame &frame, VmafPicture &picture, unsigned plane);

    bool has_range_and_depth(const AVFrame &frame) const;

    PictureForm to_;
    Rounding rounding_;
    PictureScaler scaler_;
    PictureScaler chroma_scaler_;
};

} // namespace vmaf::tool
