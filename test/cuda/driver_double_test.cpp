#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cuda/driver.h"
#include "cuda/driver_double/fixture.h"

namespace vmaf::test {
namespace {

TEST_F(DriverDouble, HasWhatTheLibraryLoads)
{
    EXPECT_TRUE(CudaDriver::get().ok());
}

TEST_F(DriverDouble, CountsLiveObjectsOfEachKind)
{
    CUstream stream = nullptr;
    CUevent event = nullptr;
    CUmodule module = nullptr;
    CUdeviceptr pitched = 0;
    void *pinned = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess);
    ASSERT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
    ASSERT_EQ(driver.cuModuleLoadData(&module, "image"), kSuccess);
    ASSERT_EQ(driver.cuMemAllocPitch_v2(&pitched, &pitch, 100, 3, 16), kSuccess);
    ASSERT_EQ(driver.cuMemHostAlloc(&pinned, 10, 1), kSuccess);
    const CUdeviceptr memory = allocate(7);
    const auto live = [this] {
        std::array<unsigned long, VMAF_DOUBLE_KINDS> counts{};
        for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
            counts[static_cast<std::size_t>(kind)] = control->live(static_cast<VmafDoubleKind>(kind));
        return counts;
    };
    EXPECT_EQ(live(), (std::array<unsigned long, VMAF_DOUBLE_KINDS>{1, 1, 1, 1, 2, 1, 1}));
    EXPECT_EQ(control->live_total(), 8U);
    EXPECT_EQ(control->live_bytes(), 3 * pitch + 7);

    EXPECT_EQ(driver.cuMemFreeHost(pinned), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(pitched), kSuccess);
    EXPECT_EQ(driver.cuModuleUnload(module), kSuccess);
    EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kSuccess);
    EXPECT_EQ(live(), (std::array<unsigned long, VMAF_DOUBLE_KINDS>{1, 1}));
}

TEST_F(DriverDouble, KnowsTheContextOfDeviceMemory)
{
    constexpr int kContext = 1, kMemoryType = 2;
    const CUdeviceptr memory = allocate(7);
    CUcontext other = nullptr, popped = nullptr, owner = nullptr;
    ASSERT_EQ(driver.cuCtxCreate_v2(&other, 0, 0), kSuccess);
    const CUdeviceptr elsewhere = allocate(7);
    EXPECT_EQ(driver.cuPointerGetAttribute(&owner, kContext, memory + 6), kSuccess);
    EXPECT_EQ(owner, context);
    EXPECT_EQ(driver.cuPointerGetAttribute(&owner, kContext, elsewhere), kSuccess);
    EXPECT_EQ(owner, other);
    EXPECT_EQ(driver.cuPointerGetAttribute(&owner, kContext, memory + 7), kInvalidValue);
    EXPECT_EQ(driver.cuPointerGetAttribute(&owner, kMemoryType, memory), kNotSupported);
    EXPECT_EQ(driver.cuMemFree_v2(elsewhere), kSuccess);
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);
    EXPECT_EQ(driver.cuCtxDestroy_v2(other), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

TEST_F(DriverDouble, CopiesAndFillsAreDone)
{
    constexpr std::size_t kPitch = 8;
    const CUdeviceptr memory = allocate(4 * kPitch);
    std::vector<std::uint8_t> bytes(4 * kPitch);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory, bytes.data(), bytes.size(), nullptr), kSuccess);
    EXPECT_EQ(read(memory, bytes.size()), bytes);

    EXPECT_EQ(driver.cuMemsetD8Async(memory + 1, 0xaa, 2, nullptr), kSuccess);
    bytes[1] = bytes[2] = 0xaa;
    EXPECT_EQ(driver.cuMemsetD2D8_v2(memory + 4, kPitch, 0xbb, 2, 2), kSuccess);
    bytes[4] = bytes[5] = bytes[kPitch + 4] = bytes[kPitch + 5] = 0xbb;
    EXPECT_EQ(driver.cuMemsetD2D16_v2(memory + 2 * kPitch, kPitch, 0x0201, 1, 2), kSuccess);
    bytes[2 * kPitch] = bytes[3 * kPitch] = 1;
    bytes[2 * kPitch + 1] = bytes[3 * kPitch + 1] = 2;
    EXPECT_EQ(read(memory, bytes.size()), bytes);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

TEST_F(DriverDouble, Copies2DFromAnyPlaceToAnyPlace)
{
    const std::string picture = "abcdefghijkl"; // three rows of four
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(driver.cuMemsetD8Async(memory, '.', 64, nullptr), kSuccess);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = picture.data();
    copy.srcPitch = 4;
    copy.srcXInBytes = 1;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.dstPitch = 8;
    copy.dstXInBytes = 3;
    copy.dstY = 2;
    copy.WidthInBytes = 2;
    copy.Height = 2;
    EXPECT_EQ(driver.cuMemcpy2DAsync_v2(&copy, nullptr), kSuccess);
    const std::vector<std::uint8_t> result = read(memory, 64);
    EXPECT_EQ(std::string(result.begin() + 19, result.begin() + 21), "fg");
    EXPECT_EQ(std::string(result.begin() + 27, result.begin() + 29), "jk");
    EXPECT_EQ(std::count(result.begin(), result.end(), '.'), 60);

    copy.dstY = 7; // the second row ends behind the allocation
    EXPECT_EQ(driver.cuMemcpy2DAsync_v2(&copy, nullptr), kInvalidValue);
    expect_violation("cuMemcpy2DAsync_v2");
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

TEST_F(DriverDouble, RejectsRangesOutsideAnAllocation)
{
    const CUdeviceptr memory = allocate(16);
    std::array<char, 32> host{};
    EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory + 8, host.data(), 8, nullptr), kSuccess);
    EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(memory + 8, host.data(), 9, nullptr), kInvalidValue);
    expect_violation("9 bytes");
    EXPECT_EQ(driver.cuMemsetD8Async(memory, 0, SIZE_MAX, nullptr), kInvalidValue);
    expect_violation("not in one live allocation");
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(host.data(), memory, 1, nullptr), kInvalidValue);
    expect_violation("cuMemcpyDtoHAsync_v2");
}

TEST_F(DriverDouble, RejectsDoubleReleaseAndUseAfterRelease)
{
    CUstream stream = nullptr;
    CUevent event = nullptr;
    ASSERT_EQ(driver.cuStreamCreate(&stream, 1), kSuccess);
    ASSERT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kInvalidHandle);
    expect_violation("was released before");
    EXPECT_EQ(driver.cuEventRecord(event, stream), kInvalidHandle);
    expect_violation("was released before");
    EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(nullptr, event, 0), kInvalidHandle);
    expect_violation("was released before");

    const CUdeviceptr memory = allocate(1);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kInvalidValue);
    expect_violation("was released before");
}

TEST_F(DriverDouble, RejectsForeignHandles)
{
    int anything = 0;
    EXPECT_EQ(driver.cuStreamSynchronize(reinterpret_cast<CUstream>(&anything)), kInvalidHandle);
    expect_violation("never existed");
    EXPECT_EQ(driver.cuMemFreeHost(&anything), kInvalidValue);
    expect_violation("never existed");
    EXPECT_EQ(driver.cuCtxPushCurrent_v2(reinterpret_cast<CUcontext>(&anything)), kInvalidContext);
    expect_violation("no such context");
}

TEST_F(DriverDouble, FunctionsGoWithTheirModule)
{
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    void *arguments[] = {&module};
    ASSERT_EQ(driver.cuModuleLoadData(&module, "image"), kSuccess);
    ASSERT_EQ(driver.cuModuleGetFunction(&kernel, module, "kernel"), kSuccess);
    EXPECT_EQ(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), kSuccess);
    EXPECT_EQ(driver.cuLaunchKernel(kernel, 1, 0, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), kInvalidValue);
    EXPECT_EQ(driver.cuLaunchKernel(kernel, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr), kInvalidValue);
    EXPECT_EQ(driver.cuModuleUnload(module), kSuccess);
    EXPECT_EQ(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), kInvalidHandle);
    expect_violation("no loaded module");
}

TEST_F(DriverDouble, CountsPushesAndPops)
{
    EXPECT_EQ(control->live(VMAF_DOUBLE_PUSH), 1U);
    std::thread([this] {
        CUcontext current = context;
        EXPECT_EQ(driver.cuCtxGetCurrent(&current), kSuccess);
        EXPECT_EQ(current, nullptr);
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(&current), kInvalidContext);
        EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        EXPECT_EQ(control->live(VMAF_DOUBLE_PUSH), 2U);
        EXPECT_EQ(driver.cuCtxGetCurrent(&current), kSuccess);
        EXPECT_EQ(current, context);
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    }).join();
    expect_violation("nothing was pushed");
}

TEST_F(DriverDouble, NeedsACurrentContext)
{
    const CUdeviceptr memory = allocate(4);
    ASSERT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    CUdeviceptr other = 0;
    EXPECT_EQ(driver.cuMemAlloc_v2(&other, 4), kInvalidContext);
    EXPECT_EQ(driver.cuMemsetD8Async(memory, 0, 4, nullptr), kInvalidContext);
    EXPECT_EQ(driver.cuStreamSynchronize(nullptr), kInvalidContext);
    // A release is done all the same: the push before it may have been made to fail.
    EXPECT_EQ(driver.cuMemFree_v2(memory), kInvalidContext);
    EXPECT_EQ(control->live(VMAF_DOUBLE_DEVICE_MEMORY), 0U);
    ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
}

TEST_F(DriverDouble, ObjectsOfADestroyedContextAreLeaked)
{
    CUcontext own = nullptr;
    CUevent event = nullptr;
    ASSERT_EQ(driver.cuCtxCreate_v2(&own, 0, 0), kSuccess);
    ASSERT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
    EXPECT_EQ(driver.cuCtxDestroy_v2(own), kSuccess);
    EXPECT_EQ(control->live(VMAF_DOUBLE_EVENT), 1U);
    EXPECT_EQ(driver.cuEventQuery(event), kInvalidHandle);
    expect_violation("a context that is gone");
    EXPECT_EQ(driver.cuEventDestroy_v2(event), kInvalidHandle);
    expect_violation("a context that is gone");
    EXPECT_EQ(driver.cuCtxPushCurrent_v2(own), kInvalidContext);
    expect_violation("no such context");
}

TEST_F(DriverDouble, PrimaryContextLivesUntilItsLastRelease)
{
    CUcontext again = nullptr;
    ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&again, 0), kSuccess);
    EXPECT_EQ(again, context);
    EXPECT_EQ(control->live(VMAF_DOUBLE_CONTEXT), 2U);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kInvalidContext);
    expect_violation("not retained");
    EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), kSuccess);
    EXPECT_NE(context, again);
    ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
}

TEST_F(DriverDouble, RefusesATebibyteAndGoesOn)
{
    CUdeviceptr memory = 0;
    std::size_t pitch = 0, free_before = 0, free_after = 0, total = 0;
    ASSERT_EQ(driver.cuMemGetInfo_v2(&free_before, &total), kSuccess);
    EXPECT_EQ(driver.cuMemAlloc_v2(&memory, std::size_t{1} << 40), kOutOfMemory);
    EXPECT_EQ(driver.cuMemAllocPitch_v2(&memory, &pitch, 1 << 20, 1 << 20, 16), kOutOfMemory);
    memory = allocate(1000);
    ASSERT_EQ(driver.cuMemGetInfo_v2(&free_after, &total), kSuccess);
    EXPECT_EQ(free_before - free_after, 1000U);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

TEST_F(DriverDouble, NamesErrors)
{
    const char *name = nullptr;
    EXPECT_EQ(driver.cuGetErrorName(kOutOfMemory, &name), kSuccess);
    EXPECT_STREQ(name, "CUDA_ERROR_OUT_OF_MEMORY");
    EXPECT_EQ(driver.cuGetErrorName(static_cast<CUresult>(998), &name), kInvalidValue);
    EXPECT_EQ(name, nullptr);
}

TEST_F(DriverDouble, CountsCallsOfAllThreads)
{
    constexpr int kThreads = 8, kRounds = 200;
    control->reset();
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([this] {
            EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
            for (int round = 0; round < kRounds; ++round) {
                const CUdeviceptr memory = allocate(64);
                EXPECT_EQ(driver.cuMemsetD8Async(memory, 0, 64, nullptr), kSuccess);
                EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
            }
            EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(control->calls(), kThreads * (2U + 3 * kRounds));
    EXPECT_EQ(control->live(VMAF_DOUBLE_DEVICE_MEMORY), 0U);
}

} // namespace
} // namespace vmaf::test
