#include "input/media/filter_graph.h"

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include <utility>

#include "common/format.h"

namespace vmaf::tool {
namespace {

using FilterEnds = std::unique_ptr<AVFilterInOut, AvReleasedBy<avfilter_inout_free>>;
using SourceParameters = std::unique_ptr<AVBufferSrcParameters, AvReleasedBy<av_freep>>;

unsigned count_of(const FilterEnds &ends)
{
    unsigned count = 0;
    for (const AVFilterInOut *end = ends.get(); end; end = end->next)
        ++count;
    return count;
}

SourceParameters parameters_for(const AVFrame &first, const FrameTiming &timing)
{
    SourceParameters parameters(allocated(av_buffersrc_parameters_alloc()));
    parameters->format = first.format;
    parameters->width = first.width;
    parameters->height = first.height;
    parameters->sample_aspect_ratio = first.sample_aspect_ratio;
    parameters->time_base = timing.time_base;
    parameters->frame_rate = timing.frame_rate;
#if LIBAVFILTER_VERSION_MAJOR >= 10
    parameters->color_space = first.colorspace;
    parameters->color_range = first.color_range;
#endif
    return parameters;
}

/// @param complaints what libavfilter says of the error.
[[noreturn]] void fail(const std::string &graph, int error, const GatheredComplaints &complaints)
{
    if (error == AVERROR(ENOMEM))
        throw std::bad_alloc();
    std::string reason = complaints.text();
    throw FilterFailure{graph, reason.empty() ? libav_reason(error) : std::move(reason)};
}

} // namespace

void FilterGraph::FreeGraph::operator()(AVFilterGraph *graph) const
{
    avfilter_graph_free(&graph);
}

/// Filters that scale do it as ffmpeg's command does.
FilterGraph::FilterGraph(std::span<const std::string> graphs, const AVFrame &first, const FrameTiming &timing)
    : graph_(allocated(avfilter_graph_alloc())), width_px_(first.width), height_px_(first.height), format_(first.format)
{
    keep_libav_messages();
    const GatheredComplaints complaints;
    for (const std::string &graph : graphs)
        text_ += (text_.empty() ? "" : ",") + graph;
    graph_->scale_sws_opts = allocated(av_strdup("flags=bicubic"));
    source_ = allocated(avfilter_graph_alloc_filter(graph_.get(), avfilter_get_by_name("buffer"), "in"));
    int error = av_buffersrc_parameters_set(source_, parameters_for(first, timing).get());
    if (error >= 0)
        error = avfilter_init_str(source_, nullptr);
    if (error < 0)
        fail(text_, error, complaints);
    last_ = source_;
    for (const std::string &graph : graphs)
        append(graph, complaints);
    error =
        avfilter_graph_create_filter(&sink_, avfilter_get_by_name("buffersink"), "out", nullptr, nullptr, graph_.get());
    if (error >= 0)
        error = avfilter_link(last_, last_pad_, sink_, 0);
    if (error >= 0)
        error = avfilter_graph_config(graph_.get(), nullptr);
    if (error < 0)
        fail(text_, error, complaints);
}

FilterGraph::~FilterGraph() = default;

void FilterGraph::append(const std::string &graph, const GatheredComplaints &complaints)
{
    AVFilterInOut *raw_inputs = nullptr, *raw_outputs = nullptr;
    int error = avfilter_graph_parse2(graph_.get(), graph.c_str(), &raw_inputs, &raw_outputs);
    const FilterEnds inputs(raw_inputs), outputs(raw_outputs);
    if (error >= 0 && (count_of(inputs) != 1 || count_of(outputs) != 1))
        throw FilterFailure{graph, formatted("it needs one open input and one open output, and has {} and {}",
                                             count_of(inputs), count_of(outputs))};
    if (error >= 0)
        error = avfilter_link(last_, last_pad_, inputs->filter_ctx, static_cast<unsigned>(inputs->pad_idx));
    if (error < 0)
        fail(graph, error, complaints);
    last_ = outputs->filter_ctx;
    last_pad_ = static_cast<unsigned>(outputs->pad_idx);
}

bool FilterGraph::takes(const AVFrame &frame) const
{
    return frame.width == width_px_ && frame.height == height_px_ && frame.format == format_;
}

void FilterGraph::send(AvFrame frame)
{
    const GatheredComplaints complaints;
    const int error = av_buffersrc_add_frame_flags(source_, frame.get(), 0);
    if (error < 0 && error != AVERROR_EOF)
        fail(text_, error, complaints);
}

void FilterGraph::end(std::int64_t time_stamp)
{
    const GatheredComplaints complaints;
    if (const int error = av_buffersrc_close(source_, time_stamp, 0); error < 0)
        fail(text_, error, complaints);
}

AvFrame FilterGraph::receive()
{
    if (has_ended_)
        return nullptr;
    const GatheredComplaints complaints;
    AvFrame frame = new_frame();
    const int error = av_buffersink_get_frame(sink_, frame.get());
    if (error == 0)
        return frame;
    has_ended_ = error == AVERROR_EOF;
    if (!has_ended_ && error != AVERROR(EAGAIN))
        fail(text_, error, complaints);
    return nullptr;
}

std::optional<double> FilterGraph::frame_rate() const
{
    const AVRational rate = av_buffersink_get_frame_rate(sink_);
    return rate.num > 0 && rate.den > 0 ? std::optional(av_q2d(rate)) : std::nullopt;
}

} // namespace vmaf::tool
