#pragma once

#include <cstdint>
#include <optional>

namespace vmaf::tool {

/// A place in a compressed video where decoding can begin.
struct KeyFrame {
    std::int64_t asked = 0;   ///< time stamp to seek to
    std::int64_t pts = 0;     ///< time stamp of the frame, in units of the stream
    bool may_be_open = false; ///< later pictures of H.264 may refer to some before it
};

/// Frames of a compressed video, which need not be decoded from its start, and what they must turn
/// out to be.
struct SegmentStart {
    std::optional<KeyFrame> from;  ///< empty: from the video's start
    std::uint64_t start = 0;       ///< the number of that frame, as far as messages name frames
    std::uint64_t dropped = 0;     ///< frames between that and the first one that is wanted
    std::uint64_t checked = 0;     ///< frames from there on that have known time stamps
    std::uint64_t time_stamps = 0; ///< digest of these
};

/// Digest of time stamps, one after the other.
class TimeStampDigest {
  public:
    void add(std::int64_t pts)
    {
        for (unsigned byte = 0; byte < sizeof pts; ++byte)
            value_ = (value_ ^ ((static_cast<std::uint64_t>(pts) >> (8 * byte)) & 0xff)) * kPrime;
        ++count_;
    }
    std::uint64_t value() const { return value_; }
    std::uint64_t count() const { return count_; }

  private:
    static constexpr std::uint64_t kPrime = 0x100000001b3; // FNV-1a
    std::uint64_t value_ = 0xcbf29ce484222325;
    std::uint64_t count_ = 0;
};

} // namespace vmaf::tool
