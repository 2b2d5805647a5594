#pragma once

#include <cstddef>
#include <cstdint>

#include "input/media/libav.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// A picture as the scaler sees it.
struct ScaledShape {
    int width_px = 0;
    int height_px = 0;
    AVPixelFormat format = AV_PIX_FMT_NONE;
    bool full_range = false;

    bool operator==(const ScaledShape &) const = default;
};

struct PictureView {
    ScaledShape shape;
    std::uint8_t *data[4]{};
    int stride_bytes[4]{};
};

/// View of a frame in its own format and range. Borrows the frame.
PictureView view_of(const AVFrame &frame);
/// One plane as a gray picture of its depth. Borrows.
PictureView gray_view(std::uint8_t *data, int stride_bytes, int width_px, int height_px, unsigned depth);

/// integer: sizes are changed by the library's scaler (library_scaling.h), and accurate is what
/// remains.
enum class Rounding { fast, accurate, integer };

/// Bicubic scaling by libswscale, prepared anew only when the shapes change.
class PictureScaler {
  public:
    explicit PictureScaler(Rounding rounding);

    /// @param to of the same pixel format and range. Throws ScoringStopped if the library cannot do
    /// it.
    void scale(const PictureView &from, const PictureView &to);

  private:
    void prepare(const ScaledShape &from, const ScaledShape &to);

    int flags_;
    Scaler scaler_;
    ScaledShape from_, to_;
};

/// One plane of samples of 8 bits, or of more in two bytes each. Borrows.
struct SamplePlane {
    const std::uint8_t *data = nullptr;
    std::ptrdiff_t stride_bytes = 0; ///< positive
    unsigned width_px = 0;
    unsigned height_px = 0;
    unsigned depth = 0;
};

/// A plane that the library scaled, in integers (spec device_pictures 3): the samples that it makes
/// on a GPU, too.
class LibraryScaledPlane {
  public:
    /// Throws ScoringStopped if the library cannot do it.
    LibraryScaledPlane(const SamplePlane &from, unsigned width_px, unsigned height_px);
    ~LibraryScaledPlane();
    LibraryScaledPlane(const LibraryScaledPlane &) = delete;
    LibraryScaledPlane &operator=(const LibraryScaledPlane &) = delete;

    SamplePlane plane() const;

  private:
    VmafPicture picture_{};
};

} // namespace vmaf::tool
