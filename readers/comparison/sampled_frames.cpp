#include "comparison/sampled_frames.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "common/failure.h"
#include "frames/library.h"
#include "input/media.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kStations = 16;       ///< places in a long video
constexpr unsigned kFramesOfStation = 3; ///< that are sampled there
constexpr unsigned kSamples = kStations * kFramesOfStation;
constexpr unsigned kStep = 8;              ///< frames from one sample to the next
constexpr unsigned kMostReadFrames = 2000; ///< limit for a video that is read from its start

class Sampler {
  public:
    explicit Sampler(VideoReader &video) : video_(video), finder_(video.form()) {}

    /// Damage ends the search: whoever scores the frames says so.
    FoundPicture found()
    {
        const std::unique_ptr<VideoReader> reader = reopened();
        const auto indexed = reader->index_frames();
        const bool skips_cheaply = !video_.tags().is_media && video_.tags().filters.empty();
        const auto count = indexed ? indexed : skips_cheaply ? video_.frame_count() : std::nullopt;
        try {
            if (count && *count > std::uint64_t{kSamples} * kStep)
                indexed ? read_key_frames(*reader, *count) : read_stations(*reader, *count);
            else
                read_from_start(*reader, count);
        } catch (const SegmentsDoNotFit &) {
            finder_ = BarFinder(video_.form());
            read_from_start(*reopened(), count);
        } catch (const ScoringStopped &) {
        }
        return finder_.found();
    }

  private:
    std::unique_ptr<VideoReader> reopened() const
    {
        auto reader = video_.reopened();
        reader->leave_out_chroma();
        return reader;
    }

    bool sample(VideoReader &reader)
    {
        Picture picture = new_picture(reader.format());
        if (!reader.read_frame(picture.raw()))
            return false;
        finder_.add(picture.raw());
        return true;
    }

    static bool skip(VideoReader &reader, std::uint64_t count)
    {
        while (count > 0 && reader.skip_frame())
            --count;
        return count == 0;
    }

    /// Sample the first frames. A video of unknown length may have no others.
    void read_from_start(VideoReader &reader, std::optional<std::uint64_t> count)
    {
        const unsigned step = count ? std::max<unsigned>(static_cast<unsigned>(*count / kSamples), 1) : kStep;
        for (unsigned frame = 0; frame < kMostReadFrames && finder_.frames() < kSamples; ++frame) {
            const bool is_sampled = frame % step == 0 || (!count && frame < kLeastBarFrames);
            if (!(is_sampled ? sample(reader) : reader.skip_frame()))
                return;
        }
    }

    /// @return how many frames were read; empty: the video has ended.
    std::optional<std::uint64_t> read_station(VideoReader &reader)
    {
        for (unsigned i = 0; i < kFramesOfStation; ++i)
            if (!sample(reader) || !skip(reader, kStep - 1))
                return std::nullopt;
        return std::uint64_t{kFramesOfStation} * kStep;
    }

    void read_stations(VideoReader &reader, std::uint64_t count)
    {
        std::uint64_t next = 0; ///< frame that is read
        for (unsigned station = 0; station < kStations; ++station) {
            const std::uint64_t target = std::max(count * station / kStations, next);
            if (!skip(reader, target - next))
                return;
            const auto read = read_station(reader);
            if (!read)
                return;
            next = target + *read;
        }
    }

    /// Sample a compressed video. Each station moves to the key frame before it, or goes on where
    /// the previous one ended.
    void read_key_frames(VideoReader &index, std::uint64_t count)
    {
        std::unique_ptr<VideoReader> reader = reopened();
        std::uint64_t next = 0; ///< frame that is read
        for (unsigned station = 0; station < kStations; ++station) {
            const std::uint64_t at = count * station / kStations;
            SegmentStart start = index.segment_start(at, at + 1);
            if (start.from && start.start >= next) {
                start.checked = 0; // pictures may be left out behind a key frame
                reader = reopened();
                reader->start_at(start);
                next = start.start;
            }
            const auto read = read_station(*reader);
            if (!read)
                return;
            next += *read;
        }
    }

    VideoReader &video_;
    BarFinder finder_;
};

} // namespace

FoundPicture find_picture(VideoReader &video)
{
    return Sampler(video).found();
}

} // namespace vmaf::tool
