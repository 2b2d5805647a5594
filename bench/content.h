#pragma once

#include <cstring>
#include <vector>

#include "support/clips.h"

/// Frames of a size that no clip has are cut out of a larger or deeper clip. All are 4:2:0.
namespace vmaf::bench {

/// Packed planes of one picture.
using Frame = std::vector<std::uint8_t>;

struct Content {
    unsigned width, height;
    std::vector<Frame> ref, dis; ///< length of a period: frame n equals frame n % period()
    unsigned bits = 8;           ///< bits of a sample; above 8 it has two bytes

    unsigned period() const { return static_cast<unsigned>(ref.size()); }
    unsigned plane_width(unsigned plane) const { return plane == 0 ? width : width / 2; }
    unsigned plane_height(unsigned plane) const { return plane == 0 ? height : height / 2; }
    std::size_t row_bytes(unsigned plane) const { return plane_width(plane) * sample_bytes(bits); }
    std::size_t plane_bytes(unsigned plane) const { return row_bytes(plane) * plane_height(plane); }
    /// Size of the luma plane, or of all three planes if `planes` is above 1.
    std::size_t bytes(unsigned planes) const
    {
        return plane_bytes(0) + (planes > 1 ? plane_bytes(1) + plane_bytes(2) : 0);
    }
};

/// The clip's sample with the requested bits: its highest ones, or zeros below them.
inline unsigned sample_with_bits(const PlaneView &from, unsigned x, unsigned y, unsigned bits)
{
    const unsigned sample = from.bpc == 8 ? from.row<std::uint8_t>(y)[x] : from.row<std::uint16_t>(y)[x];
    return bits < from.bpc ? sample >> (from.bpc - bits) : sample << (bits - from.bpc);
}

inline Frame cut_frame(const Content &content, const test::Clip &clip, test::Side side, unsigned index)
{
    Frame frame;
    frame.reserve(content.bytes(3));
    for (unsigned plane = 0; plane < 3; ++plane) {
        const PlaneView from = clip.plane(side, index, plane);
        for (unsigned y = 0; y < content.plane_height(plane); ++y)
            for (unsigned x = 0; x < content.plane_width(plane); ++x) {
                const unsigned sample = sample_with_bits(from, x, y, content.bits);
                frame.push_back(static_cast<std::uint8_t>(sample));
                if (content.bits > 8)
                    frame.push_back(static_cast<std::uint8_t>(sample >> 8));
            }
    }
    return frame;
}

inline Content make_content(const char *clip_name, unsigned width, unsigned height, unsigned bits = 8)
{
    const test::Clip &clip = test::Clip::get(clip_name);
    Content content{width, height, {}, {}, bits};
    for (unsigned index = 0; index < clip.spec().frames; ++index) {
        content.ref.push_back(cut_frame(content, clip, test::Side::ref, index));
        content.dis.push_back(cut_frame(content, clip, test::Side::dis, index));
    }
    return content;
}

/// Copies the first planes into a picture in host memory.
inline void fill(const VmafPicture &picture, const Content &content, const Frame &frame, unsigned planes)
{
    const std::uint8_t *from = frame.data();
    for (unsigned plane = 0; plane < planes; ++plane)
        for (unsigned y = 0; y < content.plane_height(plane); ++y, from += content.row_bytes(plane))
            std::memcpy(static_cast<char *>(picture.data[plane]) + picture.stride[plane] * y, from,
                        content.row_bytes(plane));
}

} // namespace vmaf::bench
