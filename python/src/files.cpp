/// The module libvmaf._files: video files for sessions of libvmaf._core. It is a module of its own
/// because it needs ffmpeg's libraries.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "comparison/clip_options.h"
#include "input/video_facts.h"
#include "messages.h"
#include "model_choice.h"
#include "readers.h"
#include "scores/score_columns.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace vmaf;
using namespace vmaf::python;

namespace {

PyObject *video_error = nullptr;
PyObject *segments_do_not_fit = nullptr;

[[noreturn]] void raise(const tool::Failure &failure)
{
    std::string text = failure.what();
    while (text.ends_with('\n'))
        text.pop_back();
    const bool is_memory = failure.exit_code() == tool::exit_code_of(-ENOMEM);
    PyErr_SetString(is_memory ? PyExc_MemoryError : video_error, in_keywords(text).c_str());
    nb::raise_python_error();
}

/// Lines of the readers: what they convert, and warnings.
void take_line(std::string_view line)
{
    constexpr std::string_view kWarning = "warning: ";
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    if (line.starts_with(kWarning))
        add_message(VMAF_LOG_LEVEL_WARNING, line.substr(kWarning.size()));
    else
        add_message(VMAF_LOG_LEVEL_INFO, line);
}

template <class Choice>
Choice chosen(const char *option, const std::string &text, std::optional<Choice> (*parse)(std::string_view))
{
    if (const auto choice = parse(text))
        return *choice;
    throw nb::value_error(
        (std::string(option) + " is '" + text + "', which it cannot be: help(libvmaf.score)").c_str());
}

VmafPixelFormat pix_fmt_named(const std::string &name)
{
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        if (name == tool::pixel_format_text(pix_fmt))
            return pix_fmt;
    throw nb::value_error(("raw: pix_fmt is '" + name + "': '400', '420', '422' or '444' is needed").c_str());
}

tool::ReadingOptions reading_options(const std::string &reference, const std::vector<std::string> &distorted,
                                     const nb::dict &reading)
{
    const auto text = [&](const char *key) { return nb::cast<std::string>(reading[key]); };
    tool::ReadingOptions options;
    options.reference = reference;
    options.distorted = distorted;
    options.input.ref.container = chosen("ref_format", text("ref_format"), tool::parse_container_format);
    options.input.dis.container = chosen("dist_format", text("dist_format"), tool::parse_container_format);
    options.input.ref.samples.range = chosen("range_ref", text("range_ref"), tool::parse_range);
    options.input.dis.samples.range = chosen("range_dist", text("range_dist"), tool::parse_range);
    options.input.ref.samples.matrix = chosen("matrix_ref", text("matrix_ref"), tool::parse_matrix);
    options.input.dis.samples.matrix = chosen("matrix_dist", text("matrix_dist"), tool::parse_matrix);
    options.input.scale = chosen("scale", text("scale"), tool::parse_scale);
    options.input.display = chosen("display", text("display"), tool::parse_display);
    options.input.scaler = chosen("scaler", text("scaler"), tool::parse_scaler);
    if (const nb::object background = reading["background"]; !background.is_none())
        options.input.background = chosen("background", nb::cast<std::string>(background), tool::parse_background);
    options.input.pix_fmt = chosen("pix_fmt", text("pix_fmt"), tool::parse_common_format);
    options.input.decoding = chosen("decoder", text("decoder"), tool::parse_decoding);
    options.input.deinterlace = nb::cast<bool>(reading["deinterlace"]);
    options.input.ref.filter = nb::cast<std::optional<std::string>>(reading["filter_ref"]);
    options.input.dis.filter = nb::cast<std::optional<std::string>>(reading["filter_dist"]);
    options.input.crop = chosen("crop", text("crop"), tool::parse_crop);
    for (const auto &[key, side] : {std::pair("crop_ref", &options.input.ref), {"crop_dist", &options.input.dis}})
        if (const nb::object crop = reading[key]; !crop.is_none())
            side->crop = chosen(key, nb::cast<std::string>(crop), tool::parse_crop);
    options.input.film_grain = chosen("film_grain", text("film_grain"), tool::parse_film_grain);
    if (const std::string fps = text("fps"); !fps.empty())
        options.input.sequence_rate = chosen("fps", fps, tool::parse_frame_rate);
    options.input.autorotate = nb::cast<bool>(reading["autorotate"]);
    options.input.allow_fps_mismatch = nb::cast<bool>(reading["allow_fps_mismatch"]);
    options.input.allow_network = nb::cast<bool>(reading["allow_network"]);
    options.strict = nb::cast<bool>(reading["strict"]);
    options.skip_ref = nb::cast<unsigned>(reading["skip_ref"]);
    options.skip_dist = nb::cast<unsigned>(reading["skip_dist"]);
    if (const std::string offset = text("offset"); !offset.empty())
        options.offset = chosen("offset", offset, tool::parse_frame_offset);
    options.align = chosen("align", text("align"), tool::parse_alignment);
    if (const nb::object sample = reading["sample"]; !sample.is_none())
        options.sample = chosen("sample", nb::cast<std::string>(sample), tool::parse_sample);
    if (options.sample && options.sample->error > 0 && distorted.size() > 1)
        throw nb::value_error("sample='auto:ERROR' is for one encode; 'N%' takes several");
    if (options.offset && (options.align == tool::Alignment::offset || options.align == tool::Alignment::frames))
        throw nb::value_error("offset says what align='offset' and align='frames' look for: give one of them");
    options.count = nb::cast<unsigned>(reading["count"]);
    if (const nb::object raw = reading["raw"]; !raw.is_none())
        options.input.raw = tool::VideoFormat{nb::cast<unsigned>(raw[0]), nb::cast<unsigned>(raw[1]),
                                              pix_fmt_named(nb::cast<std::string>(raw[2])), nb::cast<unsigned>(raw[3])};
    return options;
}

/// Run `work` without the GIL. Exceptions are rethrown with the GIL, after the messages.
template <class Work> void released(const Work &work)
{
    std::exception_ptr failure;
    {
        const nb::gil_scoped_release without;
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
    }
    log_messages();
    try {
        if (failure)
            std::rethrow_exception(std::exchange(failure, nullptr));
    } catch (const tool::Failure &reason) {
        raise(reason);
    } catch (const tool::SegmentsDoNotFit &reason) {
        PyErr_SetString(segments_do_not_fit, reason.why);
        nb::raise_python_error();
    }
}

/// (time stamp that leads to the key frame or None, the key frame's, frames dropped, frames
/// checked, digest of their time stamps)
using SegmentValues =
    std::tuple<std::optional<std::int64_t>, std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

SegmentValues values_of(const tool::SegmentStart &segment)
{
    const tool::KeyFrame from = segment.from.value_or(tool::KeyFrame());
    return {segment.from ? std::optional(from.asked) : std::nullopt, from.pts, segment.dropped, segment.checked,
            segment.time_stamps};
}

tool::SegmentStart segment_of(const SegmentValues &values)
{
    const auto &[asked, pts, dropped, checked, time_stamps] = values;
    tool::SegmentStart segment;
    segment.dropped = dropped;
    segment.checked = checked;
    segment.time_stamps = time_stamps;
    if (asked)
        segment.from = tool::KeyFrame{*asked, pts};
    return segment;
}

/// Names and options.
using Features = std::vector<std::pair<std::string, std::vector<tool::OptionValue>>>;

/// Versions, and whether they are transformed. Empty: not a built-in model as it is.
using Models = std::vector<std::pair<std::string, bool>>;
/// Version, whether it is transformed, and (feature, option, value).
using ChosenModel = std::tuple<std::string, bool, std::vector<std::tuple<std::string, std::string, std::string>>>;

ChosenModel values_of(const tool::ModelChoice &choice)
{
    ChosenModel values{choice.version, choice.is_transformed, {}};
    for (const auto &[extractor, option, value] : choice.overloads)
        std::get<2>(values).emplace_back(extractor, option, value);
    return values;
}

std::vector<std::string> versions_of(const Models &models)
{
    std::vector<std::string> versions;
    for (const auto &[version, is_transformed] : models)
        versions.push_back(version);
    return versions;
}

/// A feature with options may read any plane.
bool reads_chroma(const Features::value_type &feature)
{
    return tool::feature_reads_chroma(feature.second.empty() ? feature.first : std::string());
}

/// A reference and its distorted videos, opened and brought to one form.
class Clips {
  public:
    /// @param gpu that may decode media files; empty: none. Open videos before sessions on it.
    /// Throws tool::Failure.
    Clips(tool::ReadingOptions options, const Models &models, const Features &features, std::optional<unsigned> gpu);

    /// Format of the first encode's pictures.
    const tool::VideoFormat &format() const { return videos_.format_of(videos_.encodes.front()); }
    /// Features with the options that describe the videos.
    const Features &features(std::size_t encode) const { return features_.at(encode); }
    /// Models of an encode.
    const std::vector<ChosenModel> &models(std::size_t encode) const { return models_.at(encode); }
    std::optional<double> frame_rate() const { return tool::frame_rate(videos_); }
    /// How many frames there will be. Scores may decide how many a sample has.
    std::optional<std::uint64_t> expected_frames() const
    {
        return samples_.empty() ? tool::expected_frames(options_, videos_) : std::nullopt;
    }
    /// Warnings of an encode.
    std::vector<std::string> warnings(std::size_t encode) const { return videos_.encodes.at(encode).warnings->texts(); }

    /// Facts about the files of an encode and about the scored pictures, as JSON (spec cli 10.7).
    std::string details(std::size_t encode) const;

    /// The record of the comparison of an encode with its reference, as JSON; empty: there was
    /// nothing to decide.
    std::optional<std::string> comparison(std::size_t encode) const;

    /// Numbers of the distorted frames that were given to the session of an encode, or appended to
    /// it, and those of the reference's. Empty: these are equal, or those of all frames.
    std::optional<std::pair<std::vector<unsigned>, std::optional<std::vector<unsigned>>>>
    pairs(std::size_t encode) const;

    /// Frames of each video by the packets of its file, which are read for that. Empty: it has
    /// none, or they do not say.
    std::vector<std::optional<std::uint64_t>> index_frames();
    /// The place where the frames first..end-1 of a video with such an index begin.
    SegmentValues segment_start(std::size_t video, std::uint64_t first, std::uint64_t end);
    /// Says for each video, before it is read, where to begin instead of skipping frames.
    void start_at(const std::vector<std::optional<SegmentValues>> &segments);

    /// Give every frame to sessions, in the order of the distorted videos. Once.
    /// @param on_gpu whether they are on the GPU that may decode.
    /// @return for each: (frames, which ended first or None, the library's error, why a video could
    /// not be read to its end or None)
    nb::list read(const std::vector<std::uintptr_t> &handles, bool on_gpu, bool in_segments,
                  const nb::object &progress);

    /// Half the width that a sample's interval may have; 0: the sample has a size.
    double sample_error() const { return options_.sample ? options_.sample->error : 0; }
    /// Give one more session frames of the only encode's sample, after read().
    /// @param half_width that the interval has.
    void read_more(std::uintptr_t handle, bool on_gpu, double half_width, const nb::object &progress);
    /// Append the frames of an encode's sample that were read to a session of its own.
    /// @return as an item of read()
    nb::tuple append_sample(std::size_t encode, std::uintptr_t handle);
    /// (frames, of, strata, frames of a stratum, frames of the smallest stratum, seed, frames that
    /// were read for it). None: all frames are scored.
    std::optional<std::tuple<std::size_t, unsigned, unsigned, unsigned, unsigned, std::uint64_t, std::size_t>>
    sample(std::size_t encode) const;
    /// Interval of the mean of all frames, for a probability of 95 %. None: a score is not finite,
    /// or the column's values are not those of single frames.
    std::optional<std::pair<double, double>> sample_interval(std::size_t encode, const std::string &column,
                                                             const std::vector<double> &scores) const;

  private:
    std::vector<tool::FrameLoopResult> read_all(const std::vector<std::uintptr_t> &handles, bool on_gpu,
                                                tool::DecodersInFlight decoders, const tool::FrameRead &tell);
    std::vector<tool::FrameLoopResult> read_samples(const std::vector<tool::SessionPictures> &sessions,
                                                    const tool::FrameRead &tell);
    bool may_lend(bool on_gpu) const { return gpu_ && on_gpu && !need_reference_again(videos_) && samples_.size() < 2; }
    void judge(std::size_t encode, tool::FrameLoopResult &result);
    nb::tuple told(std::size_t encode, const tool::FrameLoopResult &result) const;

    tool::ReadingOptions options_;
    std::unique_ptr<tool::Warnings> warnings_; ///< readers refer to it
    std::shared_ptr<tool::MediaGpu> gpu_;
    bool reads_chroma_;
    std::vector<Features> features_; ///< features of each encode
    std::vector<std::vector<ChosenModel>> models_;
    tool::Videos videos_;
    std::vector<tool::EncodeSample> samples_;                 ///< sample of each encode; empty: all frames are scored
    std::vector<std::optional<tool::SegmentStart>> segments_; ///< none, or one for each video
};

/// Throttled, and once more at the end.
class Progress {
  public:
    explicit Progress(const nb::object &progress) : progress_(progress) {}

    /// Report progress. An exception from the callback or a signal's handler ends the reading.
    void tell(unsigned frames)
    {
        const nb::gil_scoped_acquire acquired;
        log_messages();
        if (PyErr_CheckSignals() != 0)
            nb::raise_python_error();
        if (!progress_.is_none())
            progress_(frames);
    }
    void read(unsigned frames)
    {
        constexpr std::chrono::milliseconds kBetweenCalls{100};
        const auto now = std::chrono::steady_clock::now();
        if (now - last_call_ < kBetweenCalls)
            return;
        last_call_ = now;
        tell(frames);
    }

  private:
    const nb::object &progress_;
    std::chrono::steady_clock::time_point last_call_ = std::chrono::steady_clock::now();
};

Clips::Clips(tool::ReadingOptions options, const Models &models, const Features &features, std::optional<unsigned> gpu)
    : options_(std::move(options)), warnings_(std::make_unique<tool::Warnings>(options_.strict)),
      reads_chroma_(std::ranges::any_of(versions_of(models), tool::model_reads_chroma) ||
                    std::ranges::any_of(features, reads_chroma))
{
    options_.input.sdr_depth = tool::sdr_depth_for(versions_of(models));
    if (gpu && tool::count_gpus_in_pci_order())
        gpu_ = tool::make_media_gpu(*gpu, options_.input.decoding == tool::Decoding::cuda);
    videos_ = tool::open_videos(options_, gpu_, *warnings_);
    tool::check_comparable(videos_);
    tool::align_videos(videos_, options_);
    if (options_.sample)
        samples_ = samples_of(videos_, options_);
    for (const tool::ComparedEncode &encode : videos_.encodes) {
        tool::ClipFacts facts = tool::facts_of(videos_, encode);
        facts.frame_rate = frame_rate();
        std::vector<ChosenModel> &chosen = models_.emplace_back();
        for (const auto &[version, is_transformed] : models) {
            const tool::ModelChoice choice = tool::choose_model({version, is_transformed}, facts);
            tell(choice, *encode.warnings);
            chosen.push_back(values_of(choice));
        }
        for (auto &[name, given] : features_.emplace_back(features))
            tool::add_clip_options(name, given, facts, *encode.warnings);
    }
    std::vector<std::string> names;
    for (const auto &[name, given] : features)
        names.push_back(name);
    for (std::size_t i = 0; i < models_.size(); ++i) {
        std::vector<std::string> versions;
        for (const ChosenModel &model : models_[i])
            versions.push_back(std::get<0>(model));
        note_what_is_made_for_sdr(videos_, i, versions, names);
    }
}

std::string Clips::details(std::size_t encode) const
{
    const tool::ComparedEncode &of = videos_.encodes.at(encode);
    return tool::video_facts_json(videos_.reference_of(of), *of.video);
}

std::optional<std::string> Clips::comparison(std::size_t encode) const
{
    const tool::ComparedEncode &of = videos_.encodes.at(encode);
    return of.has_record() ? std::optional(record_of(videos_, of, of.warnings->texts())) : std::nullopt;
}

std::optional<std::pair<std::vector<unsigned>, std::optional<std::vector<unsigned>>>>
Clips::pairs(std::size_t encode) const
{
    const std::vector<tool::FramePair> &found = videos_.encodes.at(encode).pairing.pairs;
    const std::vector<tool::FramePair> &scored = samples_.empty() ? found : samples_.at(encode).pairs;
    std::pair<std::vector<unsigned>, std::vector<unsigned>> numbers;
    for (const auto &[dis, ref] : scored) {
        numbers.first.push_back(dis);
        numbers.second.push_back(ref);
    }
    if (numbers.first.empty())
        return std::nullopt;
    return std::pair(std::move(numbers.first), found.empty() ? std::nullopt : std::optional(std::move(numbers.second)));
}

std::vector<std::optional<std::uint64_t>> Clips::index_frames()
{
    std::vector<std::optional<std::uint64_t>> counts;
    for (tool::VideoReader *video : all_of(videos_))
        counts.push_back(video->index_frames());
    return counts;
}

SegmentValues Clips::segment_start(std::size_t video, std::uint64_t first, std::uint64_t end)
{
    return values_of(all_of(videos_).at(video)->segment_start(first, end));
}

void Clips::start_at(const std::vector<std::optional<SegmentValues>> &segments)
{
    segments_.clear();
    for (const auto &values : segments)
        segments_.push_back(values ? std::optional(segment_of(*values)) : std::nullopt);
}

std::vector<tool::FrameLoopResult> Clips::read_all(const std::vector<std::uintptr_t> &handles, bool on_gpu,
                                                   tool::DecodersInFlight decoders, const tool::FrameRead &tell)
{
    if (samples_.empty())
        watch_frames(videos_, options_);
    videos_.reads_chroma = reads_chroma_;
    tool::FrameSources sources = sources_of(videos_, options_);
    const auto start = [](tool::FrameSource &source, const std::optional<tool::SegmentStart> &segment) {
        if (!segment)
            return;
        source.video.start_at(*segment);
        source.skip = static_cast<unsigned>(segment->dropped);
    };
    if (!segments_.empty()) {
        for (tool::FrameSource &form : sources.reference)
            start(form, segments_.front());
        for (std::size_t i = 0; i < sources.encodes.size(); ++i)
            start(sources.encodes[i].video, segments_.at(1 + i));
    }
    // Others score other segments at the same time and use the GPU's decoders too.
    const bool is_whole = std::ranges::none_of(segments_, [](const auto &segment) { return segment.has_value(); });
    if (may_lend(on_gpu))
        tool::lend_frames(videos_, gpu_, is_whole ? decoders : tool::DecodersInFlight::one);
    warnings_->frames_follow();
    std::vector<tool::SessionPictures> sessions;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        sessions.emplace_back(reinterpret_cast<VmafContext *>(handles[i]), on_gpu ? this : nullptr);
        if (const int error = sessions.back().allocate(videos_.format_of(videos_.encodes[i])))
            return std::vector<tool::FrameLoopResult>(handles.size(), {.error = error});
    }
    std::vector<tool::FrameLoopResult> results;
    if (samples_.empty()) {
        tool::SessionSink sink = sink_of(videos_, sessions);
        results = read_frames(tool::whole_clip(options_), sources, sink, {}, tell);
        sink.end_all(results);
    } else {
        results = read_samples(sessions, tell);
    }
    return results;
}

std::vector<tool::FrameLoopResult> Clips::read_samples(const std::vector<tool::SessionPictures> &sessions,
                                                       const tool::FrameRead &tell)
{
    for (std::size_t i = 0; i < samples_.size(); ++i)
        begin_round(samples_[i], sessions[i].get(), *options_.sample);
    read_rounds(videos_, samples_, options_, sessions, {}, tell);
    std::vector<tool::FrameLoopResult> results;
    for (const tool::EncodeSample &sample : samples_) {
        results.push_back(sample.rounds.back().result);
        results.back().ended_first = sample.ended_first;
    }
    return results;
}

void Clips::read_more(std::uintptr_t handle, bool on_gpu, double half_width, const nb::object &progress)
{
    Progress to(progress);
    released([&] {
        tool::Videos again = reopened(videos_, may_lend(on_gpu) ? gpu_ : nullptr);
        again.reads_chroma = reads_chroma_;
        if (may_lend(on_gpu))
            tool::lend_frames(again, gpu_, tool::DecodersInFlight::one);
        const std::vector<tool::SessionPictures> session{
            {reinterpret_cast<VmafContext *>(handle), on_gpu ? this : nullptr}};
        begin_round(samples_.front(), session.front().get(), *options_.sample, half_width);
        if (const int error = session.front().allocate(format()))
            samples_.front().rounds.back().result = {.error = error};
        else
            read_rounds(again, samples_, options_, session, {}, [&](unsigned frames) { to.read(frames); });
    });
}

nb::tuple Clips::append_sample(std::size_t encode, std::uintptr_t handle)
{
    tool::FrameLoopResult result;
    released([&] {
        tool::EncodeSample &sample = samples_.at(encode);
        result = tool::append_sample(sample, reinterpret_cast<VmafContext *>(handle));
        for (const tool::SampleRound &round : sample.rounds)
            result.error = result.error != 0 ? result.error : round.result.error;
    });
    return told(encode, result);
}

std::optional<std::tuple<std::size_t, unsigned, unsigned, unsigned, unsigned, std::uint64_t, std::size_t>>
Clips::sample(std::size_t encode) const
{
    if (samples_.empty())
        return std::nullopt;
    const tool::EncodeSample &of = samples_.at(encode);
    return std::tuple(of.pairs.size(), of.frames.clip_frames(), of.frames.strata(), of.per_stratum,
                      of.frames.most_per_stratum(), tool::kSampleSeed, of.frames_read());
}

std::optional<std::pair<double, double>> Clips::sample_interval(std::size_t encode, const std::string &column,
                                                                const std::vector<double> &scores) const
{
    const tool::EncodeSample &of = samples_.at(encode);
    const auto interval = tool::is_of_frame(column) ? of.frames.interval_of_mean(scores, of.per_stratum) : std::nullopt;
    return interval ? std::optional(std::pair(interval->low, interval->high)) : std::nullopt;
}

/// Check what needs the whole video. Call it after everything was read.
void Clips::judge(std::size_t encode, tool::FrameLoopResult &result)
{
    if (result.stop)
        return;
    try {
        tool::warn_of_damage(videos_, encode);
        tool::warn_of_interlaced_frames(videos_, encode);
        tool::warn_of_lost_frames(videos_, encode, options_);
        tool::warn_of_doubts(videos_, encode, result.frames);
        tool::warn_of_bars(videos_, encode, result, options_);
        tool::warn_of_grey(videos_, encode, result, options_);
        tool::warn_of_exchange(videos_, encode, result);
    } catch (const tool::ScoringStopped &stopped) {
        result.stop = stopped;
        return;
    }
    if (result.ended_first && options_.strict)
        result.stop.emplace(tool::StopReason::truncated_input, tool::kExitBadData,
                            end_of_one(options_.reference, options_.distorted[encode], *result.ended_first));
}

nb::tuple Clips::told(std::size_t encode, const tool::FrameLoopResult &result) const
{
    const auto ended_first =
        result.ended_first
            ? std::optional(end_of_one(options_.reference, options_.distorted[encode], *result.ended_first))
            : std::nullopt;
    const auto stopped = result.stop ? std::optional<std::string>(result.stop->what()) : std::nullopt;
    return nb::make_tuple(result.frames, ended_first, result.error, stopped);
}

nb::list Clips::read(const std::vector<std::uintptr_t> &handles, bool on_gpu, bool in_segments,
                     const nb::object &progress)
{
    Progress to(progress);
    std::vector<tool::FrameLoopResult> results;
    released([&] {
        results = read_all(handles, on_gpu, in_segments ? tool::DecodersInFlight::several : tool::DecodersInFlight::one,
                           [&](unsigned frames) { to.read(frames); });
        unsigned frames = 0;
        for (const tool::FrameLoopResult &result : results)
            frames = std::max(frames, result.frames);
        if (std::ranges::none_of(results, [](const auto &result) { return result.stop.has_value(); }))
            to.tell(frames);
        for (std::size_t i = 0; i < results.size(); ++i)
            judge(i, results[i]);
        for (std::size_t i = 0; i < samples_.size(); ++i)
            samples_[i].rounds.back().result = results[i];
    });
    nb::list read;
    for (std::size_t i = 0; i < results.size(); ++i)
        read.append(told(i, results[i]));
    return read;
}

} // namespace

NB_MODULE(_files, module)
{
    nb::dict no_scores;
    no_scores["result"] = nb::none();
    no_scores["results"] = nb::tuple();
    video_error =
        PyErr_NewExceptionWithDoc("libvmaf.VideoError",
                                  "A video cannot be read, or not be compared with another. Where it was read "
                                  "in part, `result` has the scores so far, of several encodes `results`.",
                                  PyExc_ValueError, no_scores.ptr());
    module.attr("VideoError") = nb::borrow(video_error);
    segments_do_not_fit = PyErr_NewExceptionWithDoc(
        "libvmaf._files.SegmentsDoNotFit", "A video cannot be read in segments with the result that it has as a whole.",
        nullptr, nullptr);
    module.attr("SegmentsDoNotFit") = nb::borrow(segments_do_not_fit);
    tool::redirect_console(take_line);
    nb::class_<Clips>(module, "Clips")
        .def_static(
            "open",
            [](const std::string &reference, const std::vector<std::string> &distorted, const Models &models,
               Features features, const nb::dict &reading) {
                tool::ReadingOptions options = reading_options(reference, distorted, reading);
                const auto gpu = nb::cast<std::optional<unsigned>>(reading["gpu"]);
                std::unique_ptr<Clips> clips;
                released(
                    [&] { clips = std::make_unique<Clips>(std::move(options), models, std::move(features), gpu); });
                return clips;
            },
            "reference"_a, "distorted"_a, "models"_a, "features"_a, "reading"_a)
        .def("read", &Clips::read, "handles"_a, "on_gpu"_a, "in_segments"_a, "progress"_a.none())
        .def_prop_ro("sample_error", &Clips::sample_error)
        .def("read_more", &Clips::read_more, "handle"_a, "on_gpu"_a, "half_width"_a, "progress"_a.none())
        .def("append_sample", &Clips::append_sample, "encode"_a, "handle"_a)
        .def("sample", &Clips::sample, "encode"_a)
        .def("sample_interval", &Clips::sample_interval, "encode"_a, "column"_a, "scores"_a)
        .def("index_frames", &Clips::index_frames, nb::call_guard<nb::gil_scoped_release>())
        .def("segment_start", &Clips::segment_start, "video"_a, "first"_a, "end"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("start_at", &Clips::start_at, "segments"_a)
        .def_prop_ro("size",
                     [](const Clips &clips) { return std::pair(clips.format().width_px, clips.format().height_px); })
        .def_prop_ro("pix_fmt", [](const Clips &clips) { return tool::pixel_format_text(clips.format().pix_fmt); })
        .def_prop_ro("bpc", [](const Clips &clips) { return clips.format().depth; })
        .def_prop_ro("frame_rate", &Clips::frame_rate)
        .def("features", &Clips::features, "encode"_a)
        .def("models", &Clips::models, "encode"_a)
        .def_prop_ro("expected_frames", &Clips::expected_frames)
        .def("details", &Clips::details, "encode"_a)
        .def("comparison", &Clips::comparison, "encode"_a)
        .def("pairs", &Clips::pairs, "encode"_a)
        .def("warnings", &Clips::warnings, "encode"_a);
    module.def("has_media_support", tool::has_media_support);
    module.def("has_filter_support", tool::has_filter_support);
}
