#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "support/cuda_client.h"

namespace vmaf::test {

constexpr unsigned long kNoQueries = 0;
/// What the double has at first.
constexpr VmafDoubleDevice kDevice{9, 0, std::size_t{80} << 30, 4, 227 << 10};

/// A client of the CUDA API on the driver double, with the kernels of a GPU (emulation/). Objects
/// that are left behind are a failure.
class DriverSessions : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
        driver_->reset();
        emulate_kernels(*driver_);
        open_client();
    }

    void TearDown() override
    {
        driver_->set_time(VMAF_DOUBLE_AT_ONCE, kNoQueries);
        driver_->heal();
        client_.reset();
        EXPECT_EQ(driver_->live_total(), 0U);
        EXPECT_EQ(driver_->violations(), 0U) << driver_->violation(0);
        driver_->reset();
        driver_->set_devices(1, &kDevice);
    }

    /// From now on the machine has exactly these devices. The client uses none of them.
    void set_devices(const std::vector<VmafDoubleDevice> &devices)
    {
        client_.reset();
        ASSERT_EQ(driver_->set_devices(static_cast<unsigned>(devices.size()), devices.data()), 0);
    }
    void open_client()
    {
        std::string why;
        client_ = CudaClient::open(why);
        ASSERT_TRUE(client_) << why;
    }

    void set_time(VmafDoubleTime mode, unsigned long queries = kNoQueries) const
    {
        ASSERT_EQ(driver_->set_time(mode, queries), 0);
    }

    /// A session with the client's device and the pool for the feeding; null on failure.
    Context open_on_device(const PictureFormat &format, Feeding feeding, const VmafConfiguration &config = {}) const
    {
        VmafContext *raw = nullptr;
        if (vmaf_init(&raw, config) != 0)
            return nullptr;
        Context context(raw);
        const ClipSpec spec{"", format.width, format.height, format.bpc, format.pix_fmt, 0, "", ""};
        return client_->attach(raw, spec, feeding) == 0 ? std::move(context) : nullptr;
    }
    Context open_on_device(const Clip &clip, Feeding feeding, const VmafConfiguration &config = {}) const
    {
        return open_on_device(clip.format(), feeding, config);
    }

    /// Feeds frames first..end-1. After the clip's last frame it begins again.
    int feed_frames(VmafContext *vmaf, const Clip &clip, Feeding feeding, unsigned first, unsigned end) const
    {
        for (unsigned frame = first; frame < end; ++frame)
            if (const int error = client_->feed(vmaf, clip, frame % clip.spec().frames, frame, feeding); error != 0)
                return error;
        return 0;
    }

    const VmafDoubleControl *const driver_ = loaded_driver_double();
    std::unique_ptr<CudaClient> client_;
};

/// While this lives, it runs held work of the legacy default stream. A fetch that allocates memory
/// waits there for the fill of its chroma.
class DefaultStreamRuns {
  public:
    explicit DefaultStreamRuns(const VmafDoubleControl &driver)
        : thread_([this, &driver] {
              while (!ended_) {
                  driver.release_stream(0);
                  std::this_thread::yield();
              }
          })
    {
    }
    ~DefaultStreamRuns()
    {
        ended_ = true;
        thread_.join();
    }
    DefaultStreamRuns(const DefaultStreamRuns &) = delete;

  private:
    std::atomic<bool> ended_{false};
    std::thread thread_;
};

/// Makes the pool create all pictures that a client can hold, so later fetches allocate no memory.
inline void grow_pool(VmafContext *vmaf)
{
    constexpr unsigned kClientLimit = 16;
    std::vector<VmafPicture> pictures(kClientLimit);
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(vmaf, &picture), 0);
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

inline int flush(VmafContext *vmaf)
{
    return vmaf_read_pictures(vmaf, nullptr, nullptr, 0);
}

/// vmaf_feature_score_at_index() without the score.
inline int score_error(VmafContext *vmaf, const char *name, unsigned index)
{
    double ignored = 0;
    return vmaf_feature_score_at_index(vmaf, name, &ignored, index);
}

/// Scores named `name` of frames first..end-1. A missing score is a failure.
inline std::vector<double> scores_of(VmafContext *vmaf, const char *name, unsigned first, unsigned end)
{
    std::vector<double> scores;
    for (unsigned index = first; index < end; ++index) {
        scores.push_back(-1);
        EXPECT_EQ(vmaf_feature_score_at_index(vmaf, name, &scores.back(), index), 0) << name << " of frame " << index;
    }
    return scores;
}

/// vmaf_use_feature() with options.
inline int use_feature(VmafContext *vmaf, const char *name,
                       std::initializer_list<std::pair<const char *, const char *>> options = {})
{
    VmafFeatureDictionary *dictionary = nullptr;
    for (const auto &[key, value] : options)
        if (const int error = vmaf_feature_dictionary_set(&dictionary, key, value); error != 0)
            return error;
    return vmaf_use_feature(vmaf, name, dictionary);
}

/// Lines that the library writes to stderr during the call.
template <class Call> std::vector<std::string> log_of(Call &&call)
{
    testing::internal::CaptureStderr();
    std::forward<Call>(call)();
    const std::string text = testing::internal::GetCapturedStderr();
    std::vector<std::string> lines;
    for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
        lines.push_back(text.substr(start, end - start));
    return lines;
}

/// Lines of one level: "ERROR", "WARNING" or "INFO".
inline std::vector<std::string> lines_at(std::string_view level, const std::vector<std::string> &lines)
{
    const std::string start = "libvmaf " + std::string(level) + ' ';
    std::vector<std::string> found;
    for (const std::string &line : lines)
        if (line.rfind(start, 0) == 0)
            found.push_back(line.substr(start.size()));
    return found;
}

inline VmafConfiguration logging_at(VmafLogLevel level)
{
    VmafConfiguration config{};
    config.log_level = level;
    return config;
}

/// Features run on the CPU unless their names demand the device, such as "psnr_cuda".
inline VmafConfiguration on_cpu_unless_demanded(VmafConfiguration config = {})
{
    config.gpumask = 1;
    return config;
}

/// A piece of work that ran, and its number for VmafDoubleControl::ordered().
struct RanWork : VmafDoubleWork {
    unsigned long number;
};

/// Work for which `wanted(RanWork)` is true, in the order in which it ran.
template <class Wanted> std::vector<RanWork> ran_work(const VmafDoubleControl &driver, Wanted &&wanted)
{
    std::vector<RanWork> found;
    RanWork work{};
    for (; driver.work(work.number, &work); ++work.number)
        if (wanted(work))
            found.push_back(work);
    return found;
}

/// Work with a name: an entry point's symbol or a kernel's name.
inline std::vector<RanWork> work_named(const VmafDoubleControl &driver, std::string_view name)
{
    return ran_work(driver, [name](const RanWork &work) { return work.name == name; });
}

} // namespace vmaf::test
