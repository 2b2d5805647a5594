// Frames per second of CUDA and Vulkan devices from the same host memory, for models and features
// with Vulkan kernels. The pictures are in plain memory, or in memory that the device copies from.
// The client writes them during the warm-up only, so its copies are not measured. One line for each
// case, device and kind of memory:
//   fps (median of the runs, least and most in brackets) and ms a frame;
//   first: time from a new state and session to the first score. For Vulkan: with the check of
//   the device, then without it;
//   the score of one frame, compared with the CPU's.
// Then, for each case and kind of memory, the ratio of Vulkan's rate to CUDA's. The exit status is
// 1 if a score differs, and 77 without a Vulkan device.
// usage: bench_backends [--seconds S] [--runs N] [--size WIDTHxHEIGHT] [--case NAME]
//                       [--device N]
//   default: 1 s a run, 3 runs, all of 576x324, 1920x1080, 3840x2160, Vulkan's device 0

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "content.h"
#include "feature/vulkan_backends.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "settings.h"
#include "support/registry.h"
#include "support/session.h"

namespace vmaf::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings : CommonSettings {
    unsigned device = 0;
};

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void check(int error, const char *what)
{
    if (error == 0)
        return;
    std::fprintf(stderr, "bench_backends: %s: %d\n", what, error);
    std::exit(1);
}

enum class Kind { cpu, cuda, vulkan };
constexpr const char *kKindNames[] = {"CPU", "CUDA", "Vulkan"};

enum class Memory { plain, direct };
constexpr const char *kMemoryNames[] = {"plain", "direct"};

/// A device that sessions can use; none means the CPU.
class Device {
  public:
    Device(Kind kind, unsigned number, VmafVulkanCheck how) : kind_(kind)
    {
        if (kind == Kind::cuda)
            error_ = vmaf_cuda_state_init(&cuda_, {});
        else if (kind == Kind::vulkan &&
                 (error_ = vmaf_vulkan_state_init(&vulkan_, {number, nullptr, nullptr, nullptr, 0, 0})) == 0)
            error_ = vmaf_vulkan_state_check(vulkan_, how);
    }
    ~Device()
    {
        if (cuda_ != nullptr)
            vmaf_cuda_state_free(cuda_);
        if (vulkan_ != nullptr)
            vmaf_vulkan_state_free(vulkan_);
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    Kind kind() const { return kind_; }
    bool is_there() const { return error_ == 0; }
    void attach(VmafContext *vmaf) const
    {
        if (kind_ == Kind::cuda)
            check(vmaf_cuda_import_state(vmaf, cuda_), "vmaf_cuda_import_state");
        else if (kind_ == Kind::vulkan)
            check(vmaf_vulkan_import_state(vmaf, vulkan_), "vmaf_vulkan_import_state");
    }

  private:
    const Kind kind_;
    int error_ = 0;
    VmafCudaState *cuda_ = nullptr;
    VmafVulkanState *vulkan_ = nullptr;
};

struct Case {
    std::string name;
    std::string score; ///< empty for a model
};

std::vector<Case> all_cases()
{
    std::vector<Case> cases = {{"vmaf_v0.6.1", {}}, {"vmaf_v1.0.16_3d0h", {}}};
    for (const FeatureSpec *spec : test::scoring_features())
        if (find_vulkan_backend(*spec) != nullptr)
            cases.push_back({spec->name, test::first_score(*spec)});
    return cases;
}

class Session {
  public:
    Session(const Case &c, const Content &content, const Device &device, Memory memory)
        : case_(c), content_(content), is_pinned_(device.kind() == Kind::cuda && memory == Memory::direct),
          pool_(memory == Memory::plain ? plain_.get() : context_.get())
    {
        device.attach(context_.get());
        if (c.score.empty()) {
            model_ = test::load_model(c.name.c_str());
            check(vmaf_use_features_from_model(context_.get(), model_.get()), "vmaf_use_features_from_model");
        } else {
            check(vmaf_use_feature(context_.get(), c.name.c_str(), nullptr), "vmaf_use_feature");
        }
        constexpr unsigned kPictures = 16;
        if (is_pinned_)
            check(vmaf_cuda_preallocate_pictures(pool_, {{content.width, content.height, 8, VMAF_PIX_FMT_YUV420P},
                                                         VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED}),
                  "vmaf_cuda_preallocate_pictures");
        else
            check(
                vmaf_preallocate_pictures(pool_, {{content.width, content.height, 8, VMAF_PIX_FMT_YUV420P}, kPictures}),
                "vmaf_preallocate_pictures");
    }

    void feed(bool write)
    {
        VmafPicture pictures[2]{};
        for (unsigned side = 0; side < 2; ++side) {
            check(is_pinned_ ? vmaf_cuda_fetch_preallocated_picture(pool_, &pictures[side])
                             : vmaf_fetch_preallocated_picture(pool_, &pictures[side]),
                  "fetching a picture");
            if (write)
                fill(pictures[side], content_, (side != 0 ? content_.dis : content_.ref)[frames_ % content_.period()],
                     3);
        }
        check(vmaf_read_pictures(context_.get(), &pictures[0], &pictures[1], frames_++), "vmaf_read_pictures");
    }
    void flush() { check(vmaf_read_pictures(context_.get(), nullptr, nullptr, 0), "flush"); }
    unsigned frames() const { return frames_; }
    double score(unsigned index) const
    {
        double score = 0;
        check(case_.score.empty() ? vmaf_score_at_index(context_.get(), model_.get(), &score, index)
                                  : vmaf_feature_score_at_index(context_.get(), case_.score.c_str(), &score, index),
              "getting a score");
        return score;
    }

  private:
    const Case &case_;
    const Content &content_;
    const bool is_pinned_;
    test::Context plain_ = test::open_context(0), context_ = test::open_context(0);
    VmafContext *const pool_; ///< the session whose pool has the pictures
    test::ModelHandle model_;
    unsigned frames_ = 0;
};

constexpr unsigned kComparedFrame = 1;

double score_of(const Case &c, const Content &content, const Device &device, Memory memory = Memory::direct)
{
    Session session(c, content, device, memory);
    while (session.frames() <= kComparedFrame)
        session.feed(true);
    session.flush();
    return session.score(kComparedFrame);
}

/// Seconds from a new state to the first score.
double first_score(const Case &c, const Content &content, Kind kind, unsigned number, VmafVulkanCheck how)
{
    const Clock::time_point start = Clock::now();
    const Device device(kind, number, how);
    score_of(c, content, device);
    return seconds_since(start);
}

double frames_per_second(const Case &c, const Content &content, const Device &device, Memory memory, double seconds)
{
    Session session(c, content, device, memory);
    constexpr unsigned kWritten = 32;
    for (const Clock::time_point start = Clock::now();
         session.frames() < kWritten || seconds_since(start) < seconds / 4;)
        session.feed(session.frames() < kWritten);
    const unsigned before = session.frames();
    const Clock::time_point start = Clock::now();
    while (session.frames() - before < content.period() || seconds_since(start) < seconds)
        session.feed(false);
    session.flush();
    return (session.frames() - before) / seconds_since(start);
}

/// False if a score is not the CPU's.
bool run_case(const Settings &settings, const Case &c, const Content &content)
{
    const double expected = score_of(c, content, Device(Kind::cpu, 0, VMAF_VULKAN_CHECK_NONE));
    double rates[2][3]{};
    bool equal = true;
    for (const Kind kind : {Kind::cuda, Kind::vulkan}) {
        const Device device(kind, settings.device, VMAF_VULKAN_CHECK_NONE);
        if (!device.is_there())
            continue;
        const double checked = first_score(c, content, kind, settings.device, VMAF_VULKAN_CHECK_FAIL);
        const double unchecked = first_score(c, content, kind, settings.device, VMAF_VULKAN_CHECK_NONE);
        for (const Memory memory : {Memory::plain, Memory::direct}) {
            std::vector<double> runs;
            for (unsigned i = 0; i < settings.runs; ++i)
                runs.push_back(frames_per_second(c, content, device, memory, settings.seconds));
            std::ranges::sort(runs);
            const double rate = rates[static_cast<int>(memory)][static_cast<int>(kind)] = runs[runs.size() / 2];
            const double score = score_of(c, content, device, memory);
            equal = equal && score == expected;
            std::printf(
                "%ux%u %-17s %-6s %-6s %9.1f fps %8.4f ms (%.1f..%.1f) | first %.1f, %.1f ms | score %.17g %s\n",
                content.width, content.height, c.name.c_str(), kKindNames[static_cast<int>(kind)],
                kMemoryNames[static_cast<int>(memory)], rate, 1e3 / rate, runs.front(), runs.back(), 1e3 * checked,
                1e3 * unchecked, score, score == expected ? "= CPU" : "DIFFERS FROM THE CPU");
            std::fflush(stdout);
        }
    }
    for (const Memory memory : {Memory::plain, Memory::direct})
        if (const double cuda = rates[static_cast<int>(memory)][static_cast<int>(Kind::cuda)]; cuda > 0)
            std::printf("%ux%u %-17s Vulkan / CUDA, %s memory: %.2f\n", content.width, content.height, c.name.c_str(),
                        kMemoryNames[static_cast<int>(memory)],
                        rates[static_cast<int>(memory)][static_cast<int>(Kind::vulkan)] / cuda);
    return equal;
}

bool run_size(const Settings &settings, const char *clip, unsigned width, unsigned height)
{
    const auto wanted = [](const std::string &only, const std::string &name) { return only.empty() || only == name; };
    if (!wanted(settings.size, std::to_string(width) + "x" + std::to_string(height)))
        return true;
    const Content content = make_content(clip, width, height);
    bool equal = true;
    for (const Case &c : all_cases())
        if (wanted(settings.name, c.name))
            equal = run_case(settings, c, content) && equal;
    return equal;
}

bool take_option(Settings &settings, std::string_view option, const std::string &value)
{
    if (option != "--device")
        return false;
    settings.device = number(value);
    return true;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    using namespace vmaf::bench;
    const Settings settings = parse_settings(argc, argv, Settings{{.seconds = 1, .runs = 3}}, take_option);
    constexpr int kSkipped = 77; // the status of a skipped test in the build system
    if (!Device(Kind::vulkan, settings.device, VMAF_VULKAN_CHECK_NONE).is_there()) {
        std::puts("skipped: no usable Vulkan device");
        return kSkipped;
    }
    bool equal = run_size(settings, "tiles_640x360_8", 576, 324);
    equal = run_size(settings, "tiles_1920x1080_8", 1920, 1080) && equal;
    equal = run_size(settings, "tiles_3840x2160_10", 3840, 2160) && equal;
    return equal ? 0 : 1;
}
