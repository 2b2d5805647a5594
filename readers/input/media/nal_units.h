#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// What follows the next start code (ITU-T H.264, annex B); empty: there is none.
inline ByteSpan after_start_code(ByteSpan bytes)
{
    constexpr std::uint8_t kStartCode[] = {0, 0, 1};
    const auto found = std::ranges::search(bytes, kStartCode);
    return {found.end(), bytes.end()};
}

/// Calls visit(ByteSpan) for each unit, in order, none of them empty.
template <class Visit> void for_each_nal_unit(ByteSpan bytes, unsigned length_bytes, Visit visit)
{
    if (length_bytes == 0)
        bytes = after_start_code(bytes);
    while (bytes.size() > length_bytes) {
        std::size_t length = 0;
        for (unsigned i = 0; i < length_bytes; ++i)
            length = length << 8 | bytes[i];
        bytes = bytes.subspan(length_bytes);
        const ByteSpan rest =
            length_bytes == 0 ? after_start_code(bytes) : bytes.subspan(std::min(length, bytes.size()));
        if (rest.data() != bytes.data())
            visit(bytes.first(bytes.size() - rest.size()));
        bytes = rest;
    }
}

} // namespace vmaf::tool
