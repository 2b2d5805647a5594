#include "input/media/converting_reader.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media/matrix_frame.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"
#include "input/media/shared_source.h"

namespace vmaf::tool {

ConvertingReader::ConvertingReader(std::unique_ptr<PlanarSource> source, Rounding rounding)
    : source_(std::move(source)), rounding_(rounding), delivery_{own_form()},
      turner_(source_->tags().orientation, rounding), writer_(delivery_.form, rounding)
{
}

/// RGB becomes YUV, of limited range until it is told otherwise.
PictureForm ConvertingReader::own_form() const
{
    const VideoTags &tags = source_->tags();
    const VideoFormat format = turned(source_->format(), tags.orientation);
    if (tags.is_rgb)
        return {format, Range::limited, h273::kBt709};
    return {format, tags.range.value_or(Range::limited), tags.colour.matrix};
}

void ConvertingReader::deliver(const Delivery &delivery)
{
    delivery_ = delivery;
    prepare();
}

void ConvertingReader::raise_depth(unsigned depth)
{
    delivery_.form.format.depth = depth;
    prepare();
}

std::unique_ptr<ConvertingReader> ConvertingReader::another()
{
    if (!dynamic_cast<SharedSource *>(source_.get()))
        source_ = std::make_unique<SharedSource>(std::move(source_));
    prepare();
    return std::make_unique<ConvertingReader>(dynamic_cast<SharedSource &>(*source_).another(), rounding_);
}

/// RGB gets its matrix where it becomes YUV, and luma alone has none.
void ConvertingReader::prepare()
{
    const PictureForm &form = delivery_.form;
    const VideoTags &tags = source_->tags();
    changes_matrix_ = !tags.is_rgb && source_->format().pix_fmt != VMAF_PIX_FMT_YUV400P &&
                      h273::differ(h273::Kind::matrix, tags.colour.matrix, form.matrix);
    source_->convert_rgb_to(form);
    writer_ = PictureWriter(form, rounding_);
}

AvFrame ConvertingReader::cropped(AvFrame upright) const
{
    if (delivery_.crop)
        cut_out(*upright, *delivery_.crop);
    return upright;
}

AvFrame ConvertingReader::recoloured(AvFrame cropped) const
{
    return changes_matrix_ ? by_matrix(*cropped, source_->tags().colour.matrix, delivery_.form) : std::move(cropped);
}

/// The frame in the form that the writer needs.
AvFrame ConvertingReader::prepared(AvFrame planar)
{
    check_size(*planar);
    AvFrame ready = recoloured(cropped(turner_.turn(std::move(planar))));
    look_at_left_out_chroma(*ready);
    return ready;
}

/// If the other video is grey, only luma is compared. Only this place sees the chroma that is left
/// out.
void ConvertingReader::look_at_left_out_chroma(const AVFrame &prepared)
{
    if (format().pix_fmt == VMAF_PIX_FMT_YUV400P && with_chroma_ && left_out_.wants_chroma())
        left_out_.look(planes_of(prepared), range_of(prepared), true);
}

void ConvertingReader::check_size(const AVFrame &frame) const
{
    const VideoFormat &first = source_->format();
    const VisibleSize size = visible_size(frame);
    if (size == VisibleSize{static_cast<int>(first.width_px), static_cast<int>(first.height_px)} ||
        (delivery_.other_sizes == OtherSizes::are_scaled && !delivery_.crop))
        return;
    const char *const cure = delivery_.crop ? "it cannot be cropped" : "--scale WxH scales both videos";
    throw ScoringStopped(StopReason::decode_error, kExitBadData,
                         formatted("{}: frame {}: the size changes from {}x{} to {}x{} ({})", printable(file().path()),
                                   frame_, first.width_px, first.height_px, size.width_px, size.height_px, cure));
}

std::unique_ptr<VideoReader> ConvertingReader::reopened_on(const std::shared_ptr<MediaGpu> &gpu) const
{
    auto again = std::make_unique<ConvertingReader>(source_->reopened(gpu), rounding_);
    again->deliver(delivery_);
    return again;
}

void ConvertingReader::start_at(const SegmentStart &segment)
{
    source_->start_at(segment);
    frame_ = segment.start;
}

/// Null: the video has ended.
AvFrame ConvertingReader::next_stored()
{
    AvFrame stored = source_->next_stored(with_chroma_ || changes_matrix_);
    has_interlaced_frames_ = has_interlaced_frames_ || (stored && is_interlaced(*stored));
    return stored;
}

bool ConvertingReader::read_frame(VmafPicture &picture)
{
    AvFrame stored = next_stored();
    if (!stored)
        return false;
    writer_.write(*prepared(source_->planar(std::move(stored))), picture, with_chroma_);
    ++frame_;
    return true;
}

void ConvertingReader::lend_frames(std::shared_ptr<MediaGpu> gpu)
{
    gpu_ = std::move(gpu);
    gpu_frames_.emplace(gpu_->context());
}

VisibleSize ConvertingReader::scored_size() const
{
    return {static_cast<int>(format().width_px), static_cast<int>(format().height_px)};
}

/// Whether the library makes such samples those that are scored: by a shift, as of limited range.
bool ConvertingReader::can_raise(unsigned depth) const
{
    return depth == format().depth || (depth < format().depth && delivery_.form.range == Range::limited);
}

/// Empty: it has to be converted, or does not lie in the GPU's memory.
std::optional<CudaLayout> ConvertingReader::layout_to_lend(const AVFrame &stored) const
{
    const auto layout = source_->cuda_layout_of(stored);
    if (!layout || changes_matrix_ || turner_.orientation() != Orientation())
        return std::nullopt;
    const VisibleSize size = delivery_.crop ? VisibleSize{static_cast<int>(delivery_.crop->width_px),
                                                          static_cast<int>(delivery_.crop->height_px)}
                                            : visible_size(stored);
    const bool is_scaled = size != scored_size();
    const bool is_alike =
        layout->pix_fmt == format().pix_fmt && range_of(stored) == delivery_.form.range && can_raise(layout->depth);
    return is_alike && (!is_scaled || rounding_ == Rounding::integer) ? layout : std::nullopt;
}

CudaFrames::Uploaded ConvertingReader::convert_and_upload(const AVFrame &planar)
{
    const AvFrame host = new_picture(planar_format(format().pix_fmt, format().depth),
                                     static_cast<int>(format().width_px), static_cast<int>(format().height_px));
    VmafPicture planes = planes_of(*host);
    writer_.write(planar, planes, with_chroma_);
    return gpu_frames_->upload(planes, with_chroma_);
}

bool ConvertingReader::lend_frame(VmafContext *context, VmafPicture &picture)
{
    AvFrame stored = next_stored();
    if (!stored)
        return false;
    if (const auto layout = layout_to_lend(*stored)) {
        check_size(*stored);
        lend(context, picture, cropped(std::move(stored)), *layout, scored_size(), format().depth);
    } else {
        CudaFrames::Uploaded made = convert_and_upload(*prepared(source_->planar(std::move(stored))));
        lend(context, picture, std::move(made.frame), made.layout, scored_size(), format().depth);
    }
    ++frame_;
    return true;
}

bool ConvertingReader::skip_frame()
{
    ++frame_;
    return source_->skip();
}

} // namespace vmaf::tool
