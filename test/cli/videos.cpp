#include "videos.h"

namespace vmaf::test {
namespace {

unsigned plane_count(const VideoShape &shape)
{
    return shape.layout == "mono" ? 1 : 3;
}

unsigned plane_width(const VideoShape &shape, unsigned plane)
{
    return plane > 0 && shape.layout != "444" ? (shape.width + 1) / 2 : shape.width;
}

unsigned plane_height(const VideoShape &shape, unsigned plane)
{
    return plane > 0 && shape.layout == "420" ? (shape.height + 1) / 2 : shape.height;
}

/// Eight bits: moving stripes and a hashed grain.
unsigned sample(unsigned x, unsigned y, unsigned plane, unsigned frame, bool distorted)
{
    unsigned grain = (x * 7919 + y * 104729 + plane * 1299709 + frame * 15485863) * 2654435761U;
    grain = (grain >> 16) % 24;
    const unsigned stripes = (x * 3 + y * 2 + frame * 5) % 160;
    return 30 + stripes + (distorted ? grain / 3 * 2 : grain);
}

} // namespace

Planes make_frame(const VideoShape &shape, unsigned frame, bool distorted)
{
    Planes planes;
    for (unsigned plane = 0; plane < plane_count(shape); ++plane) {
        auto &samples = planes.emplace_back();
        for (unsigned y = 0; y < plane_height(shape, plane); ++y)
            for (unsigned x = 0; x < plane_width(shape, plane); ++x)
                samples.push_back(
                    static_cast<std::uint16_t>(sample(x, y, plane, frame, distorted) << (shape.depth - 8)));
    }
    return planes;
}

std::string frame_bytes(const VideoShape &shape, const Planes &planes, unsigned shift)
{
    std::string bytes;
    for (const auto &plane : planes)
        for (const unsigned value : plane) {
            const unsigned stored = value << shift;
            bytes += static_cast<char>(stored & 0xff);
            if (shape.depth + shift > 8)
                bytes += static_cast<char>(stored >> 8);
        }
    return bytes;
}

std::string raw_video(const VideoShape &shape, unsigned frames, bool distorted)
{
    std::string bytes;
    for (unsigned frame = 0; frame < frames; ++frame)
        bytes += frame_bytes(shape, make_frame(shape, frame, distorted));
    return bytes;
}

std::string y4m_tag(const VideoShape &shape)
{
    if (shape.depth == 8)
        return shape.layout;
    return shape.layout + (shape.layout == "mono" ? "" : "p") + std::to_string(shape.depth);
}

std::string y4m_header(const VideoShape &shape, const std::string &tag)
{
    return "YUV4MPEG2 W" + std::to_string(shape.width) + " H" + std::to_string(shape.height) + " F25:1 Ip A1:1 C" +
           tag + "\n";
}

std::string y4m_video(const VideoShape &shape, unsigned frames, bool distorted)
{
    std::string bytes = y4m_header(shape, y4m_tag(shape));
    for (unsigned frame = 0; frame < frames; ++frame)
        bytes += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, distorted));
    return bytes;
}

} // namespace vmaf::test
