#pragma once

#include "input/media/libav.h"
#include "input/media/scaling.h"
#include "input/sample_map.h"
#include "input/video_format.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// Brings planar frames of any size, layout, depth and range to one form, into pictures (spec cli
/// 10.1).
class PictureWriter {
  public:
    PictureWriter(const PictureForm &to, Rounding rounding);

    /// @param frame as PlanarFrames makes them. @param picture of that form. @param with_chroma
    /// else those planes keep what they hold.
    void write(const AVFrame &frame, VmafPicture &picture, bool with_chroma);

  private:
    SampleCoding coding() const;
    const FrameMap &map_of(const AVFrame &frame);
    bool is_scaled(const AVFrame &frame, bool with_chroma) const;
    AvFrame recoded(const AVFrame &frame, bool with_chroma);
    AvFrame resized(const AVFrame &frame);
    AvFrame resized_luma(const AVFrame &frame);
    void write_in_integers(const AVFrame &frame, VmafPicture &picture, bool with_chroma);
    void write_plane_in_integers(const AVFrame &frame, VmafPicture &picture, unsigned plane);
    void write_by_swscale(const AVFrame &frame, VmafPicture &picture, bool with_chroma);
    void write_chroma(const AVFrame &frame, VmafPicture &picture, unsigned plane);

    PictureForm to_;
    Rounding rounding_;
    PictureScaler scaler_;
    PictureScaler chroma_scaler_;
    FrameMap copy_;
    SampleCoding coding_; ///< coding of the frames that map_ is for
    FrameMap map_;
};

} // namespace vmaf::tool
