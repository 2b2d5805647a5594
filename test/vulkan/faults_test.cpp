// Sessions on a Vulkan driver whose calls fail, one after the other, and sessions whose allocations
// do (spec vulkan 6): each failure is an errno and one line, scores that are there are right, and
// nothing is left behind.

#include <cerrno>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include <vulkan/vulkan_core.h>

#include "fault/failing_malloc.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "support/session.h"
#include "vulkan/faulty_driver/control.h"

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 3;
const char *const kScores[] = {"psnr_y", "psnr_cr", "VMAF_integer_feature_motion2_score"};

/// What came of a session, from the device's opening to its end.
struct Outcome {
    int error = 0;                   ///< the first
    std::vector<std::string> errors; ///< lines
    std::vector<double> scores;      ///< -1: not there
};

class FaultyVulkan : public ::testing::Test {
  protected:
    void SetUp() override
    {
        library_ = dlopen("libvulkan.so.1", RTLD_NOW);
        ASSERT_NE(library_, nullptr) << dlerror();
        fail_ = reinterpret_cast<VmafFaultyFail *>(dlsym(library_, "vmaf_faulty_fail"));
        live_ = reinterpret_cast<VmafFaultyLive *>(dlsym(library_, "vmaf_faulty_live"));
        around_ = reinterpret_cast<VmafFaultyAround *>(dlsym(library_, "vmaf_faulty_around"));
        ASSERT_NE(fail_, nullptr) << "the faulty driver is not the libvulkan.so.1 that is found first";
        if (vmaf_vulkan_device_list(nullptr) == nullptr)
            GTEST_SKIP() << "there is no Vulkan device (Debian: mesa-vulkan-drivers)";
        run(); // the device is checked once in a process
        fail_(0, VK_SUCCESS);
        expected_ = run();
        ASSERT_EQ(expected_.error, 0);
        calls_ = fail_(0, VK_SUCCESS);
        ASSERT_GT(calls_, 50U);
    }
    void TearDown() override { vmaf_set_log_callback(nullptr, nullptr); }

    Outcome run() const
    {
        Outcome outcome;
        vmaf_set_log_callback(
            [](void *lines, VmafLogLevel level, const char *message) {
                FailingMalloc::suspend();
                if (level == VMAF_LOG_LEVEL_ERROR)
                    static_cast<std::vector<std::string> *>(lines)->emplace_back(message);
                FailingMalloc::resume();
            },
            &outcome.errors);
        VmafConfiguration config{};
        config.log_level = VMAF_LOG_LEVEL_ERROR;
        VmafContext *raw = nullptr;
        outcome.error = library([&] { return vmaf_init(&raw, config); });
        if (outcome.error != 0)
            return outcome;
        VmafVulkanState *state = nullptr;
        outcome.error = library([&] { return vmaf_vulkan_state_init(&state, {}); });
        EXPECT_EQ(state == nullptr, outcome.error != 0);
        if (outcome.error == 0)
            outcome.error = library([&] { return score(raw, state); });
        for (const char *name : kScores)
            for (unsigned frame = 0; frame < kFrames; ++frame) {
                double value = -1;
                const int error = library([&] { return vmaf_feature_score_at_index(raw, name, &value, frame); });
                outcome.scores.push_back(error == 0 ? value : -1);
            }
        const int closed = library([&] { return vmaf_close(raw); });
        library([&] { return vmaf_vulkan_state_free(state); });
        if (outcome.error == 0)
            outcome.error = closed;
        return outcome;
    }

    void expect_every_failure(VkResult result, int error) const
    {
        unsigned failures = 0;
        for (unsigned long call = 1; call <= calls_; ++call) {
            SCOPED_TRACE(::testing::Message() << "call " << call << " of " << calls_ << " gives " << result);
            fail_(call, result);
            const Outcome outcome = run();
            if (fail_(0, VK_SUCCESS) < call) // it asked less often whether the device is done
                break;
            EXPECT_EQ(live_(), 0);
            if (outcome.error == 0) { // nothing depended on that call
                EXPECT_EQ(outcome.errors, expected_.errors);
                EXPECT_EQ(outcome.scores, expected_.scores);
                continue;
            }
            ++failures;
            EXPECT_EQ(outcome.error, error);
            // Getters and vmaf_close() may say once more that the device is lost.
            const std::size_t most_lines = result == VK_ERROR_DEVICE_LOST ? 3 : 1;
            EXPECT_TRUE(!outcome.errors.empty() && outcome.errors.size() <= most_lines) << outcome.errors.size();
            for (std::size_t i = 0; i < outcome.scores.size(); ++i)
                EXPECT_TRUE(outcome.scores[i] == -1 || outcome.scores[i] == expected_.scores[i]) << i;
            if (HasFailure())
                return;
        }
        // How often the device is asked whether it is done depends on time; these calls do not.
        constexpr unsigned kLeastFailures = 60;
        EXPECT_GT(failures, kLeastFailures);
        const Outcome after = run();
        EXPECT_EQ(after.error, 0);
        EXPECT_EQ(after.scores, expected_.scores);
    }

    VmafFaultyFail *fail_ = nullptr;
    VmafFaultyLive *live_ = nullptr;
    VmafFaultyAround *around_ = nullptr;
    Outcome expected_;
    unsigned long calls_ = 0; ///< of one run

  private:
    /// What is not in it is the test's: see AllocationsFail.
    template <class Call> static int library(const Call &call)
    {
        FailingMalloc::resume();
        const int error = call();
        FailingMalloc::suspend();
        return error;
    }

    static int score(VmafContext *context, VmafVulkanState *state)
    {
        int error = vmaf_vulkan_import_state(context, state);
        for (const char *feature : {"psnr", "motion"})
            if (error == 0)
                error = vmaf_use_feature(context, feature, nullptr);
        const Clip &clip = Clip::get("tiles_176x144_8");
        for (unsigned frame = 0; frame < kFrames && error == 0; ++frame)
            error = feed(context, clip, frame, frame);
        return error != 0 ? error : vmaf_read_pictures(context, nullptr, nullptr, 0);
    }

    void *library_ = nullptr;
};

TEST_F(FaultyVulkan, HostMemoryRunsOut)
{
    expect_every_failure(VK_ERROR_OUT_OF_HOST_MEMORY, -ENOMEM);
}

TEST_F(FaultyVulkan, DeviceMemoryRunsOut)
{
    expect_every_failure(VK_ERROR_OUT_OF_DEVICE_MEMORY, -ENOMEM);
}

TEST_F(FaultyVulkan, TheDeviceIsLost)
{
    expect_every_failure(VK_ERROR_DEVICE_LOST, -EIO);
}

TEST_F(FaultyVulkan, AllocationsFail)
{
    FailingMalloc::watch_only_this_thread(); // the others are the driver's
    FailingMalloc::suspend();
    around_(FailingMalloc::suspend, FailingMalloc::resume);
    unsigned long failed = 0;
    for (const FailMode mode : {FailMode::once, FailMode::from_here_on})
        for (unsigned long k = 1, allocations = 1; allocations + 1 >= k && !HasFailure(); ++k, ++failed) {
            SCOPED_TRACE(::testing::Message()
                         << "allocation " << k << (mode == FailMode::once ? "" : " and all later ones"));
            const long blocks_before = FailingMalloc::live_blocks();
            FailingMalloc::arm(k, mode);
            const Outcome outcome = run();
            allocations = FailingMalloc::disarm();
            EXPECT_TRUE(outcome.error == 0 || outcome.error == -ENOMEM) << outcome.error;
            EXPECT_LE(outcome.errors.size(), outcome.error == 0 ? 0U : 1U);
            for (std::size_t i = 0; i < outcome.scores.size(); ++i)
                EXPECT_TRUE(outcome.scores[i] == expected_.scores[i] || (outcome.scores[i] == -1 && outcome.error != 0))
                    << i << ": " << outcome.scores[i];
            EXPECT_EQ(FailingMalloc::live_blocks(), blocks_before);
            EXPECT_EQ(live_(), 0);
        }
    EXPECT_GT(failed, 50U);
    around_(nullptr, nullptr);
    FailingMalloc::resume();
    const Outcome after = run();
    EXPECT_EQ(after.error, 0);
    EXPECT_EQ(after.scores, expected_.scores);
}

} // namespace
} // namespace vmaf::test
