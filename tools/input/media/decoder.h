#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/failure.h"
#include "input/media/demuxer.h"
#include "input/media/libav.h"

namespace vmaf::tool {

/// Decodes a video stream in software.
class Decoder {
  public:
    /// Throws Failure.
    Decoder(InputFile file, Network network);

    const Demuxer &demuxer() const { return demuxer_; }
    /// Frames in order of presentation, cropped; null at the end. Throws ScoringStopped, ReadCancelled.
    AvFrame next();
    /// What the decoder found wrong with frames that it delivered; empty: nothing.
    std::optional<std::string> damage() const;
    void cancel() { demuxer_.cancel(); }

  private:
    void feed();
    [[noreturn]] void stop(StopReason reason, const std::string &what) const;

    Demuxer demuxer_;
    std::unique_ptr<DecoderComplaints> complaints_; ///< before the decoder, which adds to them
    AvCodecContext codec_;
    AvPacket packet_;
    AvFrame decoded_;
    Demuxer::Next fed_ = Demuxer::Next::packet; ///< end and worse: the decoder delivers what it still holds
    bool has_packet_ = false;                   ///< that the decoder had no room for
    std::uint64_t frames_ = 0;
    std::uint64_t damaged_frames_ = 0; ///< as they are marked; marks get lost among a decoder's threads
};

} // namespace vmaf::tool
