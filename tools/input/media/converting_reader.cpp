#include "input/media/converting_reader.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {

ConvertingReader::ConvertingReader(std::unique_ptr<PlanarSource> source, Rounding rounding)
    : source_(std::move(source)), rounding_(rounding), to_(own_format()), writer_(to_, rounding)
{
}

void ConvertingReader::deliver(const CommonFormat &format, OtherSizes other_sizes)
{
    to_ = format;
    other_sizes_ = other_sizes;
    writer_ = PictureWriter(to_, rounding_);
}

void ConvertingReader::raise_depth(unsigned depth)
{
    CommonFormat deeper = to_;
    deeper.format.depth = depth;
    deliver(deeper, other_sizes_);
}

std::vector<std::string> ConvertingReader::conversions() const
{
    std::vector<std::string> all = conversions_;
    if (tags().is_rgb)
        all.insert(all.begin(), formatted("{} is converted to YUV by BT.709, limited range", tags().stored_format));
    return all;
}

void ConvertingReader::check_size(const AVFrame &frame) const
{
    const VideoFormat &first = source_->format();
    if (other_sizes_ == OtherSizes::are_scaled ||
        (frame.width == static_cast<int>(first.width_px) && frame.height == static_cast<int>(first.height_px)))
        return;
    throw ScoringStopped(
        StopReason::decode_error, kExitBadData,
        formatted("{}: frame {}: the size changes from {}x{} to {}x{} (--scale WxH scales both videos)",
                  printable(file().path()), frame_, first.width_px, first.height_px, frame.width, frame.height));
}

std::unique_ptr<VideoReader> ConvertingReader::reopened() const
{
    auto again = std::make_unique<ConvertingReader>(source_->reopened(), rounding_);
    again->deliver(to_, other_sizes_);
    return again;
}

bool ConvertingReader::read_frame(VmafPicture &picture)
{
    const AvFrame frame = source_->next(with_chroma_);
    if (!frame)
        return false;
    check_size(*frame);
    writer_.write(*frame, picture, with_chroma_);
    ++frame_;
    return true;
}

bool ConvertingReader::skip_frame()
{
    ++frame_;
    return source_->skip();
}

} // namespace vmaf::tool
