#pragma once

#include "base/plane_view.h"
#include "libvmaf/picture.h"

namespace vmaf {

/// The product of the sides of a larger picture does not fit in 32 bits, which some
/// arithmetic of the specification needs.
constexpr unsigned kLargestSidePx = 65535;

/// Format that all pictures of a session share.
struct PictureFormat {
    VmafPixelFormat pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    unsigned bpc = 0;    ///< bits per sample, 8..16
    unsigned width = 0;  ///< luma, pixels
    unsigned height = 0; ///< luma, pixels

    bool operator==(const PictureFormat &) const = default;

    std::size_t sample_bytes() const { return vmaf::sample_bytes(bpc); }
    unsigned plane_count() const { return pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3; }

    /// Chroma is rounded down for odd sizes (spec abi 3.2); 0 for a plane that the format lacks.
    unsigned plane_width(unsigned plane) const
    {
        if (plane == 0)
            return width;
        switch (pix_fmt) {
        case VMAF_PIX_FMT_YUV444P:
            return width;
        case VMAF_PIX_FMT_YUV420P:
        case VMAF_PIX_FMT_YUV422P:
            return width >> 1;
        default:
            return 0;
        }
    }
    unsigned plane_height(unsigned plane) const
    {
        if (plane == 0)
            return height;
        switch (pix_fmt) {
        case VMAF_PIX_FMT_YUV444P:
        case VMAF_PIX_FMT_YUV422P:
            return height;
        case VMAF_PIX_FMT_YUV420P:
            return height >> 1;
        default:
            return 0;
        }
    }
};

} // namespace vmaf
