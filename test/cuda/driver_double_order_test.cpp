#include "cuda/driver_double/timed_fixture.h"

#include <algorithm>
#include <thread>

// What the driver double tells of the order of work, and kernels that the test runs.

namespace vmaf::test {
namespace {

using Names = std::vector<std::string>;

class DriverOrder : public DriverTime {
  protected:
    /// Whether the first piece of work of that name had to run before the last of the other.
    bool ordered(const std::string &first, const std::string &second) const
    {
        const Names names = ran();
        const auto before = std::find(names.begin(), names.end(), first);
        const auto after = std::find(names.rbegin(), names.rend(), second);
        if (before == names.end() || after == names.rend())
            return false;
        return control->ordered(static_cast<unsigned long>(before - names.begin()),
                                static_cast<unsigned long>(names.rend() - after) - 1);
    }
};

TEST_F(DriverOrder, TellsWhatRanWithItsStreamEventAndBytes)
{
    CUstream first = stream(), second = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    unsigned char *pinned = pinned_memory();
    CUfunction function = kernel("scale0");
    EXPECT_EQ(fill(memory, 0, first), kSuccess);
    EXPECT_EQ(launch(function, first, 1), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, first), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(second, done, 0), kSuccess);
    EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(pinned, memory, 10, second), kSuccess);
    EXPECT_EQ(driver.cuMemsetD2D16_v2(memory, 8, 0, 3, 2), kSuccess);

    const unsigned long one = control->stream_number(first), two = control->stream_number(second);
    const unsigned long number = control->event_number(done);
    EXPECT_GT(one, 0U);
    EXPECT_GT(two, one);
    EXPECT_GT(number, 0U);
    EXPECT_EQ(control->stream_number(nullptr), 0U);
    const VmafDoubleWork expected[] = {
        {VMAF_DOUBLE_FILL, "cuMemsetD8Async", one, 0, kBytes, 0},
        {VMAF_DOUBLE_KERNEL, "scale0", one, 0, 0, 0},
        {VMAF_DOUBLE_RECORD, "cuEventRecord", one, number, 0, 0},
        {VMAF_DOUBLE_WAIT, "cuStreamWaitEvent", two, number, 0, 0},
        {VMAF_DOUBLE_COPY, "cuMemcpyDtoHAsync_v2", two, 0, 10, 0},
        {VMAF_DOUBLE_FILL, "cuMemsetD2D16_v2", 0, 0, 12, 0},
    };
    ASSERT_EQ(control->works(), std::size(expected));
    for (unsigned long index = 0; index < std::size(expected); ++index) {
        VmafDoubleWork work{};
        ASSERT_TRUE(control->work(index, &work));
        EXPECT_EQ(work.kind, expected[index].kind) << index;
        EXPECT_STREQ(work.name, expected[index].name) << index;
        EXPECT_EQ(work.stream, expected[index].stream) << index;
        EXPECT_EQ(work.event, expected[index].event) << index;
        EXPECT_EQ(work.bytes, expected[index].bytes) << index;
        EXPECT_EQ(work.device, 0) << index;
    }
    VmafDoubleWork none{};
    EXPECT_FALSE(control->work(control->works(), &none));
}

TEST_F(DriverOrder, WorkIsOrderedByStreamsAndEvents)
{
    CUstream first = stream(), second = stream(), third = stream();
    CUevent of_first = event(), of_second = event();
    CUfunction a = kernel("a"), b = kernel("b"), c = kernel("c"), late = kernel("late");
    EXPECT_EQ(launch(a, first, 1), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(of_first, first), kSuccess);
    EXPECT_EQ(launch(late, first, 1), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(second, of_first, 0), kSuccess);
    EXPECT_EQ(launch(b, second, 1), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(of_second, second), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(third, of_second, 0), kSuccess);
    EXPECT_EQ(launch(c, third, 1), kSuccess);
    EXPECT_TRUE(ordered("a", "late"));
    EXPECT_TRUE(ordered("a", "b"));
    EXPECT_TRUE(ordered("b", "c"));
    EXPECT_TRUE(ordered("a", "c"));
    EXPECT_FALSE(ordered("late", "b")) << "it came after the record, and ran first by chance";
    EXPECT_FALSE(ordered("late", "c"));
    EXPECT_FALSE(ordered("c", "a"));
    EXPECT_FALSE(control->ordered(0, 0));
    EXPECT_FALSE(control->ordered(0, 1000));
}

TEST_F(DriverOrder, WorkIsOrderedByWhatTheClientWaitedFor)
{
    CUstream first = stream(), second = stream();
    CUevent done = event();
    CUfunction a = kernel("a"), b = kernel("b"), c = kernel("c"), d = kernel("d"), e = kernel("e");
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_AFTER_QUERIES, 1), 0);
    EXPECT_EQ(launch(a, first, 1), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, first), kSuccess);
    EXPECT_EQ(launch(b, first, 1), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_EQ(launch(c, second, 1), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kSuccess);
    EXPECT_EQ(launch(d, second, 1), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(first), kSuccess);
    EXPECT_EQ(launch(e, second, 1), kSuccess);
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
    EXPECT_FALSE(ordered("a", "c")) << "the client did not know yet";
    EXPECT_TRUE(ordered("a", "d"));
    EXPECT_FALSE(ordered("b", "d"));
    EXPECT_TRUE(ordered("b", "e"));
}

TEST_F(DriverOrder, WaitingForTheContextOrdersAllThatCameBefore)
{
    CUstream first = stream(), second = stream();
    const CUdeviceptr memory = device_memory(), freed = device_memory();
    CUfunction a = kernel("a"), b = kernel("b"), c = kernel("c");
    EXPECT_EQ(launch(a, first, 1), kSuccess);
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
    EXPECT_EQ(fill(memory, 1, first), kSuccess);
    EXPECT_EQ(launch(b, second, 1), kSuccess);
    EXPECT_EQ(driver.cuMemFree_v2(freed), kSuccess) << "waits, too";
    forget(freed);
    EXPECT_EQ(launch(c, second, 1), kSuccess);
    EXPECT_TRUE(ordered("a", "b")) << "at once or not";
    EXPECT_FALSE(ordered("cuMemsetD8Async", "b"));
    EXPECT_TRUE(ordered("cuMemsetD8Async", "c"));
}

// The library's order for what a client queued on the default stream: an event that its stream
// waits for (spec cuda 5).
TEST_F(DriverOrder, ShowsWhetherAStreamWaitsForTheClientsCopy)
{
    for (const bool waits : {true, false}) {
        control->reset();
        CUstream library = stream();
        CUevent client_work = event();
        const CUdeviceptr source = device_memory(), picture = device_memory();
        unsigned char *result = pinned_memory();
        EXPECT_EQ(fill(source, 8, library), kSuccess);
        EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
        EXPECT_EQ(driver.cuMemcpyDtoD_v2(picture, source, kBytes), kSuccess);
        if (waits) {
            EXPECT_EQ(driver.cuEventRecord(client_work, nullptr), kSuccess);
            EXPECT_EQ(driver.cuStreamWaitEvent(library, client_work, 0), kSuccess);
        }
        EXPECT_EQ(download(result, picture, library), kSuccess);
        if (!waits)
            expect_violation("is used by queued cuMemcpyDtoD_v2 on stream 0, and nothing orders the two");
        EXPECT_EQ(driver.cuStreamSynchronize(library), kSuccess);
        EXPECT_EQ(ordered("cuMemcpyDtoD_v2", "cuMemcpyDtoHAsync_v2"), waits);
        EXPECT_EQ(result[0], waits ? 8 : 0);
        EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
        EXPECT_FALSE(ordered("cuMemcpyDtoHAsync_v2", "cuMemcpyDtoD_v2"));
    }
}

struct Launched {
    unsigned count;
    CUdeviceptr from[2];
};

TEST_F(DriverOrder, WritingWhatAQueuedKernelUsesIsAViolation)
{
    CUstream kernels = stream(), copies = stream();
    CUevent done = event();
    const CUdeviceptr first = device_memory(), second = device_memory(), aside = device_memory();
    CUfunction function = kernel("sum");
    const std::size_t bytes = sizeof(Launched);
    EXPECT_EQ(control->on_kernel(
                  "sum", &bytes, 1, [](const VmafDoubleLaunch *, void *) {}, nullptr),
              0);
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    const std::string used = "is used by queued sum on stream " + std::to_string(control->stream_number(kernels)) +
                             ", and nothing orders the two";

    EXPECT_EQ(launch(function, kernels, Launched{2, {first, second + 8}}), kSuccess);
    EXPECT_EQ(fill(aside, 1, copies), kSuccess);
    EXPECT_EQ(driver.cuMemsetD8Async(second, 1, 8, copies), kSuccess) << "before the argument";
    EXPECT_EQ(fill(second, 1, copies), kSuccess);
    expect_violation("cuMemsetD8Async: device memory");
    expect_text(used);
    EXPECT_EQ(driver.cuEventRecord(done, kernels), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(copies, done, 0), kSuccess);
    EXPECT_EQ(fill(first, 1, copies), kSuccess) << "ordered by the event";
    EXPECT_EQ(driver.cuStreamSynchronize(copies), kSuccess);

    EXPECT_EQ(launch(function, kernels, Launched{1, {aside, second + 8}}), kSuccess);
    EXPECT_EQ(fill(second, 1, copies), kSuccess) << "may be left over from the launch before";
    EXPECT_EQ(driver.cuMemFree_v2(aside), kSuccess);
    forget(aside);
    expect_violation("cuMemFree_v2: device memory");
    expect_text("is still used by queued sum");
    EXPECT_EQ(driver.cuStreamSynchronize(kernels), kSuccess);
    EXPECT_EQ(fill(first, 1, copies), kSuccess) << "the kernel is done";
    EXPECT_EQ(launch(function, kernels, Launched{1, {first, 0}}), kSuccess);
    expect_violation("sum: device memory");
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess);
}

TEST_F(DriverOrder, ModulesAreLoadedBesideQueuedWorkIfTheTestSaysSo)
{
    const CUdeviceptr memory = device_memory();
    CUmodule loaded = nullptr;
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(control->set_loads_wait(false), 0);
    EXPECT_EQ(fill(memory, 1, stream()), kSuccess);
    EXPECT_EQ(driver.cuModuleLoadData(&loaded, "image"), kSuccess);
    EXPECT_EQ(control->pending(), 1U);
    EXPECT_EQ(control->set_loads_wait(true), 0);
    EXPECT_EQ(driver.cuModuleUnload(loaded), kSuccess);
    EXPECT_EQ(control->pending(), 0U);
}

// The behaviour was measured on an H200, driver 580.
TEST_F(DriverOrder, BlockingStreamsAndTheDefaultStreamWaitForEachOther)
{
    CUstream blocking = stream(kBlocking), aside = stream();
    CUevent of_default = event();
    const CUdeviceptr one = device_memory(), two = device_memory(), three = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(one, 1, blocking), kSuccess);
    EXPECT_EQ(fill(two, 1, aside), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(of_default, nullptr), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(of_default), kNotReady);
    EXPECT_EQ(driver.cuEventSynchronize(of_default), kSuccess);
    EXPECT_EQ(host(one)[0], 1) << "the default stream comes after blocking streams";
    EXPECT_EQ(host(two)[0], 0) << "and not after non-blocking ones";

    EXPECT_EQ(driver.cuMemsetD2D8_v2(three, kBytes, 2, kBytes, 1), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(blocking), kSuccess) << "it has no work of its own";
    EXPECT_EQ(driver.cuStreamSynchronize(aside), kSuccess);
    EXPECT_EQ(host(three)[0], 0);
    EXPECT_EQ(fill(one, 2, blocking), kSuccess);
    EXPECT_EQ(driver.cuStreamSynchronize(blocking), kSuccess);
    EXPECT_EQ(host(three)[0], 2) << "blocking streams come after the default stream";

    EXPECT_EQ(fill(one, 3, blocking), kSuccess);
    EXPECT_EQ(fill(two, 3, aside), kSuccess);
    EXPECT_EQ(driver.cuStreamQuery(nullptr), kNotReady);
    EXPECT_EQ(driver.cuStreamSynchronize(nullptr), kSuccess);
    EXPECT_EQ(host(one)[0], 3);
    EXPECT_EQ(host(two)[0], 1);
    EXPECT_EQ(driver.cuStreamQuery(nullptr), kSuccess);
}

TEST_F(DriverOrder, EachThreadsDefaultStreamIsABlockingStreamOfItsOwn)
{
    auto *const legacy = reinterpret_cast<CUstream>(std::uintptr_t{1});
    auto *const per_thread = reinterpret_cast<CUstream>(std::uintptr_t{2});
    const CUdeviceptr one = device_memory(), two = device_memory();
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(one, 1, per_thread), kSuccess);
    std::thread([&] {
        EXPECT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        EXPECT_EQ(driver.cuStreamQuery(per_thread), kSuccess) << "this thread's";
        EXPECT_EQ(fill(two, 1, per_thread), kSuccess);
        EXPECT_NE(control->stream_number(per_thread), 0U);
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(nullptr), kSuccess);
    }).join();
    EXPECT_EQ(driver.cuStreamSynchronize(per_thread), kSuccess);
    EXPECT_EQ(host(one)[0], 1);
    EXPECT_EQ(host(two)[0], 0);
    EXPECT_EQ(driver.cuStreamSynchronize(legacy), kSuccess);
    EXPECT_EQ(host(two)[0], 1);
}

struct Sums {
    unsigned char *out;
    unsigned char value;
};

struct Seen {
    std::string name;
    unsigned blocks = 0, threads = 0, launches = 0;
};

void write_sums(const VmafDoubleLaunch *launch, void *user)
{
    const auto *sums = static_cast<const Sums *>(launch->params[0]);
    sums->out[0] = sums->value;
    auto *seen = static_cast<Seen *>(user);
    *seen = {launch->name, launch->grid[0] * launch->grid[1] * launch->grid[2],
             launch->block[0] * launch->block[1] * launch->block[2], seen->launches + 1};
}

TEST_F(DriverOrder, AKernelRunsTheTestsFunctionWhenItsStreamReachesIt)
{
    CUstream on = stream();
    CUfunction function = kernel("sum"), other = kernel("other");
    const CUdeviceptr memory = device_memory();
    unsigned char *result = pinned_memory();
    Seen seen;
    const std::size_t bytes[] = {sizeof(Sums)};
    EXPECT_EQ(control->on_kernel("sum", bytes, 1, write_sums, &seen), 0);
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(memory, 1, on), kSuccess);
    {
        Sums sums{host(memory), 42};
        EXPECT_EQ(launch(function, on, sums), kSuccess);
        sums = {nullptr, 0}; // the launch has copied it
    }
    EXPECT_EQ(launch(other, on, 1), kSuccess);
    EXPECT_EQ(download(result, memory, on), kSuccess);
    EXPECT_EQ(seen.launches, 0U);
    EXPECT_EQ(driver.cuStreamSynchronize(on), kSuccess);
    EXPECT_EQ(seen.name, "sum");
    EXPECT_EQ(seen.launches, 1U);
    EXPECT_EQ(seen.blocks, 6U);
    EXPECT_EQ(seen.threads, 128U);
    EXPECT_EQ(result[0], 42);
    EXPECT_EQ(ran(), (Names{"cuMemsetD8Async", "sum", "other", "cuMemcpyDtoHAsync_v2"}));

    EXPECT_EQ(control->on_kernel("sum", nullptr, 0, nullptr, nullptr), 0);
    EXPECT_EQ(launch(function, on, Sums{host(memory), 1}), kSuccess);
    EXPECT_EQ(control->on_kernel("sum", bytes, 1, write_sums, &seen), 0);
    control->reset();
    EXPECT_EQ(launch(function, on, Sums{host(memory), 1}), kSuccess);
    EXPECT_EQ(seen.launches, 1U) << "taken away, and forgotten by the reset";
}

} // namespace
} // namespace vmaf::test
