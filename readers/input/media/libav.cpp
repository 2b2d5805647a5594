#include "input/media/libav.h"

#include <array>
#include <cstdio>

#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr int kBestAlignment = 0;
constexpr std::size_t kLongestComplaint = 256;

std::string without_line_end(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '.'))
        text.pop_back();
    return printable(text);
}

/// The reader's own thread demuxes, so that what is kept here is of its own file.
thread_local std::array<char, kLongestComplaint> g_last_complaint{};

void keep_complaint(void *object, int level, const char *format, va_list arguments)
{
    if (level > AV_LOG_ERROR)
        return;
    if (!object || *static_cast<const AVClass *const *>(object) != avcodec_get_class()) {
        std::vsnprintf(g_last_complaint.data(), g_last_complaint.size(), format, arguments);
        return;
    }
    std::array<char, kLongestComplaint> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    if (auto *complaints = static_cast<DecoderComplaints *>(static_cast<AVCodecContext *>(object)->opaque))
        complaints->add(text.data());
}

} // namespace

void AvDictionary::set(const char *key, const char *value)
{
    if (av_dict_set(&raw_, key, value, 0) < 0)
        throw std::bad_alloc();
}

/// Called from C: nothing may be thrown.
void DecoderComplaints::add(const char *text)
{
    const std::scoped_lock lock(mutex_);
    if (count_++ != 0)
        return;
    try {
        first_ = text;
    } catch (const std::bad_alloc &) {
        first_.clear();
    }
}

std::uint64_t DecoderComplaints::count() const
{
    const std::scoped_lock lock(mutex_);
    return count_;
}

std::string DecoderComplaints::first() const
{
    const std::scoped_lock lock(mutex_);
    return without_line_end(first_);
}

AvFrame new_frame()
{
    return AvFrame(allocated(av_frame_alloc()));
}

AvFrame new_picture(AVPixelFormat format, int width_px, int height_px)
{
    AvFrame frame = new_frame();
    frame->format = format;
    frame->width = width_px;
    frame->height = height_px;
    if (av_frame_get_buffer(frame.get(), kBestAlignment) < 0)
        throw std::bad_alloc();
    return frame;
}

void keep_libav_messages()
{
    av_log_set_callback(keep_complaint);
}

std::string take_libav_complaint()
{
    std::string text = g_last_complaint.data();
    g_last_complaint[0] = '\0';
    return without_line_end(text);
}

std::string libav_reason(int error)
{
    std::string text = take_libav_complaint();
    if (!text.empty())
        return text;
    std::array<char, AV_ERROR_MAX_STRING_SIZE> meaning{};
    av_strerror(error, meaning.data(), meaning.size());
    return meaning.data();
}

} // namespace vmaf::tool
