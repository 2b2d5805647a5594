#include "input/media/libav.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

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
thread_local GatheredComplaints *g_gathered = nullptr;

void keep_complaint(void *object, int level, const char *format, va_list arguments)
{
    if (level > AV_LOG_ERROR)
        return;
    if (!object || *static_cast<const AVClass *const *>(object) != avcodec_get_class()) {
        std::vsnprintf(g_last_complaint.data(), g_last_complaint.size(), format, arguments);
        if (g_gathered)
            g_gathered->add(g_last_complaint.data());
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
    constexpr std::string_view kForgetsMissingPicture = "mmco: unref";
    const std::scoped_lock lock(mutex_);
    if (misses_pictures_ && std::string_view(text).starts_with(kForgetsMissingPicture))
        return;
    if (count_++ != 0 && std::string_view(text) >= example_)
        return;
    try {
        example_ = text;
    } catch (const std::bad_alloc &) {
        example_.clear();
    }
}

std::uint64_t DecoderComplaints::count() const
{
    const std::scoped_lock lock(mutex_);
    return count_;
}

std::string DecoderComplaints::example() const
{
    const std::scoped_lock lock(mutex_);
    return without_line_end(example_);
}

GatheredComplaints::GatheredComplaints()
{
    g_gathered = this;
}

GatheredComplaints::~GatheredComplaints()
{
    g_gathered = nullptr;
}

/// Called from C: nothing may be thrown.
void GatheredComplaints::add(const char *text)
{
    for (; *text != '\0' && size_ < text_.size(); ++text)
        text_[size_++] = *text;
}

std::string GatheredComplaints::text() const
{
    std::string all;
    for (std::string_view rest(text_.data(), size_); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (const std::string line = without_line_end(std::string(rest.substr(0, end))); !line.empty())
            all += (all.empty() ? "" : "; ") + line;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

bool is_interlaced(const AVFrame &frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
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
