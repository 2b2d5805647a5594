#include "cuda/driver_double/timed_fixture.h"

#include <atomic>
#include <thread>

// When the driver double runs queued work.

namespace vmaf::test {
namespace {

using Names = std::vector<std::string>;

TEST_F(DriverTime, AtOnceWorkRunsInTheCall)
{
    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(fill(memory, 1, on), kSuccess);
    EXPECT_EQ(host(memory)[0], 1);
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(on), kSuccess);
    EXPECT_EQ(control->pending(), 0U);
    EXPECT_EQ(ran(), (Names{"cuMemsetD8Async", "cuEventRecord"}));
}

TEST_F(DriverTime, AnEventIsCompleteAfterSoManyQueries)
{
    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_AFTER_QUERIES, 3), 0);
    for (unsigned char round = 1; round < 4; ++round) {
        EXPECT_EQ(fill(memory, round, on), kSuccess);
        EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
        for (int query = 0; query < 3; ++query)
            EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
        EXPECT_EQ(host(memory)[0], round - 1);
        EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
        EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
        EXPECT_EQ(host(memory)[0], round);
    }
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_EQ(driver.cuEventSynchronize(done), kSuccess) << "does not count queries";
    EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
}

TEST_F(DriverTime, AStreamIsCompleteAfterSoManyQueries)
{
    CUstream on = stream();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_AFTER_QUERIES, 1), 0);
    EXPECT_EQ(driver.cuStreamQuery(on), kSuccess) << "nothing is queued";
    EXPECT_EQ(fill(memory, 1, on), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(on), kNotReady);
    EXPECT_EQ(driver.cuStreamQuery(on), kSuccess);
    EXPECT_EQ(host(memory)[0], 1);
}

TEST_F(DriverTime, OnSynchroniseQueriesCompleteNothing)
{
    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    unsigned char *result = pinned_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(memory, 7, on), kSuccess);
    EXPECT_EQ(download(result, memory, on), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(fill(memory, 8, on), kSuccess);
    for (int query = 0; query < 10; ++query)
        EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_EQ(driver.cuStreamQuery(on), kNotReady);
    EXPECT_EQ(result[0], 0) << "read too early";
    EXPECT_EQ(driver.cuEventSynchronize(done), kSuccess);
    EXPECT_EQ(result[kBytes - 1], 7);
    EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(on), kNotReady) << "what came after the record is still queued";
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(host(memory)[0], 8);
    EXPECT_EQ(fill(memory, 9, on), kSuccess);
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
    EXPECT_EQ(host(memory)[0], 9);
}

TEST_F(DriverTime, OnlyWhatACompletionNeedsRuns)
{
    CUstream first = stream(), second = stream(), third = stream();
    CUevent of_second = event();
    const CUdeviceptr one = device_memory(), two = device_memory(), three = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(one, 1, first), kSuccess);
    EXPECT_EQ(fill(two, 2, second), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(of_second, second), kSuccess);
    EXPECT_EQ(fill(two, 22, second), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(third, of_second, 0), kSuccess);
    EXPECT_EQ(fill(three, 3, third), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(third), kSuccess);
    EXPECT_EQ(host(three)[0], 3);
    EXPECT_EQ(host(two)[0], 2) << "what the event stands for, no more";
    EXPECT_EQ(host(one)[0], 0) << "nobody waits for the first stream";
    EXPECT_EQ(control->pending(), 2U);
}

TEST_F(DriverTime, AnEventThatWasNeverRecordedIsComplete)
{
    CUstream on = stream(), other = stream();
    CUevent never = event();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(driver.cuEventQuery(never), kSuccess);
    EXPECT_EQ(driver.cuEventSynchronize(never), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(on, never, 0), kSuccess);
    EXPECT_EQ(fill(memory, 1, other), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(never, other), kSuccess) << "after the wait, which does not see it";
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(host(memory)[0], 0);
}

TEST_F(DriverTime, HeldWorkBlocksASynchroniseUntilItIsReleased)
{
    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    unsigned char *result = pinned_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(memory, 5, on), kSuccess);
    EXPECT_EQ(download(result, memory, on), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_EQ(fill(memory, 6, on), kSuccess);
    std::atomic<bool> event_came{false};
    std::thread client([&] {
        EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        EXPECT_EQ(driver.cuEventSynchronize(done), kSuccess);
        event_came = true;
        EXPECT_EQ(result[0], 5);
        EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
        EXPECT_EQ(host(memory)[0], 6);
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    });
    EXPECT_EQ(control->await_blocked(1), 1U);
    EXPECT_EQ(control->release_steps(2), 2U);
    EXPECT_EQ(control->await_blocked(1), 1U) << "the record is still held";
    EXPECT_EQ(control->pending(), 2U);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_FALSE(event_came);
    EXPECT_EQ(control->release_steps(1), 1U);
    EXPECT_EQ(control->await_blocked(1), 1U) << "in the next call: who may go on is not blocked";
    EXPECT_TRUE(event_came);
    EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
    EXPECT_EQ(control->release_work(), 1U);
    client.join();
    EXPECT_EQ(fill(memory, 7, on), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(on), kNotReady) << "what comes later is held again";
}

TEST_F(DriverTime, AnotherModeEndsTheWaitForHeldWork)
{
    const CUdeviceptr memory = device_memory();
    for (const VmafDoubleTime next : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_AFTER_QUERIES, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        CUstream on = stream();
        EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
        EXPECT_EQ(fill(memory, 5, on), kSuccess);
        std::thread client([&] {
            EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
            EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
            EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
        });
        EXPECT_EQ(control->await_blocked(1), 1U);
        EXPECT_EQ(control->set_time(next, 100), 0);
        client.join();
        EXPECT_EQ(control->pending(), 0U);
    }
}

TEST_F(DriverTime, HeldWorkThatNobodyReleasesIsAViolationAndNoHang)
{
    CUstream on = stream();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(control->set_patience(10), 0);
    EXPECT_EQ(control->await_blocked(1), 0U);
    EXPECT_EQ(fill(memory, 5, on), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    expect_violation("cuStreamSynchronize: held work was not released within 10 ms");
    EXPECT_EQ(host(memory)[0], 5);
}

TEST_F(DriverTime, ReleasesOneStreamWithWhatItComesAfter)
{
    CUstream first = stream(), second = stream(), third = stream();
    CUevent of_first = event();
    const CUdeviceptr one = device_memory(), two = device_memory(), three = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(three, 3, third), kSuccess);
    EXPECT_EQ(fill(one, 1, first), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(of_first, first), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(second, of_first, 0), kSuccess);
    EXPECT_EQ(fill(two, 2, second), kSuccess);
    EXPECT_EQ(control->release_stream(control->stream_number(second)), 2U);
    EXPECT_EQ(host(one)[0], 1);
    EXPECT_EQ(host(two)[0], 2);
    EXPECT_EQ(host(three)[0], 0);
    EXPECT_EQ(driver.cuStreamSynchronize(second), kSuccess) << "nothing is left to wait for";
}

TEST_F(DriverTime, ResetRunsWhatIsQueuedAndGoesBackToAtOnce)
{
    CUstream on = stream();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(memory, 5, on), kSuccess);
    control->reset();
    EXPECT_EQ(host(memory)[0], 5);
    EXPECT_EQ(control->works(), 0U);
    EXPECT_EQ(fill(memory, 6, on), kSuccess);
    EXPECT_EQ(host(memory)[0], 6);
}

TEST_F(DriverTime, QueuedWorkOfABrokenContextNeverRuns)
{
    constexpr CUresult kIllegalAddress = static_cast<CUresult>(700);
    CUstream on = stream();
    const CUdeviceptr memory = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), 0);
    EXPECT_EQ(fill(memory, 5, on), kSuccess);
    std::thread client([&] {
        EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        EXPECT_EQ(driver.cuStreamSynchronize(on), kIllegalAddress) << "it was blocked when the context broke";
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    });
    EXPECT_EQ(control->await_blocked(1), 1U);
    const VmafDoubleFault fault{"cuStreamQuery", 1, 1, kIllegalAddress, 1};
    control->add_fault(&fault);
    EXPECT_EQ(driver.cuStreamQuery(on), kIllegalAddress);
    client.join();
    EXPECT_EQ(host(memory)[0], 0);
    EXPECT_EQ(control->pending(), 0U);
    control->heal();
}

struct Slow {
    std::atomic<bool> started{false}, awaited{false};
    bool done = false;
};

void run_slowly(const VmafDoubleLaunch *, void *user)
{
    Slow &slow = *static_cast<Slow *>(user);
    slow.started = true;
    while (!slow.awaited)
        std::this_thread::yield();
    for (int i = 0; i < 1000; ++i)
        std::this_thread::yield();
    slow.done = true;
}

TEST_F(DriverTime, WorkThatAnotherThreadRunsIsNotCompleteBeforeItRan)
{
    CUstream on = stream();
    Slow slow;
    CUfunction function = kernel("slow");
    EXPECT_EQ(control->on_kernel("slow", nullptr, 0, run_slowly, &slow), 0);
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(launch(function, on, 1), kSuccess);
    std::thread other([&] {
        EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    });
    while (!slow.started)
        std::this_thread::yield();
    EXPECT_EQ(driver.cuStreamQuery(on), kNotReady);
    slow.awaited = true;
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_TRUE(slow.done);
    other.join();
    EXPECT_EQ(control->works(), 1U);
}

TEST_F(DriverTime, ThreadsQueueAndCompleteWorkOfOneAnother)
{
    constexpr unsigned kThreads = 4, kRounds = 100;
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_AFTER_QUERIES, 2), 0);
    std::vector<CUstream> streams(kThreads);
    std::vector<CUevent> done(kThreads);
    std::vector<unsigned char *> results(kThreads);
    const CUdeviceptr shared = device_memory();
    for (unsigned i = 0; i < kThreads; ++i) {
        streams[i] = stream();
        done[i] = event();
        results[i] = pinned_memory();
        EXPECT_EQ(driver.cuEventRecord(done[i], streams[i]), kSuccess);
    }
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
            const CUdeviceptr own = allocate(kBytes);
            for (unsigned round = 0; round < kRounds; ++round) {
                const auto value = static_cast<unsigned char>(round);
                EXPECT_EQ(driver.cuStreamWaitEvent(streams[i], done[(i + 1) % kThreads], 0), kSuccess);
                EXPECT_EQ(fill(own, value, streams[i]), kSuccess);
                EXPECT_EQ(download(results[i], own, streams[i]), kSuccess);
                EXPECT_EQ(driver.cuEventRecord(done[i], streams[i]), kSuccess);
                if (round % 3 == 0) {
                    EXPECT_EQ(driver.cuEventSynchronize(done[i]), kSuccess);
                } else {
                    while (driver.cuEventQuery(done[i]) == kNotReady) {
                    }
                }
                EXPECT_EQ(results[i][kBytes - 1], value);
                EXPECT_EQ(driver.cuMemsetD2D8_v2(shared, 0, value, kBytes / kThreads, 1), kSuccess);
            }
            EXPECT_EQ(driver.cuMemFree_v2(own), kSuccess);
            EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
    EXPECT_EQ(control->works(), kThreads + kThreads * kRounds * 5UL);
}

} // namespace
} // namespace vmaf::test
