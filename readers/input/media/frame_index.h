#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "input/coded_frame.h"
#include "input/media/demuxer.h"
#include "input/segment_start.h"

namespace vmaf::tool {

/// The frames of a media file, as its packets promise them: no frame is decoded for it.
class FrameIndex {
  public:
    /// Reads the file to its end. Empty: its packets do not tell, or it cannot be read again.
    /// @param first_pts of the first frame: pictures before it are not delivered, for they refer to
    /// some that were cut away.
    static std::unique_ptr<FrameIndex> of(const InputFile &file, Network network, std::int64_t first_pts);

    std::uint64_t frames() const { return time_stamps_.size(); }
    const std::vector<std::int64_t> &time_stamps() const { return time_stamps_; }
    /// Packets name key frames, and no other type.
    const std::vector<CodedFrame> &coded_frames() const { return coded_frames_; }
    /// The frames first..end-1 and those that have to be decoded for them.
    SegmentStart segment_start(std::uint64_t first, std::uint64_t end);

  private:
    FrameIndex(const InputFile &file, Network network) : demuxer_(file.reopened(), network) {}
    bool read(std::int64_t first_pts);
    std::optional<std::uint64_t> number_of(std::int64_t pts) const;

    Demuxer demuxer_;
    std::vector<std::int64_t> time_stamps_; ///< ascending
    std::vector<CodedFrame> coded_frames_;  ///< in the same order
    std::vector<std::int64_t> key_frames_;  ///< where decoding can begin, ascending
};

/// Whether the time from one frame to the next varies by more than 20 % (spec comparison 2.6).
/// Reads the file to its end.
bool has_variable_rate(const InputFile &file, Network network);

} // namespace vmaf::tool
