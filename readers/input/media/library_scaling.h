#pragma once

#include <cstddef>
#include <cstdint>

#include "libvmaf/picture.h"

namespace vmaf::tool {

/// One plane of samples of 8 bits, or of more in two bytes each. Borrows.
struct SamplePlane {
    const std::uint8_t *data = nullptr;
    std::ptrdiff_t stride_bytes = 0; ///< positive
    unsigned width_px = 0;
    unsigned height_px = 0;
    unsigned depth = 0;
};

/// A plane that the library scaled, in integers (spec device_pictures 3): the samples that it makes on a GPU, too.
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
