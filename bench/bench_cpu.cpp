// Throughput of the CPU path through the public API: each feature alone, the default model and a
// VMAF v1 model, for each size and thread count. One line for each case: frames/s, ms a frame, the
// time of copying the planes only (the memory floor), and the time from opening the session to its
// first score. Figures are medians of five runs after a warm-up. The score must be the same in
// each.
// usage: bench_cpu [WIDTHxHEIGHT [THREADS...]]   default 1920x1080 with 0, 1 and 2 threads

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/clips.h"
#include "support/registry.h"
#include "support/session.h"

namespace {

using namespace vmaf::test;
using Clock = std::chrono::steady_clock;

constexpr int kRuns = 5;
constexpr double kSecondsPerRun = 2;

struct Case {
    const char *name; ///< a feature or the model
    bool is_model() const { return std::string_view(name).starts_with("vmaf_"); }
};

std::vector<Case> all_cases()
{
    std::vector<Case> cases{{"vmaf_v0.6.1"}, {"vmaf_v1.0.16_3d0h"}};
    for (const vmaf::FeatureSpec *spec : scoring_features())
        cases.push_back({spec->name});
    return cases;
}

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "bench_cpu: %s failed\n", what);
    std::exit(1);
}

void check(int error, const char *what)
{
    if (error != 0)
        fail(what);
}

struct Run {
    double frames_per_second;
    double first_score_ms;
    double score;
};

Run run_once(const Case &c, const Clip &clip, unsigned n_threads)
{
    const Clock::time_point open = Clock::now();
    const Context context = open_context(n_threads);
    const ModelHandle model = load_model(c.is_model() ? c.name : "vmaf_v0.6.1");
    check(!c.is_model() ? vmaf_use_feature(context.get(), c.name, nullptr)
                        : vmaf_use_features_from_model(context.get(), model.get()),
          "registering");
    Run run{};
    unsigned frame = 0;
    Clock::time_point start = open;
    for (;; ++frame) {
        check(feed(context.get(), clip, frame % clip.spec().frames, frame), "vmaf_read_pictures");
        if (frame == 1 && c.is_model()) {
            check(vmaf_score_at_index(context.get(), model.get(), &run.score, 0), "vmaf_score_at_index");
            run.first_score_ms = 1e3 * seconds_since(open);
            start = Clock::now();
        }
        if (frame > 4 && seconds_since(start) > kSecondsPerRun)
            break;
    }
    check(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), "flush");
    run.frames_per_second = (frame + 1) / seconds_since(start);
    if (c.is_model())
        check(vmaf_score_at_index(context.get(), model.get(), &run.score, frame / 3 * 3 - 2), "vmaf_score_at_index");
    return run;
}

// Cost of the bench itself and of memory: copying the planes of both pictures, as feeding does.
double copy_ms(const Clip &clip)
{
    VmafPicture picture{};
    check(make_picture(picture, clip, Side::ref, 0), "vmaf_picture_alloc");
    const Clock::time_point start = Clock::now();
    constexpr int kCopies = 50;
    for (int i = 0; i < kCopies; ++i) {
        fill_picture(picture, clip, Side::ref, 0);
        fill_picture(picture, clip, Side::dis, 0);
    }
    const double ms = 1e3 * seconds_since(start) / kCopies;
    vmaf_picture_unref(&picture);
    return ms;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string size = argc > 1 ? argv[1] : "1920x1080";
    std::vector<unsigned> threads;
    for (int i = 2; i < argc; ++i)
        threads.push_back(static_cast<unsigned>(std::strtoul(argv[i], nullptr, 10)));
    if (threads.empty())
        threads = {0, 1, 2};
    const Clip *clip = nullptr;
    for (const ClipSpec &spec : clip_specs())
        if (std::string(spec.name).find("tiles_" + size + "_") == 0)
            clip = &Clip::get(spec.name);
    if (clip == nullptr)
        fail("finding a clip of that size");

    std::printf("%s, %u bits: copying both pictures takes %.3f ms\n", clip->spec().name, clip->spec().bits,
                copy_ms(*clip));
    for (const Case &c : all_cases())
        for (const unsigned n_threads : threads) {
            std::vector<Run> runs;
            for (int i = 0; i < kRuns; ++i)
                runs.push_back(run_once(c, *clip, n_threads));
            std::sort(runs.begin(), runs.end(),
                      [](const Run &a, const Run &b) { return a.frames_per_second < b.frames_per_second; });
            const Run &median = runs[kRuns / 2];
            std::printf("%-17s threads %u: %8.2f fps %8.3f ms/frame (%.2f..%.2f fps)", c.name, n_threads,
                        median.frames_per_second, 1e3 / median.frames_per_second, runs.front().frames_per_second,
                        runs.back().frames_per_second);
            if (c.is_model())
                std::printf(" first score after %.1f ms, score %.17g", median.first_score_ms, median.score);
            std::printf("\n");
            std::fflush(stdout);
        }
    return 0;
}
