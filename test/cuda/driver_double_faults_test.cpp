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

} // namespace
} // namespace vmaf::test
