#pragma once

#include <cstddef>
#include <vector>

#include "input/input_file.h"
#include "input/sample_map.h"
#include "input/video_format.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// The planes of a frame as files hold them: packed, chroma sizes rounded up (spec cli 3.1).
struct FileLayout {
    VideoFormat format; ///< of the pictures to make
    unsigned shift = 0; ///< bits by which stored samples are shallower than format.depth
    bool alpha = false; ///< a fourth plane of luma size follows, to be dropped
    Range range = Range::limited;

    unsigned stored_depth() const { return format.depth - shift; }
    unsigned bytes_per_sample() const { return stored_depth() > 8 ? 2 : 1; }
    unsigned plane_count() const { return format.pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3; }
    std::size_t plane_width(unsigned plane) const;
    std::size_t plane_height(unsigned plane) const;
    std::size_t plane_bytes(unsigned plane) const;
    std::size_t frame_bytes() const;
};

/// The mapping from the stored depth to that of the pictures.
FrameMap depth_map(const FileLayout &layout);

/// Read one frame into a picture of layout.format: its first `planes` planes, the others keep what
/// they hold. Pictures have chroma rounded down, so the last column or row of an odd size is
/// dropped. Returns the bytes read or skipped: fewer than frame_bytes() if the file ended.
/// @param map depth_map() of the layout.
std::size_t read_planes(InputFile &file, const FileLayout &layout, const FrameMap &map, VmafPicture &picture,
                        unsigned planes);

} // namespace vmaf::tool
