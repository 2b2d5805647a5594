#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "input/media/av_input.h"
#include "input/media/libav.h"

namespace vmaf::tool {

enum class Network { off, allowed };

/// A media file's best video stream, as packets. Everything else in the file is dropped.
class Demuxer {
  public:
    /// Reads what stands at the file's beginning. Throws Failure.
    Demuxer(InputFile file, Network network);
    Demuxer(const Demuxer &) = delete;

    const InputFile &file() const { return input_.file(); }
    const AVStream &stream() const { return *format_->streams[stream_]; }
    /// As the container says, or its duration and rate.
    std::optional<std::uint64_t> frame_count() const;
    /// Empty: unknown, as in files without time stamps.
    std::optional<AVRational> frame_rate() const;

    /// Of those that were read; a packet is a frame. Empty: none was.
    std::optional<double> bits_per_packet() const;

    enum class Next { packet, end, truncated, damaged };
    /// Fill the packet. truncated, damaged: nothing can be read behind this place.
    Next read(AVPacket &packet);
    /// From any thread.
    void cancel() { input_.cancel(); }

  private:
    void open(Network network);
    bool choose_stream();
    Next read_packet(AVPacket &packet);
    Next end_of_packets(int error);

    AvInput input_;
    AvFormatContext format_; ///< after the input, which it reads
    unsigned stream_ = 0;
    bool is_cut_ = false; ///< a small file was read to its end, too early, when it was looked into
    std::uint64_t packets_ = 0;
    std::uint64_t packet_bytes_ = 0; ///< of all of them
    AvPacket read_ahead_;
    std::optional<Next> next_; ///< what read_ahead_ holds, or why it is empty
};

} // namespace vmaf::tool
