// Runs the client scripts of test/fault and checks their promises, on a Vulkan driver whose calls
// fail (spec vulkan 6). Scripts include a feature that is registered late, two sessions on one
// state, and pictures of a pool.

#include <cstdlib>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "fault/failing_allocations.h"
#include "fault/failing_calls.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "vulkan/faulty_driver/loaded.h"

namespace vmaf::test {
namespace {

const DeviceApi kVulkanApi{
    [](void **state, bool) { return vmaf_vulkan_state_init(reinterpret_cast<VmafVulkanState **>(state), {}); },
    [](VmafContext *vmaf, void *state) {
        return vmaf_vulkan_import_state(vmaf, static_cast<VmafVulkanState *>(state));
    },
    [](VmafContext *vmaf, const Script &script) {
        constexpr unsigned kPictures = 6;
        return vmaf_preallocate_pictures(
            vmaf, {{script.format.width, script.format.height, script.format.bpc, script.format.pix_fmt}, kPictures});
    },
    vmaf_fetch_preallocated_picture,
    [](void *state) { return vmaf_vulkan_state_free(static_cast<VmafVulkanState *>(state)); },
};

/// Driver calls of a run, with the hooks that the scripts ask for.
struct Calls {
    std::mutex mutex;
    std::vector<const char *> names;
    VmafDoubleHook *begins = nullptr, *ends = nullptr; ///< only of calls that can fail
    void *user = nullptr;
};
Calls g_calls;

void note(const char *name)
{
    const std::lock_guard lock(g_calls.mutex);
    g_calls.names.push_back(name);
    if (g_calls.begins != nullptr && g_calls.ends == nullptr)
        g_calls.begins(name, g_calls.user);
}

/// The faulty driver in the role of the driver double, as the scripts use it.
VmafDoubleControl faulty_driver()
{
    VmafDoubleControl control{};
    control.reset = [] {
        g_calls.names.clear();
        find_in_faulty_driver<VmafFaultyHeal>("vmaf_faulty_heal")();
    };
    control.calls = [] {
        const std::lock_guard lock(g_calls.mutex);
        return static_cast<unsigned long>(g_calls.names.size());
    };
    control.call_name = [](unsigned long index) {
        return index < g_calls.names.size() ? g_calls.names[index] : nullptr;
    };
    control.on_calls = [](VmafDoubleHook *begins, VmafDoubleHook *ends, void *user) {
        g_calls.begins = begins;
        g_calls.ends = ends;
        g_calls.user = user;
        if (ends != nullptr)
            find_in_faulty_driver<VmafFaultyAround>("vmaf_faulty_around")([] { g_calls.begins(nullptr, g_calls.user); },
                                                                          [] { g_calls.ends(nullptr, g_calls.user); });
        else
            find_in_faulty_driver<VmafFaultyAround>("vmaf_faulty_around")(nullptr, nullptr);
    };
    control.heal = [] { find_in_faulty_driver<VmafFaultyHeal>("vmaf_faulty_heal")(); };
    control.add_fault = [](const VmafDoubleFault *fault) {
        find_in_faulty_driver<VmafFaultyFail>("vmaf_faulty_fail")(fault->first, fault->result,
                                                                  fault->times == 0 || fault->sticky != 0);
        return 0UL;
    };
    control.live = [](VmafDoubleKind) { return 0UL; };
    control.live_total = [] {
        return static_cast<unsigned long>(find_in_faulty_driver<VmafFaultyLive>("vmaf_faulty_live")());
    };
    const auto none = [] { return 0UL; };
    control.violations = none;
    control.violation = [](unsigned long) -> const char * { return nullptr; };
    control.pending = none;
    control.waits = none;
    control.wait = control.violation;
    control.set_time = [](VmafDoubleTime, unsigned long) { return 0; };
    return control;
}

constexpr Kind kKinds[] = {
    {"host memory runs out, once", {kOnce, kVulkanHostMemory}},
    {"device memory runs out, from here on", {kFromHereOn, kVulkanDeviceMemory}},
    {"the device is lost", {Fault::Lasts::breaks_the_context, kVulkanDeviceLost}},
    {"host memory runs out, then the device is lost",
     {kOnce, kVulkanHostMemory},
     Rule{Fault::Lasts::breaks_the_context, kVulkanDeviceLost}},
};

class VulkanFaults : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_NE(find_in_faulty_driver<VmafFaultyFail>("vmaf_faulty_fail"), nullptr)
            << "the faulty driver is not the libvulkan.so.1 that is found first";
        if (vmaf_vulkan_device_list(nullptr) == nullptr)
            GTEST_SKIP() << "there is no Vulkan device (Debian: mesa-vulkan-drivers)";
        find_in_faulty_driver<VmafFaultyOnCalls>("vmaf_faulty_on_calls")(note);
    }
    void TearDown() override
    {
        find_in_faulty_driver<VmafFaultyOnCalls>("vmaf_faulty_on_calls")(nullptr);
        find_in_faulty_driver<VmafFaultyRename>("vmaf_faulty_rename")(0);
        unsetenv("VMAF_TEST_MISCOMPILED");
        find_in_faulty_driver<VmafFaultyHeal>("vmaf_faulty_heal")();
    }

    FailingCalls failing() const
    {
        return {driver_, kKinds, [](const VmafDoubleControl &) {}};
    }
    /// Each run has a device that the library has not checked yet.
    FailingCalls failing_with_check() const
    {
        return {driver_, kKinds, [](const VmafDoubleControl &) {
                    static unsigned number = 0;
                    find_in_faulty_driver<VmafFaultyRename>("vmaf_faulty_rename")(++number);
                }};
    }

    const VmafDoubleControl driver_ = faulty_driver();
};

Script on_vulkan(Script script)
{
    script.api = &kVulkanApi;
    script.time = VMAF_DOUBLE_AFTER_QUERIES;      // this driver takes its own time
    if (script.pictures == Pictures::device_pool) // unless the script says otherwise
        script.pictures = Pictures::plain;
    return script;
}

TEST_F(VulkanFaults, OfStatesKeepEveryPromise)
{
    failing().of_states(kVulkanApi, false);
}

/// The check waits for the device twice.
const Script kUnchecked{.name = "unchecked", .features = {"psnr"}, .frames = 2, .unheard = {"vkWaitSemaphores"}};

TEST_F(VulkanFaults, OfAnUncheckedDeviceKeepEveryPromise)
{
    failing_with_check().of_script(on_vulkan(kUnchecked));
}

TEST_F(VulkanFaults, OfADeviceThatFailsItsCheckKeepEveryPromise)
{
    setenv("VMAF_TEST_MISCOMPILED", "square_error", 1);
    failing_with_check().of_script(on_vulkan(kUnchecked));
}

TEST_F(VulkanFaults, AllocationsFail)
{
    FailingMalloc::watch_only_this_thread(); // the other objects are the driver's
    const Script script =
        on_vulkan({.name = "two_sessions", .features = {"psnr"}, .frames = 2, .sessions = 2, .asks_again = true});
    FailingAllocations(driver_, script, [](const VmafDoubleControl &) {}).fail_in_turn();
}

class VulkanFaultsOfScript : public VulkanFaults, public testing::WithParamInterface<Script> {};

TEST_P(VulkanFaultsOfScript, KeepEveryPromise)
{
    failing().of_script(on_vulkan(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Every, VulkanFaultsOfScript,
    testing::Values(
        Script{.name = "pool",
               .pictures = Pictures::host_pool,
               .features = {"psnr"},
               .preallocates_again = true}, // pictures that are held keep their memory
        Script{.name = "lent", .pictures = Pictures::lent_host, .are_scaled = true, .features = {"psnr"}},
        Script{.name = "mixed_threads", .features = {"psnr", "float_motion"}, .n_threads = 2, .asks_on_the_way = true},
        Script{.name = "late_feature", .features = {"motion"}, .frames = 3, .late_feature = "psnr"},
        Script{.name = "two_sessions", .features = {"psnr"}, .frames = 2, .sessions = 2},
        Script{.name = "subsampled", .features = {"psnr"}, .subsample = 2},
        Script{.name = "starts_over", .pictures = Pictures::host_pool, .features = {"psnr"}, .starts_over = true},
        Script{.name = "without_flush", .features = {"psnr"}, .flushes = false},
        Script{.name = "in_flight_at_close",
               .pictures = Pictures::lent_host,
               .features = {"psnr"},
               .flushes = false,
               .asks_at_the_end = false}),
    [](const testing::TestParamInfo<Script> &script) { return script.param.name; });

} // namespace
} // namespace vmaf::test
