#include "align_videos.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <thread>
#include <utility>

#include "alignment/collect.h"
#include "alignment/doubts.h"
#include "alignment/frame_match.h"
#include "alignment/kept_video.h"
#include "alignment/lag.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/threads.h"
#include "input/media.h"

namespace vmaf::tool {
namespace {

constexpr double kMostLagSeconds = 10;
/// Lengths of the start of both videos that is surveyed, one after the other, until they show a
/// lag.
constexpr double kSurveySeconds[] = {30, 60, 120};

/// Memory for frames that are read before they are scored: some 170 pairs of 1080p at 8 bits.
constexpr std::size_t kMemoryBytes = std::size_t{1} << 30;

/// Says what needs a video to be read twice, if that cannot be done. ScoringStopped is passed on.
template <class Work> auto maybe_twice(const Work &work)
{
    try {
        return work();
    } catch (const ScoringStopped &) {
        throw;
    } catch (const Failure &failure) {
        throw Failure(kExitSetup, formatted("--align offset and --align frames read long videos twice: {}; save it to "
                                            "a file, or give --offset N",
                                            failure.what()));
    }
}

/// A video whose small luma is made before it is scored, from the first frame that is compared on.
class Survey {
  public:
    /// @param keeps frames for scoring, as long as memory lasts. Else another reader is asked.
    Survey(std::unique_ptr<VideoReader> &video, unsigned skip, FrameMemory &memory, bool keeps) : skip_(skip)
    {
        auto kept = maybe_twice(
            [&] { return std::make_unique<KeptVideo>(keeps ? std::move(video) : video->reopened(), memory); });
        video_ = kept.get();
        (keeps ? video : other_) = std::move(kept);
        const VideoFormat &format = video_->format();
        luma_.grid = small_grid(format.width_px, format.height_px);
    }

    /// Read this many frames, or all. Reading stops at damage, which scoring reports later.
    /// @param frames 0: all.
    void read_to(unsigned frames)
    {
        try {
            for (; skip_ > 0 && !has_ended_; --skip_)
                has_ended_ = !video_->skip_ahead();
            while (!has_ended_ && (frames == 0 || luma_.frames() < frames)) {
                const VmafPicture *const frame = maybe_twice([&] { return video_->look_ahead(); });
                has_ended_ = frame == nullptr;
                if (frame)
                    append_small_luma(*frame, video_->form().range, luma_);
            }
        } catch (const ScoringStopped &) {
            has_ended_ = true;
        }
    }
    /// Before the video is scored.
    void end()
    {
        maybe_twice([&] { video_->end_looking(); });
    }

    bool has_ended() const { return has_ended_; }
    const SmallLuma &luma() const { return luma_; }

  private:
    KeptVideo *video_;
    std::unique_ptr<VideoReader> other_; ///< which is not scored; may be null
    unsigned skip_;
    bool has_ended_ = false;
    SmallLuma luma_;
};

/// Read both videos at the same time.
void read_to(Survey &ref, Survey &dis, unsigned frames)
{
    std::exception_ptr failure;
    {
        const std::jthread thread = start_thread("to read a video", [&] {
            try {
                ref.read_to(frames);
            } catch (...) {
                failure = std::current_exception();
            }
        });
        dis.read_to(frames);
    }
    if (failure)
        std::rethrow_exception(failure);
}

/// Some frames of a video, in that order.
SmallLuma chosen(const SmallLuma &luma, std::span<const FramePair> pairs, unsigned FramePair::*side)
{
    SmallLuma some{.grid = luma.grid};
    some.samples.reserve(pairs.size() * luma.frame_size());
    for (const FramePair &pair : pairs) {
        const auto frame = luma.frame(pair.*side);
        some.samples.insert(some.samples.end(), frame.begin(), frame.end());
    }
    return some;
}

std::vector<FramePair> pairs_with(int lag, std::size_t ref_frames, std::size_t dis_frames)
{
    const FrameSkips skips = skips_with(lag, {});
    std::vector<FramePair> pairs;
    for (FramePair next{skips.dis, skips.ref}; next.ref < ref_frames && next.dis < dis_frames; ++next.ref, ++next.dis)
        pairs.push_back(next);
    return pairs;
}

/// One encode and its reference.
class PairSurvey {
  public:
    PairSurvey(Survey &ref, Survey &dis, const PairNames &names, std::optional<double> rate)
        : ref_(ref), dis_(dis), names_(names), rate_(rate), most_lag_(frames_in(kMostLagSeconds, rate))
    {
    }

    /// Empty: one lag cannot be told.
    Pairing offset()
    {
        for (const double seconds : kSurveySeconds) {
            read_to(ref_, dis_, frames_in(seconds, rate_));
            estimate_ = estimate_lag(ref_.luma(), dis_.luma(), most_lag_);
            if (is_settled() || (ref_.has_ended() && dis_.has_ended()))
                break;
        }
        if (!is_settled()) {
            const FrameMatch match = match_frames(ref_.luma(), dis_.luma(), most_lag_);
            if (!match.dropped.empty() || !match.repeated.empty())
                edits_ = edits_text(match.dropped, match.repeated, names_);
        }
        Pairing pairing = begun("offset");
        pairs_ = pairs_with(pairing.lag.value_or(0), ref_.luma().frames(), dis_.luma().frames());
        return pairing;
    }

    /// @param count frames that are compared at most; 0: all.
    Pairing frames(unsigned count)
    {
        read_to(ref_, dis_, count > 0 ? count + most_lag_ : 0);
        FrameMatch match = match_frames(ref_.luma(), dis_.luma(), most_lag_);
        estimate_ = match.start;
        Pairing pairing = begun("frames");
        if (!is_settled()) {
            pairs_ = pairs_with(0, ref_.luma().frames(), dis_.luma().frames());
            return pairing;
        }
        for (unsigned dis = 0; dis < match.ref_frame.size(); ++dis)
            if (const int ref = match.ref_frame[dis]; ref >= 0)
                pairing.pairs.push_back({dis, static_cast<unsigned>(ref)});
        pairing.dropped = std::move(match.dropped);
        pairing.repeated = std::move(match.repeated);
        pairs_ = pairing.pairs;
        return pairing;
    }

    bool is_settled() const
    {
        return estimate_.outcome == LagEstimate::Outcome::in_step || estimate_.outcome == LagEstimate::Outcome::lag;
    }
    /// Says what was found.
    void tell(const Pairing &pairing, Warnings &warnings) const
    {
        const std::string found = lag_found_text(estimate_, names_);
        if (!edits_.empty())
            warnings.warn_at_start(edits_ + ", so no lag fits all frames, and they are compared by number: "
                                            "--align frames");
        else if (!pairing.lag)
            warnings.warn_at_start(found + "; frames are compared by number, unless --offset N says more");
        else if (!pairing.pairs.empty())
            warnings.note(formatted("{}{}{}: {} dropped, {} repeated; each frame is compared with the one that "
                                    "it shows ({:.1f} dB, by number {:.1f})",
                                    names_.dis, *pairing.lag == 0 ? "" : " is ",
                                    *pairing.lag == 0 ? "" : lag_text(*pairing.lag),
                                    counted(pairing.dropped.size(), "frame"), pairing.repeated.size(),
                                    estimate_.best_db, estimate_.zero_db));
        else if (*pairing.lag != 0)
            warnings.note(found + ": frames are compared with that offset");
        else
            warnings.note(formatted("{} is in step with its reference", names_.dis));
    }
    /// Warnings about the pictures that are compared.
    PictureDoubts doubts() const
    {
        const LumaWindow compared[] = {
            {chosen(ref_.luma(), pairs_, &FramePair::ref), chosen(dis_.luma(), pairs_, &FramePair::dis)}};
        return picture_doubts(compared, names_, rate_.value_or(0));
    }

  private:
    Pairing begun(const char *method) const
    {
        Pairing pairing{.method = method, .evidence_db = {{estimate_.best_db, estimate_.zero_db}}};
        pairing.lag = is_settled() ? std::optional(estimate_.lag) : std::nullopt;
        return pairing;
    }

    Survey &ref_, &dis_;
    PairNames names_;
    std::optional<double> rate_;
    unsigned most_lag_;
    LagEstimate estimate_;
    std::string edits_; ///< why one lag does not fit; may be empty
    std::vector<FramePair> pairs_;
};

/// Frames cannot be kept where a GPU decodes them, or where forms of the reference share a decoder.
bool can_keep_frames(const Videos &videos)
{
    return videos.reference.size() == 1 &&
           std::ranges::none_of(all_of(videos), [](const auto *video) { return is_decoded_on_gpu(*video); });
}

PairNames names_of(const VideoReader &ref, const VideoReader &dis)
{
    return {printable(ref.file().path()), printable(dis.file().path())};
}

void align_pair(Survey &reference, Survey &distorted, const Videos &videos, ComparedEncode &encode,
                const ReadingOptions &options)
{
    const PairNames names = names_of(videos.reference_of(encode), *encode.video);
    PairSurvey survey(reference, distorted, names, frame_rate(videos, encode));
    encode.pairing = options.align == Alignment::offset ? survey.offset() : survey.frames(options.count);
    survey.tell(encode.pairing, *encode.warnings);
    const PictureDoubts doubts = survey.doubts();
    for (const std::string &warning : doubts.warnings)
        encode.warnings->warn_at_start(warning);
    if (!doubts.note.empty())
        encode.warnings->note(doubts.note);
}

} // namespace

void align_videos(Videos &videos, const ReadingOptions &options)
{
    if (options.align != Alignment::offset && options.align != Alignment::frames)
        return;
    const bool keeps = can_keep_frames(videos);
    FrameMemory memory(keeps ? kMemoryBytes : 0);
    std::map<std::size_t, std::unique_ptr<Survey>> references; // by form of the reference
    for (ComparedEncode &encode : videos.encodes) {
        std::unique_ptr<Survey> &reference = references[encode.form];
        if (!reference)
            reference = std::make_unique<Survey>(videos.reference[encode.form], options.skip_ref, memory, keeps);
        Survey distorted(encode.video, options.skip_dist, memory, keeps);
        align_pair(*reference, distorted, videos, encode, options);
        distorted.end();
    }
    for (const auto &[form, reference] : references)
        reference->end();
}

void watch_frames(Videos &videos, const ReadingOptions &options)
{
    if (options.align != Alignment::check)
        return;
    const std::vector<FrameWindow> windows = windows_of(expected_frames(options, videos), frame_rate(videos));
    for (const auto &form : videos.reference)
        videos.reference_luma.push_back(std::make_unique<LumaCollector>(form->form(), windows));
    for (ComparedEncode &encode : videos.encodes)
        encode.luma = std::make_unique<LumaCollector>(encode.video->form(), windows);
}

/// There may be more readers than segments: those that nobody reads are not watched.
void add_watched_frames(Videos &videos, const Videos &others)
{
    if (others.reference_luma.empty())
        return;
    for (std::size_t form = 0; form < videos.reference_luma.size(); ++form)
        videos.reference_luma[form]->add(*others.reference_luma[form]);
    for (std::size_t encode = 0; encode < videos.encodes.size(); ++encode)
        if (videos.encodes[encode].luma)
            videos.encodes[encode].luma->add(*others.encodes[encode].luma);
}

void warn_of_doubts(Videos &videos, std::size_t encode, unsigned frames)
{
    ComparedEncode &of = videos.encodes[encode];
    if (!of.luma)
        return;
    const std::vector<SmallLuma> ref = videos.reference_luma[of.form]->small_luma(frames),
                                 dis = of.luma->small_luma(frames);
    std::vector<LumaWindow> windows;
    for (std::size_t i = 0; i < ref.size(); ++i)
        if (ref[i].frames() > 0 && dis[i].frames() > 0)
            windows.push_back({ref[i], dis[i]});
    if (windows.empty())
        return;
    const VideoReader &reference = videos.reference_of(of);
    const PairNames names = names_of(reference, *of.video);
    const std::optional<double> rate = frame_rate(videos, of);
    auto of_pictures = std::async([&] { return picture_doubts(windows, names, rate.value_or(0)); });
    TimeDoubts time = time_doubts(windows, names, frames_in(kMostLagSeconds, rate));
    of.seen = std::move(time.seen);
    for (const std::string &warning : time.warnings)
        of.warnings->warn(warning);
    const PictureDoubts doubts = of_pictures.get();
    for (const std::string &warning : doubts.warnings)
        of.warnings->warn(warning);
    if (!doubts.note.empty())
        of.warnings->note(doubts.note);
}

} // namespace vmaf::tool
