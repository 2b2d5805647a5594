#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alignment/collect.h"
#include "common/console.h"
#include "comparison/clip_options.h"
#include "comparison/pairing.h"
#include "comparison/plan.h"
#include "frames/frame_loop.h"
#include "frames/session_sink.h"
#include "input/media.h"
#include "input/video_reader.h"
#include "reading_options.h"

namespace vmaf::tool {

/// A distorted video.
struct ComparedEncode {
    std::shared_ptr<Warnings> warnings; ///< warnings of the encode and the reference
    std::unique_ptr<VideoReader> video;
    std::size_t form;                ///< index of the form of the reference to compare with
    std::vector<Decision> decisions; ///< how the two were brought together
    Pairing pairing = {};
    Pairing seen = {};                             ///< result of --align check, which changes no pairs
    std::unique_ptr<LumaCollector> luma = nullptr; ///< small luma of watched frames; null: none are watched

    /// Whether there is something to record.
    bool has_record() const { return !decisions.empty() || pairing.method != nullptr; }
    /// What is compared, or else what was seen.
    const Pairing &known_pairing() const { return pairing.method != nullptr ? pairing : seen; }
};

/// The videos to compare: one or more distorted videos, each with the reference.
struct Videos {
    /// The reference in each form that encodes need. It is decoded once.
    std::vector<std::unique_ptr<VideoReader>> reference;
    std::vector<ComparedEncode> encodes;
    std::vector<std::unique_ptr<LumaCollector>> reference_luma; ///< for each form, if frames are watched
    bool reads_chroma = true;                                   ///< features do
    Display display = Display::none;                            ///< that all are scaled to

    const VideoReader &reference_of(const ComparedEncode &encode) const { return *reference[encode.form]; }
    /// Null: its frames are not watched.
    LumaCollector *watched_reference(std::size_t form) const
    {
        return reference_luma.empty() ? nullptr : reference_luma[form].get();
    }
    /// Forms of one reference may share a decoder, which reads chroma for all of them or for none.
    ChromaUse chroma_use() const
    {
        return reads_chroma ? ChromaUse::scored : reference.size() > 1 ? ChromaUse::unread : ChromaUse::probed;
    }
    /// Format of the pictures that are compared.
    const VideoFormat &format_of(const ComparedEncode &encode) const { return reference_of(encode).format(); }
};

/// Open them and bring each encode and the reference to one form, as far as the options say so.
/// Throws Failure.
/// @param gpu that may decode; null: none.
Videos open_videos(const ReadingOptions &options, std::shared_ptr<MediaGpu> gpu, Warnings &warnings);

/// Says and records which of them are made for SDR, if an encode and its reference are HDR.
/// @param models versions that are scored.
void note_what_is_made_for_sdr(Videos &videos, std::size_t encode, std::span<const std::string> models,
                               std::span<const std::string> features);

/// Throws Failure if they cannot be compared.
void check_comparable(const Videos &videos);

/// The record of the comparison of an encode with its reference (spec comparison 11), as JSON.
/// @param warnings all that concern the two.
std::string record_of(const Videos &videos, const ComparedEncode &encode, std::span<const std::string> warnings);

/// Pass frames to sessions on that GPU, if it decodes one of the videos. @param decoders several:
/// only if all videos can be read again.
void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders);

/// An encode and its reference as features see them.
ClipFacts facts_of(const Videos &videos, const ComparedEncode &encode);

/// Each file once, the reference first.
std::vector<VideoReader *> all_of(const Videos &videos);
/// Frames that are dropped at the start of an encode and its reference.
FrameSkips skips_of(const ReadingOptions &options, const ComparedEncode &encode);
/// Whether frames of the reference are compared with several frames of one encode, or at several
/// times.
bool need_reference_again(const Videos &videos);
/// Sources of all videos, from the frame where the options say to begin.
FrameSources sources_of(const Videos &videos, const ReadingOptions &options);
/// Further readers of the reference and its only encode, on that GPU where it decodes; null: in
/// software. Throws Failure if they cannot be read again.
Videos reopened(const Videos &videos, const std::shared_ptr<MediaGpu> &gpu);
/// The sink for the videos' frames. @param sessions one for each encode. @param references come
/// again also where the videos themselves say so.
SessionSink sink_of(const Videos &videos, std::span<const SessionPictures> sessions,
                    SessionSink::References references = SessionSink::References::come_once);

/// Number of frames of the longest encode: the least that is known (spec cli 10.3).
std::optional<std::uint64_t> expected_frames(const ReadingOptions &options, const Videos &videos);

/// Frames per second, if one of them says.
std::optional<double> frame_rate(const Videos &videos);
/// Frame rate of one encode and its reference.
std::optional<double> frame_rate(const Videos &videos, const ComparedEncode &encode);

/// Text that says which video ended and which one is longer. @param reference, distorted paths.
std::string end_of_one(const std::string &reference, const std::string &distorted, VideoSide ended);

/// Warns of time stamps that put an encode and its reference out of step, once everything was read
/// (spec comparison 2.6). Throws ScoringStopped where warnings are errors.
void warn_of_lost_frames(const Videos &videos, std::size_t encode, const ReadingOptions &options);

/// Warns of black bars that only one side has, unless an option crops one of them (spec comparison
/// 7). Throws ScoringStopped where warnings are errors.
void warn_of_bars(const Videos &videos, std::size_t encode, const FrameLoopResult &result,
                  const ReadingOptions &options);

/// Warns of colours that only one side has, unless luma alone was asked for (spec comparison 8).
/// Throws ScoringStopped where warnings are errors.
void warn_of_grey(const Videos &videos, std::size_t encode, const FrameLoopResult &result,
                  const ReadingOptions &options);

/// Warns of a reference that has less detail and fewer bits than the encode (spec comparison 8).
/// Throws ScoringStopped where warnings are errors.
void warn_of_exchange(const Videos &videos, std::size_t encode, const FrameLoopResult &result);

/// Warns of interlaced frames behind a first one that is not (spec comparison 2.8), once everything
/// was read. Throws ScoringStopped where warnings are errors.
void warn_of_interlaced_frames(const Videos &videos, std::size_t encode);

/// Warns of damage in an encode and its reference, once everything was read. Throws ScoringStopped
/// where warnings are errors.
void warn_of_damage(const Videos &videos, std::size_t encode);

} // namespace vmaf::tool
