// Throughput of several sessions in one process and one CUDA context, as on a transcoding server.
// Each session has a thread, which copies the planes of both pictures on the device, waits for its
// copies as ffmpeg's filter does, and reads the pair. One line for each number of sessions: fps of
// all together (median of the runs, least and most in brackets), of the slowest and of the fastest
// session; the rate of the clients' copies alone, without reads; and the device memory of all
// sessions. The scores of the first 192 frames must be equal in all sessions, otherwise the exit
// status is 1. With --ladder, one thread reads all sessions together with one reference. fps then
// counts pairs, so a ladder can be compared with single sessions.
// usage: bench_sessions [--seconds S] [--runs N] [--size WIDTHxHEIGHT] [--case NAME]
//                       [--sessions N] [--planes 0|1|3]
//                       [--stream default|plain|own] [--ladder yes|no]
//   default: 2 s a run, 3 runs, 1920x1080 and 960x540, vmaf_v0.6.1, 1, 2, 4, 8, 16 and 32 sessions,
//   3 planes; exit status 77 without a GPU
//   --planes: planes that are copied of each picture; 0: all planes of the first frames only (as
//   bench_cuda --fill), later pictures keep their contents
//   --stream: the stream in which a client copies: the context's default stream, which all share,
//   or one of its own, which waits for the default stream (plain) or not (own); a ladder's client
//   has one

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <memory>
#include <numeric>
#include <string>
#include <thread>

#include "feature/registry.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"
#include "resident_content.h"
#include "settings.h"
#include "support/registry.h"
#include "support/session.h"

namespace vmaf::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Name of a model or a feature.
struct Settings : CommonSettings {
    unsigned sessions = 0; ///< 0 for all
    unsigned planes = 3;   ///< planes copied of every picture; 0: of the first frames only
    std::string stream = "default";
    bool ladder = false;
};

constexpr unsigned kWarmUpFrames = 200;
/// Leaves out the last frames. Features look at frames after these, whose pictures may hold
/// anything.
constexpr unsigned kComparedFrames = kWarmUpFrames - 8;

void check(int error, const char *what)
{
    if (error == 0)
        return;
    std::fprintf(stderr, "bench_sessions: %s: %d\n", what, error);
    std::exit(1);
}

class Session {
  public:
    Session(const Settings &settings, const Content &content, const ResidentContent &resident)
        : planes_(settings.planes), content_(content), resident_(resident),
          stream_(settings.stream == "default" ? nullptr : device_.make_stream(settings.stream == "own")),
          context_(test::open_context(0))
    {
        VmafCudaState *state = nullptr;
        check(vmaf_cuda_state_init(&state, {CudaDevice::open().context()}), "vmaf_cuda_state_init");
        check(vmaf_cuda_import_state(context_.get(), state), "vmaf_cuda_import_state");
        check(vmaf_cuda_state_free(state), "vmaf_cuda_state_free");
        check(vmaf_cuda_preallocate_pictures(context_.get(), {{content.width, content.height, 8, VMAF_PIX_FMT_YUV420P},
                                                              VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE}),
              "vmaf_cuda_preallocate_pictures");
        if (const FeatureSpec *spec = find_feature(settings.name); spec != nullptr) {
            output_ = test::first_score(*spec);
            check(vmaf_use_feature(context_.get(), spec->name, nullptr), spec->name);
        } else {
            model_ = test::load_model(settings.name.c_str());
            check(vmaf_use_features_from_model(context_.get(), model_.get()), "vmaf_use_features_from_model");
        }
    }

    ~Session()
    {
        if (stream_ != nullptr)
            device_.release(stream_);
    }
    Session(const Session &) = delete;

    void fetch(VmafPicture (&pictures)[2])
    {
        for (VmafPicture &picture : pictures)
            check(vmaf_cuda_fetch_preallocated_picture(context_.get(), &picture), "fetch");
    }
    void copy(const VmafPicture (&pictures)[2], unsigned frame) const
    {
        if (!copies(frame))
            return;
        for (const test::Side side : {test::Side::ref, test::Side::dis})
            copy(pictures[side == test::Side::dis], side, frame);
        device_.wait_for_copies(stream_);
    }
    void read_next()
    {
        VmafPicture pictures[2]{};
        fetch(pictures);
        copy(pictures, frames_);
        check(vmaf_read_pictures(context_.get(), &pictures[0], &pictures[1], frames_++), "vmaf_read_pictures");
    }
    void flush() { check(vmaf_read_pictures(context_.get(), nullptr, nullptr, 0), "flush"); }
    /// The next frame of all `sessions`, which have seen the same number of frames. The reference
    /// comes from the first session's pool.
    static void read_next_of_all(const std::vector<std::unique_ptr<Session>> &sessions)
    {
        Session &first = *sessions.front();
        std::vector<VmafContext *> contexts;
        std::vector<VmafPicture> distorted;
        VmafPicture reference{};
        check(vmaf_cuda_fetch_preallocated_picture(first.context_.get(), &reference), "fetch");
        first.copy(reference, test::Side::ref, first.frames_);
        for (const std::unique_ptr<Session> &session : sessions) {
            VmafPicture picture{};
            check(vmaf_cuda_fetch_preallocated_picture(session->context_.get(), &picture), "fetch");
            first.copy(picture, test::Side::dis, first.frames_);
            distorted.push_back(picture);
            contexts.push_back(session->context_.get());
        }
        if (first.copies(first.frames_))
            first.device_.wait_for_copies(first.stream_);
        check(vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()), &reference,
                                        distorted.data(), first.frames_),
              "vmaf_read_pictures_shared");
        for (const std::unique_ptr<Session> &session : sessions)
            ++session->frames_;
    }
    /// Returns the scores of the first kComparedFrames frames. Every run writes their pictures.
    std::vector<double> scores() const
    {
        std::vector<double> scores(kComparedFrames);
        for (unsigned frame = 0; frame < kComparedFrames; ++frame)
            check(output_.empty() ? vmaf_score_at_index(context_.get(), model_.get(), &scores[frame], frame)
                                  : vmaf_feature_score_at_index(context_.get(), output_.c_str(), &scores[frame], frame),
                  "getting a score");
        return scores;
    }
    unsigned frames() const { return frames_; }

  private:
    bool copies(unsigned frame) const { return planes_ > 0 || frame < kWarmUpFrames; }
    /// Queues the frame.
    void copy(const VmafPicture &picture, test::Side side, unsigned frame) const
    {
        if (copies(frame))
            resident_.copy_to(picture, side, frame % content_.period(), frame < kWarmUpFrames ? 3 : planes_, stream_);
    }

    const CudaDevice &device_ = CudaDevice::open();
    const unsigned planes_;
    const Content &content_;
    const ResidentContent &resident_;
    CUstream stream_;
    test::Context context_;
    test::ModelHandle model_;
    std::string output_; ///< score of a feature
    unsigned frames_ = 0;
};

struct Run {
    double fps, slowest_fps, fastest_fps, copies_fps, memory_mib;
    bool equal;
};

/// Number of calls of `next` a second, measured over so many seconds.
template <class Next> double rate_of(double duration_s, Next &&next)
{
    const Clock::time_point start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    unsigned calls = 0;
    for (; seconds() < duration_s; ++calls)
        next();
    return calls / seconds();
}

/// The client's part alone.
double rate_of_copies(Session &session, double duration_s)
{
    VmafPicture pictures[2]{};
    session.fetch(pictures);
    const double rate = rate_of(duration_s, [&] { session.copy(pictures, kWarmUpFrames); });
    for (VmafPicture &picture : pictures)
        vmaf_picture_unref(&picture);
    return rate;
}

Run run_sessions(const Settings &settings, const Content &content, const ResidentContent &resident, unsigned count)
{
    const CudaDevice &device = CudaDevice::open();
    const std::size_t before = device.used_bytes();
    std::vector<double> fps(count), copies(count);
    std::vector<std::vector<double>> scores(count);
    std::atomic<std::size_t> memory{0};
    std::barrier together(count);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
            device.use_on_this_thread();
            Session session(settings, content, resident);
            while (session.frames() < kWarmUpFrames)
                session.read_next();
            together.arrive_and_wait();
            if (i == 0)
                memory = device.used_bytes() - before;
            together.arrive_and_wait();
            const Clock::time_point start = Clock::now();
            const unsigned first = session.frames();
            rate_of(settings.seconds, [&] { session.read_next(); });
            session.flush();
            fps[i] = (session.frames() - first) / std::chrono::duration<double>(Clock::now() - start).count();
            scores[i] = session.scores();
            together.arrive_and_wait(); // no session closes while others are measured
            if (settings.planes > 0)
                copies[i] = rate_of_copies(session, settings.seconds / 4);
            together.arrive_and_wait();
        });
    for (std::thread &thread : threads)
        thread.join();
    for (unsigned i = 1; i < count; ++i)
        for (unsigned frame = 0; frame < kComparedFrames; ++frame)
            if (scores[i][frame] != scores[0][frame])
                std::printf("  session %u, frame %u: %.17g instead of %.17g\n", i, frame, scores[i][frame],
                            scores[0][frame]);
    return {std::accumulate(fps.begin(), fps.end(), 0.0),
            *std::ranges::min_element(fps),
            *std::ranges::max_element(fps),
            std::accumulate(copies.begin(), copies.end(), 0.0),
            static_cast<double>(memory) / (1 << 20),
            std::ranges::all_of(scores, [&](const auto &of_session) { return of_session == scores.front(); })};
}

/// A ladder: one thread, one reference.
Run run_ladder(const Settings &settings, const Content &content, const ResidentContent &resident, unsigned count)
{
    const CudaDevice &device = CudaDevice::open();
    const std::size_t before = device.used_bytes();
    device.use_on_this_thread();
    std::vector<std::unique_ptr<Session>> sessions;
    for (unsigned i = 0; i < count; ++i)
        sessions.push_back(std::make_unique<Session>(settings, content, resident));
    while (sessions.front()->frames() < kWarmUpFrames)
        Session::read_next_of_all(sessions);
    const std::size_t memory = device.used_bytes() - before;
    const unsigned first = sessions.front()->frames();
    const Clock::time_point start = Clock::now();
    rate_of(settings.seconds, [&] { Session::read_next_of_all(sessions); });
    for (const std::unique_ptr<Session> &session : sessions)
        session->flush();
    const double fps =
        (sessions.front()->frames() - first) / std::chrono::duration<double>(Clock::now() - start).count();
    const std::vector<double> expected = sessions.front()->scores();
    return {fps * count,
            fps,
            fps,
            0,
            static_cast<double>(memory) / (1 << 20),
            std::ranges::all_of(sessions, [&](const auto &session) { return session->scores() == expected; })};
}

bool run_size(const Settings &settings, const char *clip, unsigned width, unsigned height)
{
    if (!settings.size.empty() && settings.size != std::to_string(width) + "x" + std::to_string(height))
        return true;
    const Content content = make_content(clip, width, height);
    const ResidentContent resident(content);
    bool equal = true;
    for (const unsigned count : {1U, 2U, 4U, 8U, 16U, 32U}) {
        if (settings.sessions != 0 && settings.sessions != count)
            continue;
        std::vector<Run> runs;
        for (unsigned i = 0; i < settings.runs; ++i)
            runs.push_back((settings.ladder ? run_ladder : run_sessions)(settings, content, resident, count));
        std::ranges::sort(runs, {}, &Run::fps);
        const Run &median = runs[runs.size() / 2];
        equal = equal && std::ranges::all_of(runs, [](const Run &run) { return run.equal; });
        std::printf("%ux%u %-12s %2u sessions %9.1f fps (%.1f..%.1f) | one session %.1f..%.1f | copies alone %.1f | "
                    "memory %.1f MiB%s\n",
                    width, height, settings.name.c_str(), count, median.fps, runs.front().fps, runs.back().fps,
                    median.slowest_fps, median.fastest_fps, median.copies_fps, median.memory_mib,
                    equal ? "" : " | SCORES DIFFER");
        std::fflush(stdout);
    }
    return equal;
}

bool take_option(Settings &settings, std::string_view option, const std::string &value)
{
    if (option == "--sessions")
        settings.sessions = number(value);
    else if (option == "--planes")
        settings.planes = number(value);
    else if (option == "--stream")
        settings.stream = value;
    else if (option == "--ladder")
        settings.ladder = value == "yes";
    else
        return false;
    return true;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    using namespace vmaf::bench;
    const Settings settings =
        parse_settings(argc, argv, Settings{{.seconds = 2, .runs = 3, .name = "vmaf_v0.6.1"}}, take_option);
    bool equal = run_size(settings, "tiles_1920x1080_8", 1920, 1080);
    equal = run_size(settings, "tiles_1920x1080_8", 960, 540) && equal;
    return equal ? 0 : 1;
}
