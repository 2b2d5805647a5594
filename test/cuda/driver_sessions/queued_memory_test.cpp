#include "cuda/driver_sessions/fixture.h"

#include "feature/cuda_backends.h"
#include "support/registry.h"

// Nobody frees or writes memory that queued work uses, until the work is done. The double knows the
// memory of each copy, and what the arguments of each kernel point to. A violation fails the test
// in TearDown().

namespace vmaf::test {
namespace {

class QueuedMemory : public DriverSessions {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        know_kernels(*driver_);
    }

    const Clip &clip_ = Clip::get("tiles_352x288_10"); // large enough for every feature
};

// The driver waits when a module is loaded, but does not promise to.
TEST_F(QueuedMemory, OfScratchThatGrowsIsFreedAfterTheKernelsThatUseIt)
{
    const Context context = open_on_device(clip_, Feeding::plain_host);
    ASSERT_EQ(driver_->set_loads_wait(false), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    unsigned frame = 0;
    for (const CudaBackend *backend : cuda_backends()) {
        ASSERT_EQ(use_feature(context.get(), backend->spec->name), 0);
        // A feature that looks back refuses its first frame, which is read again.
        for (const unsigned end = frame + 4; frame < end; ++frame)
            client_->feed(context.get(), clip_, frame % clip_.spec().frames, frame, Feeding::plain_host);
    }
    EXPECT_EQ(flush(context.get()), 0);
}

/// A call of a batch that fails: its name, and which call of that name.
struct FailingCall {
    const char *name;
    unsigned long number;
};

class QueuedMemoryOfFailedBatches : public QueuedMemory, public testing::WithParamInterface<FailingCall> {};

// The client writes its next frames into pictures that the failed batch has returned.
TEST_P(QueuedMemoryOfFailedBatches, IsWrittenAgainAfterTheWorkThatUsesIt)
{
    const Context context = open_on_device(clip_, Feeding::device);
    for (const char *feature : {"psnr", "motion", "vif"})
        ASSERT_EQ(use_feature(context.get(), feature), 0);
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::device, 0, 3), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::device, 3, 5), 0);
    const VmafDoubleFault fault{GetParam().name, GetParam().number, 1, CUDA_ERROR_UNKNOWN, 0};
    const unsigned long rule = driver_->add_fault(&fault);
    int error = 0;
    for (unsigned frame = 5; frame < 60; ++frame)
        if (const int result = client_->feed(context.get(), clip_, frame % clip_.spec().frames, frame, Feeding::device))
            error = result;
    EXPECT_EQ(driver_->failed(rule), 1U);
    EXPECT_NE(error, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, QueuedMemoryOfFailedBatches,
                         testing::Values(FailingCall{"cuEventQuery", 1}, FailingCall{"cuEventQuery", 2},
                                         FailingCall{"cuEventQuery", 3}, FailingCall{"cuMemsetD8Async", 1},
                                         FailingCall{"cuLaunchKernel", 2}, FailingCall{"cuMemcpyDtoHAsync_v2", 1},
                                         FailingCall{"cuEventRecord", 8}, FailingCall{"cuStreamWaitEvent", 8}),
                         [](const testing::TestParamInfo<FailingCall> &tested) {
                             return std::string(tested.param.name) + std::to_string(tested.param.number);
                         });

} // namespace
} // namespace vmaf::test
