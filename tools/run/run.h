#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/options.h"
#include "output/output_file.h"
#include "readers.h"
#include "report/gates.h"
#include "run/sampling.h"
#include "scores/score_columns.h"
#include "scoring/library_log.h"
#include "scoring/registration.h"
#include "scoring/scoring_context.h"
#include "scoring/signal_watcher.h"

namespace vmaf::tool {

class Progress;

/// Score videos as the options say; the exit code. Throws Failure.
int run(const Options &options, Warnings &warnings);

/// One distorted video, what scores it, and how far that came.
struct Encode {
    const std::string &path; ///< path as the user wrote it
    const ComparedEncode &compared;
    const VideoReader &reference; ///< in the form for this encode
    const ScoringContext &context;
    std::vector<ScoringModel> models;
    LazyScoreColumns scores; ///< once it has come to its end and models are pooled
    FrameLoopResult result{};
    const EncodeSample *sample = nullptr; ///< the sample that was scored; null: all frames

    /// After the result.
    void take_sample(const EncodeSample &taken);
};

/// Destinations of results.
struct Outputs {
    std::vector<std::shared_ptr<OutputFile>> scores; ///< one for each distorted video, or none
    std::shared_ptr<OutputFile> report;              ///< may be null

    /// See OutputFile.
    void abandon() const;
};

/// State that the steps of a run leave for later ones. They come in the order in which they are
/// declared, and throw Failure; SegmentsDoNotFit where only one decoder a video can read the
/// videos.
struct Run {
    Run(const Options &of, Warnings &to, DecodersInFlight most) : options(of), warnings(to), decoders(most) {}

    /// Choose the GPUs that may decode, and open the videos.
    void open();
    /// Print what was decided, instead of the steps that follow. @return the exit code.
    int tell_comparison();
    /// Compare the videos' formats, open the outputs and the GPUs that score, cut the clip into
    /// segments.
    void check();
    /// Open sessions and register models and features.
    void register_scores();
    /// Read and score all frames.
    void score();
    /// Pool the models, and write result lines and files.
    void write();
    /// Write the maps of scored frames, for which the videos are read once more.
    void write_maps();
    /// Tell what else was asked for. @return the exit code.
    int answer();
    /// The process ends now: the GPUs' drivers clean up faster then.
    void leave_gpus_to_process_end() const;

    const Options &options;
    Warnings &warnings;
    DecodersInFlight decoders; ///< most decoders of a video
    LibraryLog log{};
    SignalWatcher signals{};
    std::jthread driver_start{}; ///< the driver starts while videos are opened
    std::vector<std::shared_ptr<MediaGpu>> decoding_gpus{};
    Videos videos{};
    Outputs outputs{};
    std::vector<Gpu> gpus{}; ///< that share the work
    std::optional<ClipSegments> segments{};
    std::vector<ScoringContext> contexts{};         ///< one for each distorted video
    std::vector<ScoringContext> segment_contexts{}; ///< one for each segment, if there are several, or for each
                                                    ///< encode of a sample: their scores are merged
    std::vector<EncodeSample> samples{};            ///< sample of each encode; empty: all frames are scored
    std::vector<Selection> selections{};            ///< models and features of each encode
    ModelFiles model_files{};
    std::vector<Encode> encodes{};          ///< after score() those that have a frame
    double seconds = 0;                     ///< from the first frame to the last score
    std::optional<ScoringStopped> failed{}; ///< why the first of the other encodes has none

  private:
    /// @param judge by the gates. @return the exit code.
    int answer_scores(bool judge);
    std::string obstacle_to_segments() const;
    void make_map_folders() const;
    SessionPlan session_plan() const;
    std::vector<ScoringModel> register_with(const ScoringContext &context, std::size_t encode);
    void open_sessions();
    bool can_lend_frames() const;
    void begin_round(std::size_t encode, const ScoringContext &session, std::optional<double> half_width);
    void read_round(const Videos &from, const FrameRead &frame_read);
    std::optional<double> half_width_of_sample();
    std::vector<FrameLoopResult> read_sample(const FrameRead &frame_read);
    std::vector<FrameLoopResult> read_all(Progress &progress);
    std::vector<FrameLoopResult> score_frames();
    void leave_out_empty_encodes();
    std::vector<ScoredModel> scored_models() const;
    std::string prefix_of(const Encode &encode) const;
    /// Why the first of those that did not come to their end did not.
    const std::optional<ScoringStopped> &stop() const;
};

} // namespace vmaf::tool
