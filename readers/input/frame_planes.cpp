#include "input/frame_planes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace vmaf::tool {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold little-endian samples");

/// Row by row, since samples change on their way.
std::size_t read_mapped_rows(InputFile &file, const FileLayout &layout, const SampleMap &map, VmafPicture &picture,
                             unsigned plane)
{
    const std::size_t row_bytes = layout.plane_width(plane) * layout.bytes_per_sample();
    std::vector<std::byte> stored(row_bytes);
    auto *row = static_cast<std::byte *>(picture.data[plane]);
    std::size_t done = 0;
    for (unsigned y = 0; y < picture.h[plane]; ++y, row += picture.stride[plane]) {
        done += file.read(stored.data(), row_bytes);
        map.convert(stored.data(), row, picture.w[plane]);
    }
    return done;
}

/// Straight to where they belong, in as few reads as can be.
std::size_t read_plain_rows(InputFile &file, const FileLayout &layout, VmafPicture &picture, unsigned plane)
{
    const std::size_t kept_bytes = picture.w[plane] * std::size_t{layout.bytes_per_sample()};
    const std::size_t row_bytes = layout.plane_width(plane) * layout.bytes_per_sample();
    auto *row = static_cast<std::byte *>(picture.data[plane]);
    if (static_cast<std::size_t>(picture.stride[plane]) == row_bytes)
        return file.read(row, row_bytes * picture.h[plane]);
    std::array<std::byte, 2> dropped; // a sample of each row of an odd width
    std::vector<iovec> parts;
    parts.reserve(2 * std::size_t{picture.h[plane]});
    for (unsigned y = 0; y < picture.h[plane]; ++y, row += picture.stride[plane]) {
        parts.push_back({row, kept_bytes});
        if (row_bytes > kept_bytes)
            parts.push_back({dropped.data(), row_bytes - kept_bytes});
    }
    return file.read(parts);
}

std::size_t read_rows(InputFile &file, const FileLayout &layout, const SampleMap &map, VmafPicture &picture,
                      unsigned plane)
{
    return map.is_copy() ? read_plain_rows(file, layout, picture, plane)
                         : read_mapped_rows(file, layout, map, picture, plane);
}

} // namespace

std::size_t FileLayout::plane_width(unsigned plane) const
{
    const bool halved = plane > 0 && format.pix_fmt != VMAF_PIX_FMT_YUV444P;
    return halved ? (format.width_px + 1) / 2 : format.width_px;
}

std::size_t FileLayout::plane_height(unsigned plane) const
{
    const bool halved = plane > 0 && format.pix_fmt == VMAF_PIX_FMT_YUV420P;
    return halved ? (format.height_px + 1) / 2 : format.height_px;
}

std::size_t FileLayout::plane_bytes(unsigned plane) const
{
    return plane_width(plane) * plane_height(plane) * bytes_per_sample();
}

std::size_t FileLayout::frame_bytes() const
{
    std::size_t bytes = alpha ? plane_bytes(0) : 0;
    for (unsigned plane = 0; plane < plane_count(); ++plane)
        bytes += plane_bytes(plane);
    return bytes;
}

FrameMap depth_map(const FileLayout &layout)
{
    return {{layout.stored_depth(), layout.range}, {layout.format.depth, layout.range}};
}

std::size_t read_planes(InputFile &file, const FileLayout &layout, const FrameMap &map, VmafPicture &picture,
                        unsigned planes)
{
    std::size_t done = 0;
    std::size_t left = layout.frame_bytes();
    for (unsigned plane = 0; plane < std::min(planes, layout.plane_count()); ++plane) {
        const std::size_t dropped_rows = layout.plane_height(plane) - picture.h[plane];
        done += read_rows(file, layout, map.of_plane(plane), picture, plane);
        done += file.skip(dropped_rows * layout.plane_width(plane) * layout.bytes_per_sample());
        left -= layout.plane_bytes(plane);
    }
    return done + file.skip(left);
}

} // namespace vmaf::tool
