#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuda/emulation/device.h"

// Properties that kernels need when they run on the host.

namespace vmaf::emulation {
namespace {

constexpr unsigned kThreads = 96;

TEST(KernelEmulation, RunsEveryThreadOfEveryBlock)
{
    std::vector<unsigned> runs(3 * 2 * 4 * 5);
    run_grid({3, 2, 1}, {4, 5, 1}, 0, [&] {
        const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, thread = threadIdx.y * blockDim.x + threadIdx.x;
        ++runs[block * blockDim.x * blockDim.y + thread];
    });
    EXPECT_EQ(runs, std::vector<unsigned>(runs.size(), 1));
}

TEST(KernelEmulation, ABarrierComesAfterAllThatWasWrittenBefore)
{
    unsigned wrong = 0;
    run_grid({4}, {kThreads}, kThreads * sizeof(unsigned), [&] {
        auto *shared = reinterpret_cast<unsigned *>(dynamic_shared_memory());
        for (unsigned round = 0; round < 10; ++round) {
            shared[threadIdx.x] = threadIdx.x + round;
            __syncthreads();
            const unsigned other = (threadIdx.x + 1 + 7 * round) % kThreads;
            wrong += shared[other] != other + round;
            __syncthreads();
        }
    });
    EXPECT_EQ(wrong, 0U);
}

TEST(KernelEmulation, ThreadsThatReturnHoldNobodyUp)
{
    unsigned sum = 0, votes = 0;
    run_grid({1}, {kThreads}, 0, [&] {
        if (threadIdx.x % 32 >= 20)
            return;
        const unsigned ballot = __ballot_sync(0xffffffffU, threadIdx.x % 2);
        __syncthreads();
        if (threadIdx.x == 0)
            votes = ballot;
        sum += static_cast<unsigned>(__syncthreads_count(1)) == 60;
    });
    EXPECT_EQ(votes, 0xaaaaaU);
    EXPECT_EQ(sum, 60U);
}

TEST(KernelEmulation, LanesExchangeValues)
{
    std::vector<int> up(32), down(32), across(32), from_five(32), sums(32);
    run_grid({1}, {32}, 0, [&] {
        const int lane = static_cast<int>(threadIdx.x);
        up[lane] = __shfl_up_sync(0xffffffffU, lane, 3);
        down[lane] = __shfl_down_sync(0xffffffffU, lane, 4, 8);
        across[lane] = __shfl_xor_sync(0xffffffffU, lane, 16);
        from_five[lane] = __shfl_sync(0xffffffffU, lane * lane, 5);
        sums[lane] = __reduce_add_sync(0xffffffffU, lane);
    });
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(up[lane], lane < 3 ? lane : lane - 3);
        EXPECT_EQ(down[lane], lane % 8 < 4 ? lane + 4 : lane);
        EXPECT_EQ(across[lane], lane ^ 16);
    }
    EXPECT_EQ(from_five, std::vector<int>(32, 25));
    EXPECT_EQ(sums, std::vector<int>(32, 496));
}

TEST(KernelEmulation, WarpsGoOnWithoutEachOther)
{
    std::vector<unsigned> steps(3);
    run_grid({1}, {kThreads}, 0, [&] {
        const unsigned warp = threadIdx.x / 32;
        for (unsigned i = 0; i < 10 * (warp + 1); ++i)
            if (__any_sync(0xffffffffU, threadIdx.x % 32 == 31) != 0 && threadIdx.x % 32 == 0)
                ++steps[warp];
        __syncthreads();
    });
    EXPECT_EQ(steps, (std::vector<unsigned>{10, 20, 30}));
}

TEST(KernelEmulation, SharedMemoryHoldsGarbageBeforeABlock)
{
    unsigned zeros = 0;
    run_grid({2}, {1}, 4, [&] {
        __shared__ unsigned variable;
        auto *dynamic = reinterpret_cast<unsigned *>(dynamic_shared_memory());
        zeros += (variable == 0) + (*dynamic == 0);
        variable = *dynamic = blockDim.x + blockIdx.x; // not a constant, which a compiler could take for the only value
    });
    EXPECT_EQ(zeros, 0U);
}

// A missing barrier shows, because every second block runs its threads in reverse order.
TEST(KernelEmulation, BlocksRunTheirThreadsInBothOrders)
{
    std::vector<unsigned> first(2, kThreads);
    run_grid({2}, {kThreads}, 0, [&] {
        if (first[blockIdx.x] == kThreads)
            first[blockIdx.x] = threadIdx.x;
    });
    EXPECT_EQ(first, (std::vector<unsigned>{0, kThreads - 1}));
}

} // namespace
} // namespace vmaf::emulation
