#include "frames/frame_loop.h"

#include <algorithm>
#include <cerrno>
#include <memory>

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

/// What only the clip's first frame can tell, a size or an option that a feature refuses, is a mistake in the set-up.
ScoringStopped refused(int error, unsigned frame)
{
    const int exit_code = frame == 0 && error == -EINVAL ? kExitSetup : exit_code_of(error);
    return {StopReason::engine_error, exit_code, formatted("problem reading pictures: frame {}", frame)};
}

/// The videos of one loop while they are read.
class Loop {
  public:
    Loop(const Segment &segment, const FrameSources &sources, FrameSink &sink, const std::stop_token &stop);
    ~Loop();
    Loop(const Loop &) = delete;

    std::vector<FrameLoopResult> run(const FrameRead &frame_read);

  private:
    /// A video; null once nobody reads it any more.
    using Reader = std::unique_ptr<ReaderThread>;

    void read_reference();
    void read_encode(std::size_t encode);
    void give(unsigned index);
    bool drop_ended(unsigned frames);

    const Segment &segment_;
    const FrameSources &sources_;
    FrameSink &sink_;
    const std::stop_token &stop_;
    std::vector<Reader> reference_, encodes_;
    std::vector<std::optional<ScoringStopped>> reference_stops_;
    std::vector<Picture> reference_frames_, encode_frames_; ///< of one frame; an encode without one has ended
    std::vector<FrameLoopResult> results_;
};

Loop::Loop(const Segment &segment, const FrameSources &sources, FrameSink &sink, const std::stop_token &stop)
    : segment_(segment), sources_(sources), sink_(sink), stop_(stop), reference_stops_(sources.reference.size()),
      reference_frames_(sources.reference.size()), encode_frames_(sources.encodes.size()),
      results_(sources.encodes.size())
{
    const auto start = [&](const PictureSource &pictures, const FrameSource &source) {
        return std::make_unique<ReaderThread>(pictures, source.video, FrameRange{source.skip, segment.count});
    };
    for (const FrameSource &source : sources.reference)
        reference_.push_back(start(sink.reference_pictures(reference_.size()), source));
    for (const FrameSources::Encode &encode : sources.encodes)
        encodes_.push_back(start(sink.encode_pictures(encodes_.size()), encode.video));
}

/// Readers of one reference wait for each other: all are told before the end of one is waited for.
Loop::~Loop()
{
    for (const auto *readers : {&reference_, &encodes_})
        for (const Reader &reader : *readers)
            if (reader)
                reader->request_stop();
}

void Loop::read_reference()
{
    for (std::size_t form = 0; form < reference_.size(); ++form)
        try {
            reference_frames_[form] = reference_[form] ? next_picture(*reference_[form], stop_) : Picture();
        } catch (const ScoringStopped &stopped) {
            reference_stops_[form] = stopped;
        }
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
    const bool has_reference = has_frame(reference_frames_[form]);
    if (has_reference != has_frame(encode_frames_[encode]))
        result.ended_first = has_reference ? VideoSide::distorted : VideoSide::reference;
    if (!has_reference)
        encode_frames_[encode] = {};
}

void Loop::give(unsigned index)
{
    std::vector<bool> given;
    for (const Picture &frame : encode_frames_)
        given.push_back(has_frame(frame));
    const std::vector<int> errors = sink_.take(reference_frames_, encode_frames_, index);
    for (std::size_t encode = 0; encode < results_.size(); ++encode) {
        FrameLoopResult &result = results_[encode];
        encode_frames_[encode] = {};
        if (!given[encode])
            continue;
        if (errors[encode] == 0) {
            ++result.frames;
            continue;
        }
        result.error = errors[encode];
        result.stop = refused(result.error, segment_.first + index);
    }
}

/// @return whether there are others.
bool Loop::drop_ended(unsigned frames)
{
    std::vector<bool> is_needed(reference_.size());
    std::vector<std::size_t> ended;
    for (std::size_t encode = 0; encode < encodes_.size(); ++encode)
        if (results_[encode].frames == frames)
            is_needed[sources_.encodes[encode].form] = true;
        else if (encodes_[encode])
            ended.push_back(encode);
    if (std::ranges::find(is_needed, true) == is_needed.end())
        return false;
    for (const std::size_t encode : ended) {
        encodes_[encode].reset();
        sink_.end(encode, results_[encode]);
    }
    for (std::size_t form = 0; form < reference_.size(); ++form)
        if (!is_needed[form])
            reference_[form].reset();
    return true;
}

std::vector<FrameLoopResult> Loop::run(const FrameRead &frame_read)
{
    for (unsigned index = 0; segment_.count == 0 || index < segment_.count; ++index) {
        read_reference();
        for (std::size_t encode = 0; encode < encodes_.size(); ++encode)
            if (encodes_[encode])
                read_encode(encode);
        give(index);
        if (!drop_ended(index + 1))
            break;
        if (index >= segment_.before && (segment_.count == 0 || index < segment_.count - segment_.after))
            frame_read(index + 1);
    }
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
