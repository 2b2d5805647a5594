#include "cuda/driver_double/timed_fixture.h"

#include <algorithm>

// When the driver double reads and writes memory for queued work, and what may go meanwhile.

namespace vmaf::test {
namespace {

class DriverCopies : public DriverTime {
  protected:
    CUDA_MEMCPY2D rows(CUdeviceptr to, const unsigned char *from) const
    {
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = from;
        copy.srcPitch = 16;
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = to;
        copy.dstPitch = 8;
        copy.WidthInBytes = 8;
        copy.Height = 4;
        return copy;
    }
};

TEST_F(DriverCopies, APinnedSourceIsReadWhenTheStreamReachesIt)
{
    CUstream on = stream();
    const CUdeviceptr one = device_memory(), two = device_memory();
    unsigned char *source = pinned_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(upload(one, source, on), kSuccess);
    const CUDA_MEMCPY2D copy = rows(two, source);
    EXPECT_EQ(driver.cuMemcpy2DAsync_v2(&copy, on), kSuccess);
    std::fill_n(source, kBytes, 9); // too early
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(host(one)[0], 9);
    EXPECT_EQ(host(two)[31], 9);
    EXPECT_EQ(host(two)[32], 0);
}

TEST_F(DriverCopies, APageableSourceMayGoWhenTheCallReturned)
{
    CUstream on = stream();
    const CUdeviceptr one = device_memory(), two = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    for (const VmafDoublePageableReads reads : {VMAF_DOUBLE_IN_THE_CALL, VMAF_DOUBLE_WHEN_IT_RUNS}) {
        EXPECT_EQ(control->set_pageable_reads(reads), 0);
        auto source = std::make_unique<std::array<unsigned char, kBytes>>();
        source->fill(4);
        EXPECT_EQ(upload(one, source->data(), on), kSuccess);
        const CUDA_MEMCPY2D copy = rows(two, source->data());
        EXPECT_EQ(driver.cuMemcpy2DAsync_v2(&copy, on), kSuccess);
        source->fill(5);
        if (reads == VMAF_DOUBLE_IN_THE_CALL)
            source.reset();
        EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
        EXPECT_EQ(host(one)[kBytes - 1], reads == VMAF_DOUBLE_IN_THE_CALL ? 4 : 5);
        EXPECT_EQ(host(two)[31], reads == VMAF_DOUBLE_IN_THE_CALL ? 4 : 5);
    }
}

TEST_F(DriverCopies, APageableDestinationIsWrittenLateAndTheDriversWaitIsTold)
{
    CUstream on = stream();
    const CUdeviceptr memory = device_memory();
    unsigned char *pinned = pinned_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(memory, 3, on), kSuccess);
    EXPECT_EQ(download(pinned, memory, on), kSuccess);
    EXPECT_EQ(control->waits(), 0U);
    std::array<unsigned char, kBytes> pageable{};
    EXPECT_EQ(download(pageable.data(), memory, on), kSuccess);
    EXPECT_EQ(last_wait(), "cuMemcpyDtoHAsync_v2: into pageable memory");
    EXPECT_EQ(pageable[0], 0);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(pageable[0], 3);
}

TEST_F(DriverCopies, CallsWithoutAStreamWaitOnlyForHostMemoryThatTheyWrite)
{
    const CUdeviceptr one = device_memory(), two = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    std::array<unsigned char, kBytes> bytes{};
    unsigned char *pinned = pinned_memory();
    bytes.fill(1);
    std::fill_n(pinned, kBytes, 2);
    EXPECT_EQ(driver.cuMemcpyHtoD_v2(one, bytes.data(), 8), kSuccess);
    EXPECT_EQ(driver.cuMemcpyHtoD_v2(one + 8, pinned, 8), kSuccess);
    bytes.fill(0);
    std::fill_n(pinned, kBytes, 0);
    EXPECT_EQ(driver.cuMemcpyDtoD_v2(two, one, 16), kSuccess);
    EXPECT_EQ(driver.cuMemsetD2D8_v2(two, 16, 7, 1, 2), kSuccess);
    EXPECT_EQ(driver.cuMemsetD2D16_v2(two + 8, 16, 0x0909, 1, 1), kSuccess);
    EXPECT_EQ(host(two)[0], 0);
    EXPECT_EQ(control->works(), 0U);
    EXPECT_EQ(driver.cuMemcpyDtoH_v2(bytes.data(), two, 17), kSuccess);
    EXPECT_EQ(bytes, (std::array<unsigned char, kBytes>{7, 1, 1, 1, 1, 1, 1, 1, 9, 9, 2, 2, 2, 2, 2, 2, 7}));
    EXPECT_EQ(control->waits(), 0U) << "they were asked to";

    CUDA_MEMCPY2D on_host = rows(0, bytes.data());
    on_host.dstMemoryType = CU_MEMORYTYPE_HOST;
    on_host.dstHost = pinned;
    EXPECT_EQ(driver.cuMemcpy2D_v2(&on_host), kSuccess);
    EXPECT_EQ(pinned[0], 7);
}

TEST_F(DriverCopies, AFreeWaitsForAllWorkOfTheContextHeldOrNot)
{
    CUstream on = stream();
    for (const VmafDoubleTime mode : {VMAF_DOUBLE_AFTER_QUERIES, VMAF_DOUBLE_ON_SYNCHRONISE, VMAF_DOUBLE_HELD}) {
        const CUdeviceptr used = device_memory(), freed = device_memory();
        unsigned char *pinned = pinned_memory();
        kernel("loads the module");
        control->reset();
        EXPECT_EQ(control->set_time(mode, 5), 0);
        EXPECT_EQ(driver.cuMemFree_v2(freed), kSuccess);
        forget(freed);
        EXPECT_EQ(control->waits(), 0U) << "nothing was queued";

        EXPECT_EQ(fill(used, 1, on), kSuccess);
        EXPECT_EQ(driver.cuMemFreeHost(pinned), kSuccess);
        forget(pinned);
        EXPECT_EQ(last_wait(), "cuMemFreeHost: waited for 1 pieces of queued work");
        EXPECT_EQ(host(used)[0], 1);

        EXPECT_EQ(fill(used, 2, on), kSuccess);
        EXPECT_EQ(fill(used, 3, on), kSuccess);
        EXPECT_EQ(driver.cuModuleUnload(module()), kSuccess);
        forget_module();
        EXPECT_EQ(last_wait(), "cuModuleUnload: waited for 2 pieces of queued work");
        EXPECT_EQ(fill(used, 4, on), kSuccess);
        kernel("loads the module");
        EXPECT_EQ(last_wait(), "cuModuleLoadData: waited for 1 pieces of queued work");
        EXPECT_EQ(host(used)[0], 4);
        EXPECT_EQ(control->waits(), 3U);
    }
}

TEST_F(DriverCopies, AllocatingAndDestroyingStreamsAndEventsWaitsForNothing)
{
    CUstream on = stream(), destroyed = stream();
    CUevent done = event(), gone = event();
    const CUdeviceptr one = device_memory(), two = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(one, 1, destroyed), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, destroyed), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(gone, destroyed), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(on, gone, 0), kSuccess);
    EXPECT_EQ(fill(two, 2, on), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(destroyed), kSuccess);
    EXPECT_EQ(driver.cuEventDestroy_v2(gone), kSuccess);
    forget(destroyed);
    forget(gone);
    stream();
    event();
    device_memory();
    pinned_memory();
    EXPECT_EQ(control->waits(), 0U);
    EXPECT_EQ(control->works(), 0U);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady) << "its work goes on";
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(host(one)[0], 1);
    EXPECT_EQ(host(two)[0], 2);
}

TEST_F(DriverCopies, AContextThatGoesWaitsForItsWork)
{
    CUcontext own = nullptr, popped = nullptr;
    CUstream on = nullptr;
    const CUdeviceptr other = device_memory(), another = device_memory();
    CUstream elsewhere = stream();
    ASSERT_EQ(driver.cuCtxCreate_v2(&own, 0, 0), kSuccess);
    ASSERT_EQ(driver.cuStreamCreate(&on, kNonBlocking), kSuccess);
    const CUdeviceptr memory = allocate(kBytes);
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(memory, 1, on), kSuccess);
    EXPECT_EQ(fill(other, 1, elsewhere), kSuccess);
    EXPECT_EQ(driver.cuStreamDestroy_v2(on), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    expect_violation("is still used by queued cuMemsetD8Async");
    EXPECT_EQ(driver.cuMemsetD2D8_v2(another, 8, 1, 1, 1), kSuccess) << "on its default stream";
    EXPECT_EQ(driver.cuCtxDestroy_v2(own), kSuccess);
    EXPECT_EQ(last_wait(), "cuCtxDestroy_v2: waited for 1 pieces of queued work");
    EXPECT_EQ(control->pending(), 1U) << "of the other context";
    EXPECT_EQ(driver.cuCtxGetCurrent(&popped), kSuccess);
    EXPECT_EQ(popped, context);
}

TEST_F(DriverCopies, ReleasingWhatQueuedWorkUsesIsAViolation)
{
    CUstream on = stream();
    const CUdeviceptr from = device_memory(), to = device_memory();
    unsigned char *pinned = pinned_memory();
    CUfunction function = kernel("scale");
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    const std::string number = std::to_string(control->stream_number(on));

    EXPECT_EQ(driver.cuMemcpyDtoDAsync_v2(to, from + 1, 1, on), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(from), kSuccess);
    forget(from);
    expect_violation("cuMemFree_v2: device memory");
    expect_text("is still used by queued cuMemcpyDtoDAsync_v2 on stream " + number);
    EXPECT_EQ(driver.cuMemcpyHtoDAsync_v2(to, pinned + 5, 1, on), kSuccess);
    EXPECT_EQ(driver.cuMemFreeHost(pinned), kSuccess);
    forget(pinned);
    expect_violation("cuMemFreeHost: pinned memory");
    EXPECT_EQ(launch(function, on, 1), kSuccess);
    EXPECT_EQ(driver.cuModuleUnload(module()), kSuccess);
    forget_module();
    expect_violation("cuModuleUnload: module");
    expect_text("is still used by queued scale on stream " + number);
    EXPECT_EQ(control->pending(), 0U) << "the work ran before the memory went";

    EXPECT_EQ(fill(to, 1, on), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(driver.cuMemsetD2D8_v2(to, 8, 1, 1, 1), kSuccess) << "whoever calls it need not know that it is queued";
    EXPECT_EQ(driver.cuMemFree_v2(to), kSuccess);
    forget(to);
}

TEST_F(DriverCopies, WhoTriedToSynchroniseMayRelease)
{
    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr first = device_memory(), second = device_memory(), third = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(first, 1, on), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(fill(second, 1, on), kSuccess);
    control->fail(1, kUnknown, VMAF_DOUBLE_ONCE, "cuEventSynchronize");
    EXPECT_EQ(driver.cuEventSynchronize(done), kUnknown) << "a failure does not block";
    EXPECT_EQ(driver.cuMemFree_v2(first), kSuccess);
    forget(first);
    EXPECT_EQ(last_wait(), "cuMemFree_v2: waited for 1 pieces of queued work") << "that of the second buffer";

    EXPECT_EQ(fill(third, 1, on), kSuccess);
    control->fail(1, kUnknown, VMAF_DOUBLE_FROM_HERE_ON, nullptr);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kUnknown);
    EXPECT_EQ(driver.cuMemFree_v2(third), kUnknown);
    forget(third);
    control->heal();

    EXPECT_EQ(fill(second, 2, on), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(second), kSuccess);
    forget(second);
    expect_violation("is still used by queued cuMemsetD8Async");
}

} // namespace
} // namespace vmaf::test
