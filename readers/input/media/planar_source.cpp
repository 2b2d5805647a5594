#include "input/media/planar_source.h"

#include <limits>

#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

namespace vmaf::tool {

/// Frames are numbered. Where the file has no rate they are so many a second as ffmpeg takes for
/// granted.
FrameTiming FileSource::timing() const
{
    const auto rate = reader_->frame_rate();
    if (!rate)
        return {};
    const AVRational exact = av_d2q(*rate, std::numeric_limits<int>::max());
    return {av_inv_q(exact), exact, 0};
}

bool FileSource::skip()
{
    ++frame_;
    return reader_->skip_frame();
}

/// The reader fills a picture that has chroma as the file does, sizes rounded up: the scaler wants
/// all of it.
AvFrame FileSource::next_stored(bool with_chroma)
{
    if (!with_chroma && !luma_alone_) {
        reader_->leave_out_chroma();
        luma_alone_ = true;
    }
    const VideoFormat &format = reader_->format();
    const AVPixelFormat planar = planar_format(format.pix_fmt, format.depth);
    AvFrame frame = new_picture(planar, static_cast<int>(format.width_px), static_cast<int>(format.height_px));
    VmafPicture picture = planes_of(*frame);
    if (!reader_->read_frame(picture))
        return nullptr;
    frame->pts = frame_++;
    const PictureForm form = reader_->form();
    frame->color_range = av_range(form.range);
    frame->colorspace = static_cast<AVColorSpace>(form.matrix);
    return frame;
}

} // namespace vmaf::tool
