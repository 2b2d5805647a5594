#include "alignment/kept_video.h"

#include <cstring>

#include "common/failure.h"

namespace vmaf::tool {
namespace {

unsigned planes_of(const VmafPicture &picture)
{
    return picture.pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3;
}

/// Bytes of a plane's samples in a row.
std::size_t row_bytes(const VmafPicture &picture, unsigned plane)
{
    return std::size_t{picture.w[plane]} * (picture.bpc > 8 ? 2 : 1);
}

std::size_t bytes_of(const VmafPicture &picture)
{
    std::size_t bytes = 0;
    for (unsigned plane = 0; plane < planes_of(picture); ++plane)
        bytes += static_cast<std::size_t>(picture.stride[plane]) * picture.h[plane];
    return bytes;
}

void copy(const VmafPicture &from, VmafPicture &to, unsigned planes)
{
    for (unsigned plane = 0; plane < planes; ++plane)
        for (unsigned y = 0; y < from.h[plane]; ++y)
            std::memcpy(static_cast<std::byte *>(to.data[plane]) + static_cast<std::ptrdiff_t>(y) * to.stride[plane],
                        static_cast<const std::byte *>(from.data[plane]) +
                            static_cast<std::ptrdiff_t>(y) * from.stride[plane],
                        row_bytes(from, plane));
}

} // namespace

bool FrameMemory::take(std::size_t bytes)
{
    std::size_t left = left_;
    while (left >= bytes)
        if (left_.compare_exchange_weak(left, left - bytes))
            return true;
    return false;
}

const VmafPicture *KeptVideo::look_ahead()
{
    has_looked_ = true;
    if (!latest_.raw().ref)
        latest_ = new_picture(format());
    const std::size_t bytes = bytes_of(latest_.raw());
    if (keeps_ && !memory_.take(bytes)) {
        if (!file().is_seekable())
            static_cast<void>(reopened()); // says why that cannot be done
        forget();
    }
    if (keeps_)
        bytes_ += bytes;
    if (!try_to([&] { return video_->read_frame(latest_.raw()); }))
        return nullptr;
    if (!keeps_)
        return &latest_.raw();
    kept_.push_back(std::exchange(latest_, {}));
    return &kept_.back().raw();
}

bool KeptVideo::skip_ahead()
{
    has_looked_ = true;
    const bool is_there = try_to([&] { return video_->skip_frame(); });
    if (is_there && keeps_)
        kept_.emplace_back();
    return is_there;
}

/// Damage is told when the frames are read again.
template <class Read> bool KeptVideo::try_to(const Read &read)
{
    try {
        return read();
    } catch (const ScoringStopped &) {
        forget();
        throw;
    }
}

/// Chroma is not looked at.
void KeptVideo::forget()
{
    keeps_ = false;
    kept_.clear();
    memory_.give_back(std::exchange(bytes_, 0));
    video_->leave_out_chroma();
}

void KeptVideo::end_looking()
{
    latest_ = {};
    if (video_->damage() && keeps_)
        forget();
    if (has_looked_ && !keeps_)
        begin_anew();
}

/// Start again at the first frame, as if no frame had been read ahead.
void KeptVideo::begin_anew()
{
    std::unique_ptr<VideoReader> again = video_->reopened();
    has_looked_ = false;
    kept_.clear();
    const std::scoped_lock lock(exchanging_);
    video_ = std::move(again);
    if (is_cancelled_)
        video_->cancel();
}

void KeptVideo::leave_out_chroma()
{
    with_chroma_ = false;
    video_->leave_out_chroma();
}

bool KeptVideo::read_frame(VmafPicture &picture)
{
    if (kept_.empty()) {
        ++delivered_;
        return video_->read_frame(picture);
    }
    copy(kept_.front().raw(), picture, with_chroma_ ? planes_of(picture) : 1);
    return skip_frame();
}

bool KeptVideo::skip_frame()
{
    ++delivered_;
    if (kept_.empty())
        return video_->skip_frame();
    kept_.pop_front();
    return true;
}

/// The list without frames that were only read ahead: they are reported when they are read.
template <class Of> std::vector<Of> KeptVideo::without_looked_at(std::vector<Of> frames) const
{
    if (has_looked_ && frames.size() > delivered_)
        frames.resize(delivered_);
    return frames;
}

std::vector<double> KeptVideo::frame_times() const
{
    return without_looked_at(video_->frame_times());
}

std::vector<CodedFrame> KeptVideo::coded_frames() const
{
    return without_looked_at(video_->coded_frames());
}

std::optional<std::uint64_t> KeptVideo::index_frames()
{
    if (has_looked_)
        begin_anew();
    return video_->index_frames();
}

void KeptVideo::start_at(const SegmentStart &segment)
{
    if (has_looked_)
        begin_anew();
    video_->start_at(segment);
}

/// Frames that were looked at are decoded in any case, and those behind them are few.
void KeptVideo::read_only(const std::vector<std::uint64_t> &numbers)
{
    if (!has_looked_)
        video_->read_only(numbers);
}

void KeptVideo::cancel()
{
    const std::scoped_lock lock(exchanging_);
    is_cancelled_ = true;
    video_->cancel();
}

} // namespace vmaf::tool
