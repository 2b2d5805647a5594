#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/buffer.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "input/video_format.h"

/// Owners of the media libraries' objects, and their messages.
namespace vmaf::tool {

template <auto release> struct AvReleasedBy {
    template <class T> void operator()(T *object) const { release(&object); }
};

using AvFrame = std::unique_ptr<AVFrame, AvReleasedBy<av_frame_free>>;
using AvPacket = std::unique_ptr<AVPacket, AvReleasedBy<av_packet_free>>;
using AvCodecContext = std::unique_ptr<AVCodecContext, AvReleasedBy<avcodec_free_context>>;
using AvFormatContext = std::unique_ptr<AVFormatContext, AvReleasedBy<avformat_close_input>>;

using AvBuffer = std::unique_ptr<AVBufferRef, AvReleasedBy<av_buffer_unref>>;

struct FreeSwsContext {
    void operator()(SwsContext *context) const { sws_freeContext(context); }
};
using Scaler = std::unique_ptr<SwsContext, FreeSwsContext>;

class AvDictionary {
  public:
    AvDictionary() = default;
    AvDictionary(const AvDictionary &) = delete;
    ~AvDictionary() { av_dict_free(&raw_); }
    void set(const char *key, const char *value);
    AVDictionary **get() { return &raw_; }

  private:
    AVDictionary *raw_ = nullptr;
};

/// The result of an allocation of the media libraries. Throws std::bad_alloc for null.
template <class T> T *allocated(T *object)
{
    if (!object)
        throw std::bad_alloc();
    return object;
}

/// Whether the frame says that it holds two fields.
bool is_interlaced(const AVFrame &frame);

/// When frames are shown.
struct FrameTiming {
    AVRational time_base{1, 25}; ///< the unit of time stamps
    AVRational frame_rate{0, 1}; ///< frames per second; 0/1: unknown
    std::int64_t start = 0;      ///< the time stamp of the file's start
};

AvFrame new_frame();
/// A frame with its own planes, aligned for the libraries' vector code.
AvFrame new_picture(AVPixelFormat format, int width_px, int height_px);

/// An unknown range counts as limited.
inline Range range_of(const AVFrame &frame)
{
    return frame.color_range == AVCOL_RANGE_JPEG ? Range::full : Range::limited;
}

inline AVColorRange av_range(Range range)
{
    return range == Range::full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

/// Errors that a decoder speaks of, on any of its threads.
class DecoderComplaints {
  public:
    void add(const char *text);
    /// Accept from now on that an H.264 picture refers to one that the decoder never saw.
    void expect_missing_pictures() { misses_pictures_ = true; }
    std::uint64_t count() const;
    /// The one whose bytes come first, so that it does not depend on which thread spoke first.
    /// Printable.
    std::string example() const;

  private:
    mutable std::mutex mutex_;
    bool misses_pictures_ = false;
    std::uint64_t count_ = 0;
    std::string example_;
};

/// All that the media libraries say of errors on this thread, decoders excepted, while it lives.
/// One lives on a thread at a time.
class GatheredComplaints {
  public:
    GatheredComplaints();
    ~GatheredComplaints();
    GatheredComplaints(const GatheredComplaints &) = delete;

    /// "ONE; ANOTHER", printable; empty: there are none.
    std::string text() const;
    /// @param text a line or a part of one. What does not fit is dropped.
    void add(const char *text);

  private:
    std::array<char, 1024> text_{};
    std::size_t size_ = 0;
};

/// Stop the media libraries from printing; keep their error messages. A decoder's messages go to
/// the DecoderComplaints that its context's `opaque` points to.
void keep_libav_messages();
/// What was last said of an error on this thread, not by a decoder, since it was last asked; else
/// the code's meaning. Printable.
std::string libav_reason(int error);
/// The last error message on this thread; empty if there was none.
std::string take_libav_complaint();

} // namespace vmaf::tool
