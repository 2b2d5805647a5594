// Throughput of the CUDA path through the public API: models, everything at once, and each feature
// alone, for pictures on the device, in pinned and in plain host memory. As a decoder's client
// does, the client writes those planes of each picture that the case reads, by copies on the device
// or on the host. One line for each case:
//   fps and ms a frame (median of the runs, least and most in brackets), after a warm-up;
//   bytes of both pictures' planes, and the floor: the time of the client's copies alone;
//   host: time of the client's thread inside the library for each frame: the mean of the reads,
//   and twice the median of the fetches (these wait if the device is behind); setup: from
//   vmaf_init to the registered feature; first: from vmaf_init to the first score read; memory:
//   on the device at frame 100, less that before vmaf_init; the score of one frame, compared
//   with the CPU path's. The exit status is 1 if any differs, and 77 without a GPU.
// usage: bench_cuda [--seconds S] [--runs N] [--size WIDTHxHEIGHT]
//                   [--feed device|pinned|plain] [--case NAME] [--fill N]
//   default: 2 s a run, 5 runs, all of 576x324, 1920x1080, 3840x2160
//   --fill N: the client writes only the pictures of the first N frames. Later it feeds what the
//   pool's pictures contain. This measures the library's own limit, as with a decoder that writes
//   into them. Scores then depend on the pool and are not compared.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <thread>

#include "content.h"
#include "cuda_device.h"
#include "feature/cuda_backends.h"
#include "libvmaf/libvmaf_cuda.h"
#include "resident_content.h"
#include "settings.h"
#include "support/registry.h"
#include "support/session.h"

namespace vmaf::bench {
namespace {

using Clock = std::chrono::steady_clock;
using test::Context;
using test::ModelHandle;

struct Settings : CommonSettings {
    std::string feed = {}; ///< empty for all
    unsigned fill = ~0U;   ///< number of frames whose pictures are written
};

struct Case {
    const char *name;
    unsigned planes;   ///< number of planes that it reads of each picture
    std::string score; ///< empty for the model's default
    double tolerance;  ///< largest allowed difference of the GPU's score from the CPU's; 0: equal
};

constexpr const char *kModels[] = {"vmaf_v0.6.1", "vmaf_float_v0.6.1", "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_1d5h_2160"};
/// Every feature, and the first and the third of these models, in one session.
constexpr const char *kEverything = "everything";

std::vector<Case> all_cases()
{
    std::vector<Case> cases;
    for (const char *model : kModels)
        cases.push_back({model, 3, {}, 0});
    cases.front().planes = 1;
    cases.push_back({kEverything, 3, {}, 0});
    for (const CudaBackend *backend : cuda_backends())
        cases.push_back({backend->spec->name, test::planes_read(*backend->spec), test::first_score(*backend->spec),
                         backend->spec->gpu_tolerance});
    return cases;
}

enum class Feed { device, pinned, plain };
constexpr const char *kFeedNames[] = {"device", "pinned", "plain"};

constexpr unsigned kWarmUpFrames = 200;
constexpr unsigned kMemoryFrame = 100;

double ms_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void check(int error, const char *what)
{
    if (error == 0)
        return;
    std::fprintf(stderr, "bench_cuda: %s: %d\n", what, error);
    std::exit(1);
}

/// A scoring context with one case registered.
class Session {
  public:
    Session(const Case &c, unsigned n_threads) : case_(c), context_(test::open_context(n_threads)) {}

    void register_case()
    {
        if (!case_.score.empty())
            return check(vmaf_use_feature(context_.get(), case_.name, nullptr), "vmaf_use_feature");
        const bool everything = std::string_view(case_.name) == kEverything;
        model_ = use_model(everything ? kModels[0] : case_.name);
        if (!everything)
            return;
        other_model_ = use_model(kModels[2]);
        for (const FeatureSpec *spec : test::scoring_features())
            check(vmaf_use_feature(context_.get(), spec->name, nullptr), spec->name);
    }
    double score(unsigned index) const
    {
        double score = 0;
        check(case_.score.empty() ? vmaf_score_at_index(context_.get(), model_.get(), &score, index)
                                  : vmaf_feature_score_at_index(context_.get(), case_.score.c_str(), &score, index),
              "getting a score");
        return score;
    }
    void read(VmafPicture (&pictures)[2], unsigned index)
    {
        check(vmaf_read_pictures(context_.get(), &pictures[0], &pictures[1], index), "vmaf_read_pictures");
    }
    void flush() { check(vmaf_read_pictures(context_.get(), nullptr, nullptr, 0), "flush"); }
    VmafContext *context() const { return context_.get(); }

  private:
    ModelHandle use_model(const char *version) const
    {
        ModelHandle model = test::load_model(version);
        check(vmaf_use_features_from_model(context_.get(), model.get()), "vmaf_use_features_from_model");
        return model;
    }

    const Case &case_;
    ModelHandle model_, other_model_;
    Context context_;
};

/// A frame's score with default options.
unsigned look_back(const Case &c, const Content &content)
{
    const FeatureSpec *spec = find_feature(c.name);
    if (spec == nullptr)
        return 0;
    return test::default_feature(*spec)->window({VMAF_PIX_FMT_YUV420P, 8, content.width, content.height}).look_back();
}

/// Returns the CPU's score of frame 1 of a period. It is late enough for features that look back.
double cpu_score(const Case &c, const Content &content)
{
    Session session(c, std::thread::hardware_concurrency());
    session.register_case();
    const unsigned compared = (look_back(c, content) + content.period()) / content.period() * content.period() + 1;
    const unsigned frames = compared + content.period();
    for (unsigned index = 0; index < frames; ++index) {
        VmafPicture pictures[2]{};
        for (unsigned side = 0; side < 2; ++side) {
            check(vmaf_picture_alloc(&pictures[side], VMAF_PIX_FMT_YUV420P, 8, content.width, content.height),
                  "vmaf_picture_alloc");
            fill(pictures[side], content, (side ? content.dis : content.ref)[index % content.period()], 3);
        }
        session.read(pictures, index);
    }
    session.flush();
    return session.score(compared);
}

struct Run {
    double frames_per_second, host_us, setup_ms, first_score_ms, memory_mib, score;
};

/// One session, from vmaf_init to vmaf_close.
class CudaRun {
  public:
    CudaRun(const Case &c, const Content &content, const ResidentContent &resident, Feed feed, unsigned fill)
        : case_(c), content_(content), resident_(resident), feed_(feed), fill_(fill), session_(c, 0)
    {
    }

    Run measure(double seconds)
    {
        Run run{};
        attach();
        session_.register_case();
        run.setup_ms = ms_since(opened_);
        while (frames_ < 2)
            read_next();
        session_.score(0);
        run.first_score_ms = ms_since(opened_);
        while (frames_ < std::max(kWarmUpFrames, kMemoryFrame)) {
            read_next();
            if (frames_ == kMemoryFrame)
                run.memory_mib =
                    (static_cast<double>(device_.used_bytes()) - static_cast<double>(used_before_)) / (1 << 20);
        }
        session_.score(frames_ - 2); // only the last frame is still in flight
        const Clock::time_point start = Clock::now();
        const unsigned first = frames_;
        read_us_ = 0;
        fetch_us_.clear();
        while (frames_ - first < content_.period() * 2 || ms_since(start) < 1e3 * seconds)
            read_next();
        session_.flush();
        run.frames_per_second = 1e3 * (frames_ - first) / ms_since(start);
        std::ranges::nth_element(fetch_us_, fetch_us_.begin() + fetch_us_.size() / 2);
        run.host_us = read_us_ / (frames_ - first) + 2 * fetch_us_[fetch_us_.size() / 2];
        run.score = session_.score((frames_ / content_.period() - 2) * content_.period() + 1);
        return run;
    }

  private:
    void attach()
    {
        VmafCudaState *state = nullptr;
        check(vmaf_cuda_state_init(&state, {device_.context()}), "vmaf_cuda_state_init");
        check(vmaf_cuda_import_state(session_.context(), state), "vmaf_cuda_import_state");
        check(vmaf_cuda_state_free(state), "vmaf_cuda_state_free");
        constexpr VmafCudaPicturePreallocationMethod kMethods[] = {VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE,
                                                                   VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED,
                                                                   VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST};
        check(vmaf_cuda_preallocate_pictures(
                  session_.context(),
                  {{content_.width, content_.height, 8, VMAF_PIX_FMT_YUV420P}, kMethods[static_cast<int>(feed_)]}),
              "vmaf_cuda_preallocate_pictures");
    }
    void read_next()
    {
        const unsigned index = frames_ % content_.period();
        VmafPicture pictures[2]{};
        for (unsigned side = 0; side < 2; ++side) {
            const Clock::time_point start = Clock::now();
            check(vmaf_cuda_fetch_preallocated_picture(session_.context(), &pictures[side]), "fetch");
            fetch_us_.push_back(1e3 * ms_since(start));
            if (frames_ >= fill_)
                continue;
            if (feed_ == Feed::device)
                resident_.copy_to(pictures[side], side ? test::Side::dis : test::Side::ref, index, case_.planes);
            else
                fill(pictures[side], content_, (side ? content_.dis : content_.ref)[index], case_.planes);
        }
        const Clock::time_point start = Clock::now();
        session_.read(pictures, frames_++);
        read_us_ += 1e3 * ms_since(start);
    }

    const CudaDevice &device_ = CudaDevice::open();
    const std::size_t used_before_ = device_.used_bytes();
    const Case &case_;
    const Content &content_;
    const ResidentContent &resident_;
    const Feed feed_;
    const unsigned fill_;
    const Clock::time_point opened_ = Clock::now();
    Session session_;
    unsigned frames_ = 0;
    double read_us_ = 0;
    std::vector<double> fetch_us_;
};

/// Time of the client's copies of a pair alone.
double copy_floor_ms(const Case &c, const Content &content, const ResidentContent &resident, Feed feed)
{
    const CudaDevice &device = CudaDevice::open();
    VmafPicture picture{};
    check(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, content.width, content.height), "vmaf_picture_alloc");
    VmafPicture target = picture;
    const CUdeviceptr memory = device.allocate(std::size_t(picture.stride[0]) * content.height * 2);
    CUdeviceptr plane_memory = memory;
    for (unsigned plane = 0; plane < 3 && feed == Feed::device; ++plane) {
        target.data[plane] = reinterpret_cast<void *>(plane_memory);
        plane_memory += std::size_t(picture.stride[plane]) * content.plane_height(plane);
    }
    const auto copy_pair = [&](unsigned index) {
        for (const test::Side side : {test::Side::ref, test::Side::dis})
            if (feed == Feed::device)
                resident.copy_to(target, side, index, c.planes);
            else
                fill(target, content, (side == test::Side::ref ? content.ref : content.dis)[index], c.planes);
    };
    constexpr unsigned kWarmUp = 20, kCopies = 200;
    for (unsigned i = 0; i < kWarmUp; ++i)
        copy_pair(i % content.period());
    device.wait_for_copies();
    const Clock::time_point start = Clock::now();
    for (unsigned i = 0; i < kCopies; ++i)
        copy_pair(i % content.period());
    device.wait_for_copies();
    const double ms = ms_since(start) / kCopies;
    device.release(memory);
    vmaf_picture_unref(&picture);
    return ms;
}

template <class Value> double median(std::vector<Run> runs, Value value)
{
    std::ranges::sort(runs, {}, value);
    return value(runs[runs.size() / 2]);
}

/// False if the score is not the CPU's, or not the same in every run.
bool run_case(const Settings &settings, const Case &c, const Content &content, const ResidentContent &resident,
              Feed feed, double expected)
{
    std::vector<Run> runs;
    for (unsigned i = 0; i < settings.runs; ++i)
        runs.push_back(CudaRun(c, content, resident, feed, settings.fill).measure(settings.seconds));
    const double score = runs.front().score;
    const bool compared = settings.fill == ~0U;
    const bool equal = !compared || ((score == expected || std::fabs(score - expected) <= c.tolerance) &&
                                     std::ranges::all_of(runs, [score](const Run &run) { return run.score == score; }));
    const auto [least, most] = std::ranges::minmax(runs, {}, &Run::frames_per_second);
    const double fps = median(runs, [](const Run &run) { return run.frames_per_second; });
    std::printf("%ux%u %-6s %-11s %9.1f fps %8.4f ms (%.1f..%.1f) | %9zu bytes floor %.4f ms | host %.1f us | setup "
                "%.1f first %.1f ms | "
                "memory %.1f MiB | score %.17g %s\n",
                content.width, content.height, kFeedNames[static_cast<int>(feed)], c.name, fps, 1e3 / fps,
                least.frames_per_second, most.frames_per_second, 2 * content.bytes(c.planes),
                copy_floor_ms(c, content, resident, feed), median(runs, [](const Run &run) { return run.host_us; }),
                median(runs, [](const Run &run) { return run.setup_ms; }),
                median(runs, [](const Run &run) { return run.first_score_ms; }),
                median(runs, [](const Run &run) { return run.memory_mib; }), score,
                !compared ? "not compared"
                : equal   ? "= CPU"
                          : "DIFFERS FROM THE CPU");
    if (!equal)
        std::printf("  the CPU's: %.17g\n", expected);
    std::fflush(stdout);
    return equal;
}

bool wanted(const std::string &only, const char *name)
{
    return only.empty() || only == name;
}

bool run_size(const Settings &settings, const char *clip, unsigned width, unsigned height)
{
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (!wanted(settings.size, size.c_str()))
        return true;
    const Content content = make_content(clip, width, height);
    const ResidentContent resident(content);
    bool equal = true;
    for (const Case &c : all_cases()) {
        if (!wanted(settings.name, c.name))
            continue;
        const double expected = cpu_score(c, content);
        for (const Feed feed : {Feed::device, Feed::pinned, Feed::plain})
            if (wanted(settings.feed, kFeedNames[static_cast<int>(feed)]))
                equal = run_case(settings, c, content, resident, feed, expected) && equal;
    }
    return equal;
}

bool take_option(Settings &settings, std::string_view option, const std::string &value)
{
    if (option == "--feed")
        settings.feed = value;
    else if (option == "--fill")
        settings.fill = number(value);
    else
        return false;
    return true;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    using namespace vmaf::bench;
    const Settings settings = parse_settings(argc, argv, Settings{{.seconds = 2, .runs = 5}}, take_option);
    bool equal = run_size(settings, "tiles_640x360_8", 576, 324);
    equal = run_size(settings, "tiles_1920x1080_8", 1920, 1080) && equal;
    equal = run_size(settings, "tiles_3840x2160_10", 3840, 2160) && equal;
    return equal ? 0 : 1;
}
