#include "frames/frame_loop.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "common/format.h"
#include "frames/reader_thread.h"

namespace vmaf::tool {
namespace {

bool has_frame(const Picture &picture)
{
    return picture.raw().ref != nullptr;
}

/// The next frame of one video; empty at its end.
Picture next_picture(ReaderThread &reader, const std::stop_token &stop)
{
    auto item = reader.next(stop);
    if (!item)
        throw ScoringStopped(StopReason::interrupted, kExitBadData, "interrupted");
    if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
        std::rethrow_exception(*failure);
    auto *const picture = std::get_if<Picture>(&*item);
    return picture ? std::move(*picture) : Picture();
}

/// What only the clip's first frame can tell, a size or an option that a feature refuses, is a
/// mistake in the set-up.
ScoringStopped refused(int error, unsigned frame)
{
    const int exit_code = frame == 0 && error == -EINVAL ? kExitSetup : exit_code_of(error);
    return {StopReason::engine_error, exit_code, formatted("problem reading pictures: frame {}", frame)};
}

/// One side of each pair, each frame once.
std::vector<unsigned> numbers_of(std::span<const FramePair> pairs, unsigned FramePair::*side)
{
    std::vector<unsigned> numbers;
    for (const FramePair &pair : pairs)
        if (numbers.empty() || numbers.back() != pair.*side)
            numbers.push_back(pair.*side);
    return numbers;
}

/// Numbers of the reference's frames that encodes need. Empty: all.
std::vector<unsigned> reference_numbers(const FrameSources &sources)
{
    std::set<unsigned> needed;
    for (const FrameSources::Encode &encode : sources.encodes) {
        if (encode.order.pairs.empty())
            return {};
        for (const unsigned number : numbers_of(encode.order.pairs, &FramePair::ref))
            needed.insert(number);
    }
    return {needed.begin(), needed.end()};
}

/// How many frames of the reference are read at most; 0: no limit.
unsigned reference_count(const Segment &segment, const FrameSources &sources)
{
    unsigned longest_delay = 0;
    for (const FrameSources::Encode &encode : sources.encodes) {
        if (!encode.order.pairs.empty())
            return 0;
        longest_delay = std::max(longest_delay, encode.order.delay);
    }
    return segment.count > 0 ? segment.count + longest_delay : 0;
}

unsigned most_frames(std::span<const FrameLoopResult> results)
{
    return std::ranges::max(results, {}, &FrameLoopResult::frames).frames;
}

/// The videos of one loop while they are read.
class Loop {
  public:
    Loop(const Segment &segment, const FrameSources &sources, FrameSink &sink, const std::stop_token &stop);
    ~Loop() { stop_readers(); }
    Loop(const Loop &) = delete;

    std::vector<FrameLoopResult> run(const FrameRead &frame_read);

  private:
    /// A video; null once nobody reads it any more.
    using Reader = std::unique_ptr<ReaderThread>;

    void read(const FrameRead &frame_read);
    void stop_readers();
    void compare_probes();
    void read_reference();
    bool is_due(std::size_t encode) const;
    bool read_encodes();
    void read_encode(std::size_t encode);
    void give();
    void give(unsigned index);
    bool is_complete(std::size_t encode) const;
    bool drop_ended();

    const Segment &segment_;
    const FrameSources &sources_;
    FrameSink &sink_;
    const std::stop_token &stop_;
    std::vector<unsigned> numbers_; ///< numbers of the frames of the reference to read; empty: all
    unsigned read_ = 0;             ///< number of these that were read, the current one included
    std::vector<FrameProbe> reference_probes_, encode_probes_;
    std::vector<Reader> reference_, encodes_;
    std::vector<std::optional<ScoringStopped>> reference_stops_;
    std::vector<bool> has_reference_;                       ///< each form, unless it has ended
    std::vector<Picture> reference_frames_, encode_frames_; ///< to be given to the sink
    std::vector<bool> has_ended_;
    std::vector<FrameLoopResult> results_;
};

Loop::Loop(const Segment &segment, const FrameSources &sources, FrameSink &sink, const std::stop_token &stop)
    : segment_(segment), sources_(sources), sink_(sink), stop_(stop), numbers_(reference_numbers(sources)),
      reference_probes_(sources.reference.size()), encode_probes_(sources.encodes.size()),
      reference_stops_(sources.reference.size()), has_reference_(sources.reference.size()),
      reference_frames_(sources.reference.size()), encode_frames_(sources.encodes.size()),
      has_ended_(sources.encodes.size()), results_(sources.encodes.size())
{
    const auto start = [first = segment.first](const PictureSource &pictures, const FrameSource &source, unsigned count,
                                               std::vector<unsigned> numbers, FrameProbe &probe) {
        return std::make_unique<ReaderThread>(pictures, source.video,
                                              FrameRange{source.skip, count, std::move(numbers)},
                                              WatchedFrames{source.luma, first, &probe, source.chroma});
    };
    for (const FrameSource &source : sources.reference)
        reference_.push_back(start(sink.reference_pictures(reference_.size()), source,
                                   reference_count(segment, sources), numbers_, reference_probes_[reference_.size()]));
    for (const FrameSources::Encode &encode : sources.encodes)
        encodes_.push_back(start(sink.encode_pictures(encodes_.size()), encode.video, segment.count,
                                 numbers_of(encode.order.pairs, &FramePair::dis), encode_probes_[encodes_.size()]));
}

/// Readers of one reference wait for each other: all are told before the end of one is waited for.
void Loop::stop_readers()
{
    for (const auto *readers : {&reference_, &encodes_})
        for (const Reader &reader : *readers)
            if (reader)
                reader->request_stop();
    reference_.clear();
    encodes_.clear();
}

void Loop::read_reference()
{
    for (std::size_t form = 0; form < reference_.size(); ++form)
        try {
            reference_frames_[form] = reference_[form] ? next_picture(*reference_[form], stop_) : Picture();
            has_reference_[form] = has_frame(reference_frames_[form]);
        } catch (const ScoringStopped &stopped) {
            reference_stops_[form] = stopped;
        }
    ++read_;
}

/// Whether its next frame is compared with the frame of the reference that is at hand, or has none.
bool Loop::is_due(std::size_t encode) const
{
    const auto &[video, form, order] = sources_.encodes[encode];
    if (has_ended_[encode])
        return false;
    if (reference_stops_[form] || !has_reference_[form])
        return true;
    const unsigned next = results_[encode].frames;
    const unsigned at_hand = numbers_.empty() ? read_ - 1 : numbers_[read_ - 1];
    return at_hand == (order.pairs.empty() ? order.delay + next : order.pairs[next].ref);
}

/// @return whether there is one to give.
bool Loop::read_encodes()
{
    for (std::size_t encode = 0; encode < encodes_.size(); ++encode)
        if (is_due(encode)) {
            read_encode(encode);
            has_ended_[encode] = !has_frame(encode_frames_[encode]);
        }
    return std::ranges::any_of(encode_frames_, has_frame);
}

/// And compare where it and the reference end.
void Loop::read_encode(std::size_t encode)
{
    const std::size_t form = sources_.encodes[encode].form;
    FrameLoopResult &result = results_[encode];
    result.stop = reference_stops_[form];
    if (result.stop)
        return;
    try {
        encode_frames_[encode] = next_picture(*encodes_[encode], stop_);
    } catch (const ScoringStopped &stopped) {
        result.stop = stopped;
        return;
    }
    const bool has_reference = has_reference_[form];
    if (has_reference != has_frame(encode_frames_[encode]))
        result.ended_first = has_reference ? VideoSide::distorted : VideoSide::reference;
    if (!has_reference)
        encode_frames_[encode] = {};
}

/// Encodes that have come equally far share a call.
void Loop::give()
{
    while (std::ranges::any_of(encode_frames_, has_frame)) {
        unsigned least = std::numeric_limits<unsigned>::max();
        for (std::size_t encode = 0; encode < encodes_.size(); ++encode)
            if (has_frame(encode_frames_[encode]))
                least = std::min(least, results_[encode].frames);
        give(least);
    }
}

void Loop::give(unsigned index)
{
    std::vector<Picture> frames(encode_frames_.size());
    std::vector<bool> given(frames.size());
    for (std::size_t encode = 0; encode < frames.size(); ++encode)
        if (has_frame(encode_frames_[encode]) && results_[encode].frames == index) {
            frames[encode] = std::move(encode_frames_[encode]);
            given[encode] = true;
        }
    const std::vector<int> errors = sink_.take(reference_frames_, frames, index);
    for (std::size_t encode = 0; encode < results_.size(); ++encode) {
        FrameLoopResult &result = results_[encode];
        if (!given[encode])
            continue;
        if (errors[encode] == 0) {
            ++result.frames;
            continue;
        }
        result.error = errors[encode];
        result.stop = refused(result.error, segment_.first + index);
        has_ended_[encode] = true;
    }
}

/// Whether it has all the frames that it is to have.
bool Loop::is_complete(std::size_t encode) const
{
    const unsigned frames = results_[encode].frames;
    const std::span<const FramePair> pairs = sources_.encodes[encode].order.pairs;
    return (segment_.count > 0 && frames == segment_.count) || (!pairs.empty() && frames == pairs.size());
}

/// @return whether there are others.
bool Loop::drop_ended()
{
    std::vector<bool> is_needed(reference_.size());
    for (std::size_t encode = 0; encode < encodes_.size(); ++encode) {
        has_ended_[encode] = has_ended_[encode] || is_complete(encode);
        if (!has_ended_[encode])
            is_needed[sources_.encodes[encode].form] = true;
    }
    if (std::ranges::find(is_needed, true) == is_needed.end())
        return false;
    for (std::size_t encode = 0; encode < encodes_.size(); ++encode)
        if (has_ended_[encode] && encodes_[encode]) {
            encodes_[encode].reset();
            sink_.end(encode, results_[encode]);
        }
    for (std::size_t form = 0; form < reference_.size(); ++form)
        if (!is_needed[form])
            reference_[form].reset();
    return true;
}

void Loop::read(const FrameRead &frame_read)
{
    unsigned frames = 0; // frames of the encode that is farthest ahead
    do {
        read_reference();
        while (read_encodes()) {
            give();
            const unsigned before = std::exchange(frames, most_frames(results_));
            if (frames > before && frames > segment_.before &&
                (segment_.count == 0 || frames <= segment_.count - segment_.after))
                frame_read(frames);
            if (!drop_ended())
                return;
        }
    } while (drop_ended());
}

/// Whether a video without chroma is why the other one's colours are left out.
bool lacks_colours_of(const VideoReader &grey, const VideoReader &other)
{
    return grey.stored_format().pix_fmt == VMAF_PIX_FMT_YUV400P && other.leaves_out_colours();
}

/// Compare the probes. No reader may be running.
void Loop::compare_probes()
{
    for (std::size_t encode = 0; encode < results_.size(); ++encode) {
        const FrameProbe &ref = reference_probes_[sources_.encodes[encode].form];
        const FrameProbe &dis = encode_probes_[encode];
        if (ref.has_bar_beside(dis))
            results_[encode].side_with_bars = VideoSide::reference;
        else if (dis.has_bar_beside(ref))
            results_[encode].side_with_bars = VideoSide::distorted;
        results_[encode].detail_gain = dis.detail_over(ref);
        const VideoReader &ref_video = sources_.reference[sources_.encodes[encode].form].video;
        const VideoReader &dis_video = sources_.encodes[encode].video.video;
        if (ref.is_grey_beside(dis) || lacks_colours_of(ref_video, dis_video))
            results_[encode].grey_side = VideoSide::reference;
        else if (dis.is_grey_beside(ref) || lacks_colours_of(dis_video, ref_video))
            results_[encode].grey_side = VideoSide::distorted;
    }
}

std::vector<FrameLoopResult> Loop::run(const FrameRead &frame_read)
{
    read(frame_read);
    stop_readers();
    compare_probes();
    return std::move(results_);
}

} // namespace

std::vector<FrameLoopResult> read_frames(const Segment &segment, const FrameSources &sources, FrameSink &sink,
                                         const std::stop_token &stop, const FrameRead &frame_read)
{
    return Loop(segment, sources, sink, stop).run(frame_read);
}

void flush(VmafContext *context, FrameLoopResult &result)
{
    const int error = vmaf_read_pictures(context, nullptr, nullptr, 0);
    if (error && !result.stop)
        result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem flushing context");
}

} // namespace vmaf::tool
