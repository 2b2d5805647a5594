#include "input/media/filtered_source.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "common/failure.h"
#include "common/format.h"
#include "input/input_options.h"
#include "input/media.h"
#include "input/media/filter_graph.h"
#include "input/media/frame_tags.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

namespace vmaf::tool {
namespace {

std::vector<std::string> graphs_of(const FrameFilters &filters)
{
    std::vector<std::string> graphs;
    if (filters.deinterlaces)
        graphs.emplace_back(kDeinterlacer);
    if (filters.graph)
        graphs.push_back(*filters.graph);
    return graphs;
}

/// Whichever field comes first, filters that ask take the upper one for it, as they do where frames
/// say nothing.
void mark_interlaced(AVFrame &frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    frame.flags |= AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    frame.interlaced_frame = 1;
    frame.top_field_first = 1;
#endif
}

/// 0: unknown.
std::int64_t duration_of(const AVFrame &frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame.duration;
#else
    return frame.pkt_duration;
#endif
}

class FilteredSource final : public PlanarSource {
  public:
    FilteredSource(std::unique_ptr<PlanarSource> source, const FrameFilters &filters, Rounding rounding);

    const InputFile &file() const override { return source_->file(); }
    const VideoFormat &format() const override { return format_; }
    const VideoTags &tags() const override { return tags_; }
    /// The deinterlacer makes one frame of each. What other filters do shows at the end.
    std::optional<std::uint64_t> frame_count() const override
    {
        return filters_.graph ? std::nullopt : source_->frame_count();
    }
    std::optional<double> frame_rate() const override { return frame_rate_; }
    FrameTiming timing() const override { return {}; }
    std::optional<double> bits_per_frame() const override;
    AvFrame next_stored(bool with_chroma) override;
    AvFrame planar(AvFrame stored) override { return planar_.make(*stored); }
    void convert_rgb_to(const PictureForm &form) override { planar_.convert_rgb_to(form); }
    std::shared_ptr<MediaGpu> gpu() const override { return source_->gpu(); }
    bool skip() override { return next_stored(true) != nullptr; }
    void cancel() override { source_->cancel(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> &gpu) const override
    {
        return std::make_unique<FilteredSource>(source_->reopened(gpu), filters_, planar_.rounding());
    }
    std::optional<std::string> damage() const override { return source_->damage(); }

  private:
    AvFrame decode();
    std::int64_t time_stamp_of(const AVFrame &frame);
    AvFrame filtered();
    void feed();
    void check_format(const AVFrame &frame) const;
    VideoTags tags_after(const AVFrame &frame) const;

    std::unique_ptr<PlanarSource> source_;
    FrameFilters filters_;
    std::vector<std::string> graphs_;
    FrameTiming timing_; ///< timing of the source
    PlanarFrames planar_;
    std::optional<FilterGraph> graph_;
    bool marks_fields_ = false; ///< frames do not say that they are interlaced, and the file does
    std::int64_t next_time_stamp_ = 0;
    AvFrame pending_;            ///< which needs a new graph, once the old one has ended
    std::exception_ptr stopped_; ///< why the source ended too early, to be thrown behind the frames before
    AvFrame first_;              ///< until it is delivered
    VideoFormat format_;
    VideoTags tags_;
    std::optional<double> frame_rate_;
    std::uint64_t delivered_ = 0;
};

FilteredSource::FilteredSource(std::unique_ptr<PlanarSource> source, const FrameFilters &filters, Rounding rounding)
    : source_(std::move(source)), filters_(filters), graphs_(graphs_of(filters)), timing_(source_->timing()),
      planar_(rounding, filters.background)
{
    try {
        pending_ = decode();
        if (!pending_)
            throw Failure(kExitSetup, "there is no frame to filter");
        marks_fields_ = source_->tags().is_interlaced && !is_interlaced(*pending_);
        first_ = filtered();
        if (!first_)
            throw Failure(kExitSetup, formatted("no frame comes out of the filter graph \"{}\"",
                                                printable(filters_.graph.value_or(std::string(kDeinterlacer)))));
        check_format(*first_);
    } catch (const FilterFailure &failure) {
        throw Failure(kExitSetup,
                      formatted("filter graph \"{}\": {}", printable(failure.graph), printable(failure.reason)));
    }
    const PixelLayout layout = pixel_layout(static_cast<AVPixelFormat>(first_->format)).value();
    format_ = {static_cast<unsigned>(first_->width), static_cast<unsigned>(first_->height), layout.pix_fmt,
               layout.depth};
    frame_rate_ = graph_->frame_rate();
    tags_ = tags_after(*first_);
}

/// Properties that a graph does not change and that frames do not have.
VideoTags FilteredSource::tags_after(const AVFrame &frame) const
{
    const VideoTags &before = source_->tags();
    VideoTags tags = tags_of(frame, static_cast<AVPixelFormat>(frame.format));
    tags.is_media = before.is_media;
    tags.codec = before.codec;
    tags.orientation = before.orientation;
    tags.is_still = before.is_still;
    tags.is_live = before.is_live;
    tags.has_film_grain = before.has_film_grain;
    tags.has_variable_rate = before.has_variable_rate && frame_rate_ == source_->frame_rate();
    for (const std::string &graph : graphs_)
        tags.filters += (tags.filters.empty() ? "" : ",") + graph;
    return tags;
}

/// A bit rate stays what it is if there are more frames, or fewer.
std::optional<double> FilteredSource::bits_per_frame() const
{
    const auto bits = source_->bits_per_frame();
    const auto rate = source_->frame_rate();
    return bits && rate && frame_rate_ ? std::optional(*bits * *rate / *frame_rate_) : bits;
}

/// The next frame in host memory, in the pixel format of software decoding. Null: there are no
/// more.
AvFrame FilteredSource::decode()
{
    AvFrame frame;
    try {
        frame = source_->next_stored(true);
    } catch (const ScoringStopped &) {
        stopped_ = std::current_exception();
    }
    if (!frame)
        return nullptr;
    if (is_in_cuda(*frame))
        frame = source_->planar(std::move(frame));
    frame->pts = time_stamp_of(*frame);
    const VideoTags &tags = source_->tags();
    if (tags.pixel_aspect_num > 0)
        frame->sample_aspect_ratio = {tags.pixel_aspect_num, tags.pixel_aspect_den};
    if (marks_fields_)
        mark_interlaced(*frame);
    return frame;
}

/// Time stamp from the file's start. A frame without one follows the frame before.
std::int64_t FilteredSource::time_stamp_of(const AVFrame &frame)
{
    const std::int64_t pts = frame.best_effort_timestamp != AV_NOPTS_VALUE ? frame.best_effort_timestamp : frame.pts;
    const std::int64_t time_stamp = pts != AV_NOPTS_VALUE ? pts - timing_.start : next_time_stamp_;
    std::int64_t duration = duration_of(frame);
    if (duration <= 0 && timing_.frame_rate.num > 0)
        duration = av_rescale_q(1, av_inv_q(timing_.frame_rate), timing_.time_base);
    next_time_stamp_ = time_stamp + std::max<std::int64_t>(duration, 1);
    return time_stamp;
}

/// Null: there are no more. Throws FilterFailure.
AvFrame FilteredSource::filtered()
{
    for (;;) {
        if (graph_)
            if (AvFrame frame = graph_->receive())
                return frame;
        if (pending_ && (!graph_ || graph_->has_ended())) {
            graph_.emplace(graphs_, *pending_, timing_);
            graph_->send(std::exchange(pending_, nullptr));
            continue;
        }
        if (!graph_ || graph_->has_ended())
            break;
        feed();
    }
    if (stopped_)
        std::rethrow_exception(std::exchange(stopped_, nullptr));
    return nullptr;
}

/// A frame of another size or format ends the graph.
void FilteredSource::feed()
{
    AvFrame frame = decode();
    if (frame && graph_->takes(*frame))
        return graph_->send(std::move(frame));
    graph_->end(frame ? frame->pts : next_time_stamp_);
    pending_ = std::move(frame);
}

void FilteredSource::check_format(const AVFrame &frame) const
{
    const auto format = static_cast<AVPixelFormat>(frame.format);
    if (!pixel_layout(format))
        throw FilterFailure{
            graphs_.back(),
            formatted("it ends in the pixel format {}, which is not supported: let it end in format=yuv420p",
                      pixel_format_name(format))};
}

AvFrame FilteredSource::next_stored(bool /*with_chroma*/)
{
    try {
        AvFrame frame = first_ ? std::exchange(first_, nullptr) : filtered();
        if (!frame)
            return nullptr;
        check_format(*frame);
        take_range_of(*frame, static_cast<AVPixelFormat>(frame->format));
        ++delivered_;
        return frame;
    } catch (const FilterFailure &failure) {
        throw ScoringStopped(StopReason::decode_error, kExitBadData,
                             formatted("{}: frame {}: filter graph \"{}\": {}", printable(file().path()), delivered_,
                                       printable(failure.graph), printable(failure.reason)));
    }
}

} // namespace

bool has_filter_support()
{
    return true;
}

std::unique_ptr<PlanarSource> make_filtered(std::unique_ptr<PlanarSource> source, const FrameFilters &filters,
                                            Rounding rounding)
{
    return std::make_unique<FilteredSource>(std::move(source), filters, rounding);
}

} // namespace vmaf::tool
