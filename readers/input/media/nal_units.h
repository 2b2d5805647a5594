#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "input/media/libav.h"

namespace vmaf::tool {

using ByteSpan = std::span<const std::uint8_t>;

/// How many bytes the length in front of each unit of H.264 or HEVC takes; 0: units follow start
/// codes (ISO/IEC 14496-15, 5.3 and 8.3).
inline unsigned nal_length_bytes(const AVCodecParameters &codec)
{
    constexpr int kInAvcRecord = 4, kInHevcRecord = 21;
    const int place = codec.codec_id == AV_CODEC_ID_HEVC ? kInHevcRecord : kInAvcRecord;
    const bool has_record = codec.extradata_size > place && codec.extradata[0] == 1;
    return has_record ? (codec.extradata[place] & 3U) + 1 : 0;
}

constexpr std::uint8_t kStartCode[] = {0, 0, 1};

/// Bytes before the next start code (ITU-T H.264, annex B), or all of them.
inline std::size_t bytes_before_start_code(ByteSpan bytes)
{
    // Clang 14 does not compile std::ranges::search.
    const auto found = std::search(bytes.begin(), bytes.end(), std::begin(kStartCode), std::end(kStartCode));
    return static_cast<std::size_t>(found - bytes.begin());
}

/// Calls visit(ByteSpan) for each unit, in order, none of them empty.
template <class Visit> void for_each_nal_unit(ByteSpan bytes, unsigned length_bytes, Visit visit)
{
    const std::size_t start_code_bytes = length_bytes == 0 ? std::size(kStartCode) : 0;
    const auto skip = [&bytes](std::size_t count) { bytes = bytes.subspan(std::min(count, bytes.size())); };
    if (length_bytes == 0)
        skip(bytes_before_start_code(bytes) + start_code_bytes);
    while (bytes.size() > length_bytes) {
        std::size_t length = 0;
        for (unsigned i = 0; i < length_bytes; ++i)
            length = length << 8 | bytes[i];
        skip(length_bytes);
        length = length_bytes == 0 ? bytes_before_start_code(bytes) : std::min(length, bytes.size());
        if (length > 0)
            visit(bytes.first(length));
        skip(length + start_code_bytes);
    }
}

/// Whether pictures of H.264 that follow may refer to some before this packet: it holds no IDR
/// picture.
inline bool may_be_open(const AVPacket &packet, const AVCodecParameters &codec)
{
    constexpr unsigned kTypeBits = 0x1f, kIdrSlice = 5;
    if (codec.codec_id != AV_CODEC_ID_H264)
        return false;
    bool has_idr = false;
    for_each_nal_unit({packet.data, static_cast<std::size_t>(packet.size)}, nal_length_bytes(codec),
                      [&](ByteSpan unit) { has_idr = has_idr || (unit[0] & kTypeBits) == kIdrSlice; });
    return !has_idr;
}

} // namespace vmaf::tool
