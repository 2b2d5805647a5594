#include "clips.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "frames/library.h"
#include "frames/picture_source.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"
#include "scoring/scoring_context.h"
#include "scoring/scoring_models.h"

namespace vmaf::python {
namespace {

using tool::Picture;

/// The pool of a context that is not the tool's.
class Pool final : public tool::PictureSource {
  public:
    Pool(VmafContext *context, bool on_gpu) : context_(context), on_gpu_(on_gpu) {}

    [[nodiscard]] int allocate(const tool::VideoFormat &format) const
    {
        if (!on_gpu_)
            return vmaf_preallocate_pictures(
                context_, {{format.width_px, format.height_px, format.depth, format.pix_fmt}, tool::kPoolPictures});
        return vmaf_cuda_preallocate_pictures(context_,
                                              {{format.width_px, format.height_px, format.depth, format.pix_fmt},
                                               VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED});
    }

    unsigned queued_pictures() const override { return on_gpu_ ? tool::kQueuedGpuPictures : tool::kQueuedPictures; }
    [[nodiscard]] int fetch(VmafPicture &picture) const override
    {
        return on_gpu_ ? vmaf_cuda_fetch_preallocated_picture(context_, &picture)
                       : vmaf_fetch_preallocated_picture(context_, &picture);
    }
    VmafContext *get() const override { return context_; }

  private:
    VmafContext *context_;
    bool on_gpu_;
};

using Readers = std::vector<std::unique_ptr<tool::ReaderThread>>;

/// The next frame of each video; empty where there is none.
std::vector<std::optional<Picture>> next_frames(const Readers &readers)
{
    std::vector<std::optional<Picture>> frames;
    for (const auto &reader : readers) {
        auto item = reader->next(std::stop_token());
        if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
            std::rethrow_exception(*failure);
        auto *const picture = std::get_if<Picture>(&*item);
        frames.push_back(picture != nullptr ? std::optional(std::move(*picture)) : std::nullopt);
    }
    return frames;
}

/// What the library does not take is given up with the frames.
int give(const std::vector<VmafContext *> &contexts, std::vector<std::optional<Picture>> &frames, unsigned index)
{
    std::vector<VmafPicture> dis;
    for (std::size_t i = 1; i < frames.size(); ++i)
        dis.push_back(frames[i]->raw());
    const int error = vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()),
                                                &frames[0]->raw(), dis.data(), index);
    for (std::size_t i = 1; i < frames.size(); ++i)
        frames[i]->raw() = dis[i - 1];
    return error;
}

} // namespace

Clips::Clips(tool::Options options, std::optional<unsigned> gpu)
    : options_(std::move(options)), warnings_(std::make_unique<tool::Warnings>(options_.strict)),
      gpu_(gpu ? tool::make_media_gpu(*gpu, options_.input.decoding == tool::Decoding::cuda) : nullptr),
      videos_(tool::open_videos(options_, gpu_, *warnings_))
{
    tool::make_comparable(videos_, options_.selection.unequal_depths_allowed, *warnings_);
    for (const tool::ModelSpec &model : options_.selection.models)
        if (const auto doubt = tool::doubt_about_height(model, format().height_px))
            warnings_->warn(*doubt);
}

std::vector<tool::VideoReader *> Clips::readers() const
{
    std::vector<tool::VideoReader *> all{videos_.ref.get()};
    for (const auto &dis : videos_.dis)
        all.push_back(dis.get());
    return all;
}

std::vector<std::optional<std::uint64_t>> Clips::index_frames()
{
    std::vector<std::optional<std::uint64_t>> counts;
    for (tool::VideoReader *video : readers())
        counts.push_back(video->index_frames());
    return counts;
}

tool::FrameStretch Clips::stretch(std::size_t video, std::uint64_t first, std::uint64_t end)
{
    return readers().at(video)->stretch(first, end);
}

std::string Clips::end_of_one(std::size_t ended, std::size_t longer) const
{
    const auto path = [this](std::size_t video) {
        return tool::printable(video == 0 ? options_.reference : options_.distorted[video - 1]);
    };
    return tool::formatted("\"{}\" ended before \"{}\"", path(ended), path(longer));
}

ClipsRead Clips::read(const std::vector<VmafContext *> &contexts, bool on_gpu, tool::DecodersInFlight decoders,
                      const Progress &progress)
{
    ClipsRead result;
    try {
        const auto videos = readers();
        for (std::size_t i = 0; i < stretches_.size(); ++i)
            if (stretches_[i])
                videos.at(i)->start_at(*stretches_[i]);
        // Whoever scores a stretch has others beside it, and they share the GPU's decoders.
        const bool is_whole = std::ranges::none_of(stretches_, [](const auto &stretch) { return stretch.has_value(); });
        if (gpu_ && on_gpu)
            tool::lend_frames(videos_, gpu_, is_whole ? decoders : tool::DecodersInFlight::one);
        tool::leave_out_what_nobody_reads(videos_, options_.selection);
        warnings_->frames_follow();
        read_frames(contexts, on_gpu, progress, result);
        if (result.error != 0)
            return result;
        progress(result.frames);
        for (const tool::VideoReader *video : readers())
            if (const auto damage = video->damage())
                warnings_->warn(*damage);
        if (result.ended_first && options_.strict)
            result.stopped = *result.ended_first;
    } catch (const tool::ScoringStopped &stopped) {
        result.stopped = stopped.what();
    } catch (...) {
        result.failure = std::current_exception();
    }
    return result;
}

/// Until a video ends, or the library takes no more.
void Clips::read_frames(const std::vector<VmafContext *> &contexts, bool on_gpu, const Progress &progress,
                        ClipsRead &result)
{
    constexpr std::chrono::milliseconds kBetweenCalls{100};
    std::vector<Pool> pools;
    for (VmafContext *context : contexts) {
        pools.emplace_back(context, on_gpu);
        result.error = pools.back().allocate(format());
        if (result.error != 0)
            return;
    }
    Readers readers;
    const auto start_reading = [&](const Pool &pool, tool::VideoReader &video, unsigned skip) {
        const std::size_t number = readers.size();
        if (number < stretches_.size() && stretches_[number])
            skip = static_cast<unsigned>(stretches_[number]->dropped);
        readers.push_back(
            std::make_unique<tool::ReaderThread>(pool, video, tool::FrameRange{skip, options_.frame_cnt}));
    };
    start_reading(pools.front(), *videos_.ref, options_.frame_skip_ref);
    for (std::size_t i = 0; i < pools.size(); ++i)
        start_reading(pools[i], *videos_.dis[i], options_.frame_skip_dist);
    auto last_call = std::chrono::steady_clock::now();
    while (options_.frame_cnt == 0 || result.frames < options_.frame_cnt) {
        auto frames = next_frames(readers);
        const auto ended = std::ranges::find(frames, false, &std::optional<Picture>::has_value);
        const auto longer = std::ranges::find(frames, true, &std::optional<Picture>::has_value);
        if (ended != frames.end()) {
            if (longer != frames.end())
                result.ended_first = end_of_one(static_cast<std::size_t>(ended - frames.begin()),
                                                static_cast<std::size_t>(longer - frames.begin()));
            return;
        }
        result.error = give(contexts, frames, result.frames);
        if (result.error != 0)
            return;
        ++result.frames;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_call >= kBetweenCalls) {
            last_call = now;
            progress(result.frames);
        }
    }
}

} // namespace vmaf::python
