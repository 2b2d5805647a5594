// Cost of scoring media files besides decoding them. Measures the rate at which the tool's readers
// alone deliver both videos, and the rate with scoring, in one process. If the GPU decodes, both
// rates are measured with one decoder for each video and with several.
// usage: bench_media REFERENCE DISTORTED [OPTION OF VMAF...]
//   exit status 1 if a video ends before the other in one of the runs

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "cli/options.h"
#include "readers.h"
#include "scoring/library_log.h"
#include "scoring/registration.h"
#include "scoring/scoring_context.h"

namespace vmaf::bench {
namespace {

using namespace vmaf::tool;

struct Run {
    std::uint64_t frames = 0;
    double seconds = 0;
    double rate() const { return static_cast<double>(frames) / seconds; }
};

/// The options' videos and a session for them, as in the tool.
struct Opened {
    Opened(const Options &options, DecodersInFlight decoders)
    {
        const Decoding decoding = options.reading.input.decoding;
        std::shared_ptr<MediaGpu> gpu;
        if (decoding != Decoding::software && options.sessions.gpu.use != GpuUse::none)
            gpu = make_media_gpu(0, decoding == Decoding::cuda);
        videos = open_videos(options.reading, gpu, warnings);
        check_comparable(videos);
        const VideoFormat &format = videos.format_of(videos.encodes.front());
        contexts = ScoringContext::open({options.sessions, options.reading.subsample, true}, {&format, 1}, {});
        if (gpu && contexts.front().uses_gpu())
            lend_frames(videos, gpu, decoders);
        if (may_read_chroma(options.selection))
            return;
        videos.reference.front()->leave_out_chroma();
        videos.encodes.front().video->leave_out_chroma();
    }

    Warnings warnings{false};
    Videos videos;
    std::vector<ScoringContext> contexts;
};

std::uint64_t read_all(const ScoringContext &context, VideoReader &video)
{
    std::uint64_t frames = 0;
    for (;; ++frames) {
        Picture picture;
        if (!video.lends_frames() && context.pictures().fetch(picture.raw()) != 0)
            return frames;
        if (!(video.lends_frames() ? video.lend_frame(context.get(), picture.raw()) : video.read_frame(picture.raw())))
            return frames;
    }
}

template <class Work> double seconds_of(const Work &work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Run decode(const Options &options, DecodersInFlight decoders)
{
    Opened opened(options, decoders);
    std::uint64_t frames[2] = {};
    const double seconds = seconds_of([&] {
        const std::jthread beside(
            [&] { frames[0] = read_all(opened.contexts.front(), *opened.videos.reference.front()); });
        frames[1] = read_all(opened.contexts.front(), *opened.videos.encodes.front().video);
    });
    return {std::min(frames[0], frames[1]), seconds};
}

Run score(const Options &options, DecodersInFlight decoders)
{
    LibraryLog log;
    Opened opened(options, decoders);
    const ScoringContext &context = opened.contexts.front();
    ModelFiles files;
    Selection selection = options.selection;
    fill_options(selection, facts_of(opened.videos, opened.videos.encodes.front()), opened.warnings);
    register_all(context.get(), selection, files, log, opened.warnings);
    SessionSink sink = sink_of(opened.videos, pictures_of(opened.contexts));
    Run run;
    run.seconds = seconds_of([&] {
        const auto sources = sources_of(opened.videos, options.reading);
        std::vector<FrameLoopResult> results =
            read_frames(whole_clip(options.reading), sources, sink, {}, [](unsigned) {});
        sink.end_all(results);
        run.frames = results.front().frames;
    });
    return run;
}

int run(int argc, char **argv)
{
    std::vector<const char *> arguments{argv[0], "-r", argv[1], "-d", argv[2]};
    arguments.insert(arguments.end(), argv + 3, argv + argc);
    const Options options =
        parse_options(static_cast<int>(arguments.size()), arguments.data(), [](std::string_view) { return false; });
    std::uint64_t frames = 0;
    bool all_alike = true;
    for (const DecodersInFlight decoders : {DecodersInFlight::one, DecodersInFlight::several}) {
        const Run alone = decode(options, decoders), scored = score(options, decoders);
        frames = frames == 0 ? alone.frames : frames;
        all_alike = all_alike && alone.frames == frames && scored.frames == frames;
        std::printf("%s, decoders a video: %-7s  decoded %8.1f pairs/s  decoded and scored %8.1f  ratio %.3f\n",
                    argv[1], decoders == DecodersInFlight::one ? "one" : "several", alone.rate(), scored.rate(),
                    scored.rate() / alone.rate());
        std::fflush(stdout);
    }
    return all_alike ? 0 : 1;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_media REFERENCE DISTORTED [OPTION OF VMAF...]\n");
        return 2;
    }
    try {
        return vmaf::bench::run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
