#include "input/compatibility.h"

#include "common/format.h"

namespace vmaf::tool {

std::vector<std::string> incompatibilities(const VideoFormat &ref, const VideoFormat &dis)
{
    std::vector<std::string> problems;
    if (ref.width_px != dis.width_px || ref.height_px != dis.height_px)
        problems.push_back(formatted("dimensions do not match: {}x{}, {}x{}", ref.width_px, ref.height_px, dis.width_px,
                                     dis.height_px));
    if (ref.pix_fmt != dis.pix_fmt)
        problems.push_back(formatted("pixel formats do not match: {}, {}", pixel_format_text(ref.pix_fmt),
                                     pixel_format_text(dis.pix_fmt)));
    if (ref.depth != dis.depth)
        problems.push_back(formatted("bitdepths do not match: {}, {}", ref.depth, dis.depth));
    return problems;
}

} // namespace vmaf::tool
