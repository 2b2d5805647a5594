#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Small videos made by arithmetic, as the bytes of files.
namespace vmaf::test {

/// Planes in the order of the file. Samples are numbers, so any depth can be made of them.
using Planes = std::vector<std::vector<std::uint16_t>>;

struct VideoShape {
    unsigned width = 320;
    unsigned height = 240;
    std::string layout = "420"; ///< 420, 422, 444 or mono
    unsigned depth = 8;         ///< bits of the samples, and of their storage
};

/// A textured frame. The distorted one differs from the reference by a pattern.
Planes make_frame(const VideoShape &shape, unsigned frame, bool distorted);

/// One or two bytes a sample, little endian, shifted left.
std::string frame_bytes(const VideoShape &shape, const Planes &planes, unsigned shift = 0);
std::string raw_video(const VideoShape &shape, unsigned frames, bool distorted);

/// A "C" tag: 420, 422p10, mono12...
std::string y4m_tag(const VideoShape &shape);
/// The header line with that C tag.
std::string y4m_header(const VideoShape &shape, const std::string &tag);
std::string y4m_video(const VideoShape &shape, unsigned frames, bool distorted);

} // namespace vmaf::test
