#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "input/media/libav.h"

struct AVFilterContext;
struct AVFilterGraph;

namespace vmaf::tool {

/// Why libavfilter refuses a graph or stopped in it.
struct FilterFailure {
    std::string graph; ///< the part that it concerns, as the user wrote it
    std::string reason;
};

/// Graphs of libavfilter's filters, one after the other. Each has one input and one output, for
/// video.
class FilterGraph {
  public:
    /// @param graphs in the order in which frames go through them, one or more. @param first the
    /// first frame that will be sent. Throws FilterFailure.
    FilterGraph(std::span<const std::string> graphs, const AVFrame &first, const FrameTiming &timing);
    ~FilterGraph();
    FilterGraph(const FilterGraph &) = delete;

    /// Whether a frame has the size and format of the first one. Others need a new graph.
    bool takes(const AVFrame &frame) const;
    /// Takes a frame in host memory. Throws FilterFailure.
    void send(AvFrame frame);
    /// There are no more frames. @param time_stamp the end of the last one. Throws FilterFailure.
    void end(std::int64_t time_stamp);
    /// Null: the graph needs more frames, or has ended. Throws FilterFailure.
    AvFrame receive();
    /// No more frames will come.
    bool has_ended() const { return has_ended_; }
    /// Rate of the frames that come out, in frames per second; empty: unknown.
    std::optional<double> frame_rate() const;

  private:
    void append(const std::string &graph, const GatheredComplaints &complaints);

    struct FreeGraph {
        void operator()(AVFilterGraph *graph) const;
    };

    std::string text_; ///< all graphs
    std::unique_ptr<AVFilterGraph, FreeGraph> graph_;
    AVFilterContext *source_ = nullptr;
    AVFilterContext *last_ = nullptr; ///< the filter with the open output
    unsigned last_pad_ = 0;           ///< the number of that output
    AVFilterContext *sink_ = nullptr;
    int width_px_, height_px_, format_;
    bool has_ended_ = false;
};

} // namespace vmaf::tool
