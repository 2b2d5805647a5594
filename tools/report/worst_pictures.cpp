#include "report/worst_pictures.h"

#include <algorithm>
#include <map>
#include <memory>

#include "common/failure.h"
#include "common/format.h"
#include "frames/library.h"
#include "report/html_text.h"
#include "report/thumbnail.h"

namespace vmaf::tool {
namespace {

/// A video from its start again, read forward to the frames that are asked for.
class Again {
  public:
    explicit Again(const ScoredSide &side)
        : reader_(side.video.reopened()), skipped_(side.skipped), pairs_(side.pairs),
          picture_(new_picture(reader_->format()))
    {
    }

    /// Frames are asked for by the distorted frame's number, in ascending order. Throws
    /// ScoringStopped if it is not there any more.
    const VmafPicture &frame(unsigned number)
    {
        const std::uint64_t wanted = std::uint64_t{skipped_} + own_number(number);
        if (next_ == wanted + 1)
            return picture_.raw();
        bool is_there = true;
        for (; is_there && next_ < wanted; ++next_)
            is_there = reader_->skip_frame();
        ++next_;
        if (!is_there || !reader_->read_frame(picture_.raw()))
            throw ScoringStopped(StopReason::truncated_input, kExitBadData, "a video has become shorter");
        return picture_.raw();
    }

  private:
    unsigned own_number(unsigned distorted) const
    {
        const auto pair = std::ranges::lower_bound(pairs_, distorted, {}, &FramePair::dis);
        return pair == pairs_.end() ? distorted : pair->ref;
    }

    std::unique_ptr<VideoReader> reader_;
    unsigned skipped_;
    std::span<const FramePair> pairs_;
    std::uint64_t next_ = 0;
    Picture picture_;
};

std::size_t data_uri_bytes(const FramePictures &pictures)
{
    return base64_bytes(pictures.reference.size()) + base64_bytes(pictures.distorted.size()) +
           base64_bytes(pictures.whole.size()) + base64_bytes(pictures.difference.size());
}

} // namespace

WorstPictures worst_pictures(const ScoredSide &ref, const ScoredSide &dis, std::span<const unsigned> frames,
                             PictureRoom room, const std::stop_token &stop)
{
    WorstPictures result;
    std::map<unsigned, FramePixels> seen;
    try {
        Again ref_again(ref);
        Again dis_again(dis);
        std::vector<unsigned> ascending(frames.begin(), frames.end());
        std::ranges::sort(ascending);
        for (const unsigned frame : ascending) {
            if (stop.stop_requested())
                break;
            const unsigned whole_px = frame == frames.front() ? room.whole_px : kThumbnailWidthPx;
            seen.emplace(frame, frame_pixels(frame, ref_again.frame(frame), dis_again.frame(frame),
                                             {.crop_px = room.crop_px, .whole_px = whole_px}));
        }
    } catch (const Failure &failure) {
        result.missing = formatted("No pictures of them: {}.", failure.what());
    }
    std::size_t bytes = 0;
    for (const unsigned frame : frames) {
        const auto found = seen.find(frame);
        if (found == seen.end())
            continue;
        FramePictures pictures = frame_pictures(found->second);
        bytes += data_uri_bytes(pictures);
        if (bytes > room.most_bytes)
            break;
        result.pictures.push_back(std::move(pictures));
    }
    if (result.pictures.empty() && bytes > 0)
        result.missing = formatted("No pictures of them: they take more than {:.1f} MB; --pictures N shows N.",
                                   static_cast<double>(room.most_bytes) / 1e6);
    return result;
}

} // namespace vmaf::tool
