#include "cuda/driver_double/fixture.h"

// Calls that the driver double counts and makes fail.

namespace vmaf::test {
namespace {

TEST_F(DriverDouble, ListsCalls)
{
    control->reset();
    EXPECT_EQ(control->calls(), 0U);
    const CUdeviceptr memory = allocate(1);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    ASSERT_EQ(control->calls(), 2U);
    EXPECT_STREQ(control->call_name(0), "cuMemAlloc_v2");
    EXPECT_STREQ(control->call_name(1), "cuMemFree_v2");
    EXPECT_EQ(control->call_name(2), nullptr);
}

struct Hooked {
    std::vector<std::string> begun, ended;
    unsigned long begun_at = 0; ///< calls that the double knew of when the last one began
    const VmafDoubleControl *control;

    static void begins(const char *call, void *user)
    {
        auto &self = *static_cast<Hooked *>(user);
        self.begun.emplace_back(call);
        self.begun_at = self.control->calls();
    }
    static void ends(const char *call, void *user) { static_cast<Hooked *>(user)->ended.emplace_back(call); }
};

TEST_F(DriverDouble, RunsTheHooksAroundEveryCall)
{
    control->reset();
    Hooked hooked;
    hooked.control = control;
    control->on_calls(Hooked::begins, Hooked::ends, &hooked);
    const CUdeviceptr memory = allocate(1);
    EXPECT_EQ(hooked.begun_at, 0U) << "before the call is noted";
    control->fail(1, kUnknown, VMAF_DOUBLE_ONCE, nullptr);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kUnknown);
    CUcontext other = nullptr, popped = nullptr;
    EXPECT_EQ(driver.cuCtxCreate_v2(&other, 0, 0), kSuccess);
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);
    EXPECT_EQ(driver.cuCtxDestroy_v2(other), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&other, 0), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
    control->on_calls(nullptr, nullptr, nullptr);
    std::vector<std::string> calls;
    for (unsigned long i = 0; i < control->calls(); ++i)
        calls.emplace_back(control->call_name(i));
    EXPECT_EQ(calls.size(), 8U);
    EXPECT_EQ(hooked.begun, calls);
    EXPECT_EQ(hooked.ended, calls);
}

TEST_F(DriverDouble, RunsTheWorkBetweenTheHooks)
{
    struct Order {
        std::string text;
        static void begins(const char *, void *user) { static_cast<Order *>(user)->text += '('; }
        static void ends(const char *, void *user) { static_cast<Order *>(user)->text += ')'; }
        static void kernel(const VmafDoubleLaunch *, void *user) { static_cast<Order *>(user)->text += 'k'; }
    } order;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_EQ(driver.cuModuleLoadData(&module, "image"), kSuccess);
    ASSERT_EQ(driver.cuModuleGetFunction(&function, module, "kernel"), kSuccess);
    const bool runs = control->on_kernel("kernel", nullptr, 0, Order::kernel, &order) == 0; // else the driver's do
    control->on_calls(Order::begins, Order::ends, &order);
    void *none[] = {nullptr};
    EXPECT_EQ(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, none, nullptr), kSuccess);
    control->on_calls(nullptr, nullptr, nullptr);
    EXPECT_EQ(driver.cuModuleUnload(module), kSuccess);
    EXPECT_EQ(order.text, runs ? "(k)" : "()");
}

TEST_F(DriverDouble, FailsOneCallAlone)
{
    control->fail(2, kOutOfMemory, VMAF_DOUBLE_ONCE, nullptr);
    CUdeviceptr memory[3] = {};
    EXPECT_EQ(driver.cuMemAlloc_v2(&memory[0], 1), kSuccess);
    EXPECT_EQ(driver.cuMemAlloc_v2(&memory[1], 1), kOutOfMemory);
    EXPECT_EQ(driver.cuMemAlloc_v2(&memory[2], 1), kSuccess);
    EXPECT_EQ(control->live(VMAF_DOUBLE_DEVICE_MEMORY), 2U);
    EXPECT_EQ(driver.cuMemFree_v2(memory[0]), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(memory[2]), kSuccess);
}

TEST_F(DriverDouble, FailsFromACallOnUntilHealed)
{
    control->fail(2, kUnknown, VMAF_DOUBLE_FROM_HERE_ON, nullptr);
    CUstream stream = nullptr;
    ASSERT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kUnknown);
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kUnknown);
    control->heal();
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kSuccess);
}

TEST_F(DriverDouble, FailsCallsOfOneName)
{
    constexpr auto kNotReady = CUDA_ERROR_NOT_READY;
    CUevent event = nullptr;
    ASSERT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
    control->fail(2, kNotReady, VMAF_DOUBLE_FROM_HERE_ON, "cuEventQuery");
    EXPECT_EQ(driver.cuEventSynchronize(event), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(event), kSuccess);
    EXPECT_EQ(driver.cuEventSynchronize(event), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(event), kNotReady);
    EXPECT_EQ(driver.cuEventQuery(event), kNotReady);
    EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
}

TEST_F(DriverDouble, AReleaseThatFailsTakesEffect)
{
    CUstream stream = nullptr;
    ASSERT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess);
    const CUdeviceptr memory = allocate(1);
    ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
    CUcontext again = nullptr;
    ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&again, 0), kSuccess);

    control->fail(1, kUnknown, VMAF_DOUBLE_FROM_HERE_ON, nullptr);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kUnknown);
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kUnknown);
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kUnknown);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kUnknown);
    EXPECT_EQ(control->live_total(), 2U); // the fixture's retain and push
}

TEST_F(DriverDouble, CallsNothingElseThatFailed)
{
    const CUdeviceptr memory = allocate(1);
    EXPECT_EQ(driver.cuMemsetD8Async(memory, 1, 1, nullptr), kSuccess);
    control->fail(1, kUnknown, VMAF_DOUBLE_ONCE, nullptr);
    EXPECT_EQ(driver.cuMemsetD8Async(memory, 2, 1, nullptr), kUnknown);
    EXPECT_EQ(read(memory, 1)[0], 1);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

TEST_F(DriverDouble, RulesOfOneNameAndOfAnyAddUp)
{
    constexpr int kNotReady = CUDA_ERROR_NOT_READY;
    CUevent event = nullptr;
    ASSERT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
    const VmafDoubleFault busy{"cuEventQuery", 0, 3, kNotReady, 0};
    const VmafDoubleFault late{"cuEventSynchronize", 2, 1, kUnknown, 0};
    const VmafDoubleFault fifth{nullptr, 5, 1, kOutOfMemory, 0};
    const unsigned long busy_rule = control->add_fault(&busy);
    const unsigned long late_rule = control->add_fault(&late);
    control->add_fault(&fifth);
    EXPECT_EQ(driver.cuEventQuery(event), kNotReady);
    EXPECT_EQ(driver.cuEventSynchronize(event), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(event), kNotReady);
    EXPECT_EQ(driver.cuEventSynchronize(event), kUnknown);
    EXPECT_EQ(driver.cuEventQuery(event), kNotReady) << "the older rule decides";
    EXPECT_EQ(driver.cuEventQuery(event), kOutOfMemory) << "the other takes the next call";
    EXPECT_EQ(driver.cuEventQuery(event), kSuccess);
    EXPECT_EQ(driver.cuEventSynchronize(event), kSuccess);
    EXPECT_EQ(control->failed(busy_rule), 3U);
    EXPECT_EQ(control->failed(late_rule), 1U);
    EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
}

TEST_F(DriverDouble, ARuleFailsAllCallsFromItsFirstUntilItIsRemoved)
{
    const VmafDoubleFault fault{"cuMemAlloc_v2", 2, 0, kOutOfMemory, 0}, other{"cuStreamCreate", 1, 0, kUnknown, 0};
    const unsigned long rule = control->add_fault(&fault);
    control->add_fault(&other);
    CUdeviceptr memory = allocate(1), none = 0;
    CUstream stream = nullptr;
    EXPECT_EQ(driver.cuMemAlloc_v2(&none, 1), kOutOfMemory);
    EXPECT_EQ(driver.cuMemAlloc_v2(&none, 1), kOutOfMemory);
    control->remove_fault(rule);
    EXPECT_EQ(control->failed(rule), 0U);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    memory = allocate(1);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    EXPECT_EQ(driver.cuStreamCreate(&stream, 1), kUnknown) << "the other rule stays";
    control->fail(1, kOutOfMemory, VMAF_DOUBLE_ONCE, "cuMemAlloc_v2");
    EXPECT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess) << "the short form replaces all rules";
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kSuccess);
}

// The behaviour was measured with an illegal address on an H200, driver 580.
TEST_F(DriverDouble, AStickyFailureBreaksTheContextAndNoOther)
{
    constexpr CUresult kIllegalAddress = static_cast<CUresult>(700);
    CUcontext other = nullptr, popped = nullptr;
    ASSERT_EQ(driver.cuCtxCreate_v2(&other, 0, 0), kSuccess);
    ASSERT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);
    CUstream stream = nullptr;
    ASSERT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess);
    const CUdeviceptr memory = allocate(1);
    const VmafDoubleFault fault{"cuStreamSynchronize", 1, 1, kIllegalAddress, 1};
    control->add_fault(&fault);
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kIllegalAddress);

    CUdeviceptr none = 0;
    EXPECT_EQ(driver.cuStreamSynchronize(stream), kIllegalAddress);
    EXPECT_EQ(driver.cuMemAlloc_v2(&none, 1), kIllegalAddress);
    EXPECT_EQ(driver.cuMemsetD8Async(memory, 0, 1, stream), kIllegalAddress);
    int count = 0;
    const char *name = nullptr;
    EXPECT_EQ(driver.cuDeviceGetCount(&count), kSuccess);
    EXPECT_EQ(driver.cuGetErrorName(kIllegalAddress, &name), kSuccess);
    EXPECT_EQ(driver.cuCtxPushCurrent_v2(other), kSuccess);
    CUstream elsewhere = nullptr;
    EXPECT_EQ(driver.cuStreamCreate(&elsewhere, 1), kSuccess) << "another context";
    EXPECT_EQ(driver.cuStreamDestroy_v2(elsewhere), kSuccess);
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);

    EXPECT_EQ(driver.cuMemFree_v2(memory), kIllegalAddress) << "takes effect all the same";
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kIllegalAddress);
    EXPECT_EQ(driver.cuCtxDestroy_v2(other), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&other, 0), kSuccess) << "it is alive";
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(control->live_total(), 2U); // the fixture's retain and push

    ASSERT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), kIllegalAddress) << "the device stays lost";
    control->heal();
    ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), kSuccess);
    ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(nullptr), kSuccess);
}

} // namespace
} // namespace vmaf::test
