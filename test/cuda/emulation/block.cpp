#include "cuda/emulation/block.h"

#ifndef _WIN32
#include <link.h>
#endif

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "cuda/emulation/fibre.h"
#include "support/pages.h"

namespace vmaf::emulation {
namespace {

constexpr unsigned kWarpSize = 32;
constexpr std::uint32_t kFullWarp = 0xffffffffU;
constexpr std::size_t kStackBytes = std::size_t{128} << 10;
constexpr std::size_t kMostThreads = 1024;
constexpr std::uint64_t kMostTurns = std::uint64_t{1} << 32; // of threads that only wait

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "kernel emulation: %s\n", what);
    std::abort();
}

/// Values that lanes exchange. Two of them are used in turn: a lane can be one exchange ahead of
/// another, never two.
struct Slots {
    std::uint64_t values[kWarpSize] = {};
};

struct Warp {
    Slots slots[2];
    std::uint32_t live = 0;
    std::uint32_t arrived = 0;
    std::uint32_t took_part[2] = {};
    unsigned long exchanges = 0;
};

struct Thread {
    Fibre fibre;
    Dim3 index;
    unsigned long exchanges;
    bool returned;
};

class Block {
  public:
    Block()
    {
        if (stacks_ == nullptr)
            fail("no memory for stacks");
    }
    ~Block() { test::unmap_pages(stacks_, kMostThreads * kStackBytes); }

    void run(const Place &place, bool descending, const std::function<void()> &body)
    {
        place_ = place;
        body_ = &body;
        const unsigned count = place.block_size.x * place.block_size.y * place.block_size.z;
        if (count == 0 || count > kMostThreads)
            fail("block of a wrong size");
        count_ = live_ = count;
        arrived_ = 0;
        descending_ = descending;
        warps_.assign((count + kWarpSize - 1) / kWarpSize, Warp{});
        threads_.assign(count, Thread{});
        for (unsigned i = 0; i < count; ++i)
            start(i);
        current_ = descending ? count - 1 : 0;
        place_.thread = threads_[current_].index;
        Fibre::switch_between(scheduler_, threads_[current_].fibre);
    }

    const Place &place() const { return place_; }

    void barrier()
    {
        const unsigned long before = barriers_;
        if (++arrived_ == live_) {
            open_barrier();
            return;
        }
        wait_until([&] { return barriers_ != before; });
    }

    Exchange exchange(std::uint64_t value)
    {
        const unsigned lane = current_ % kWarpSize;
        Warp &warp = warps_[current_ / kWarpSize];
        Thread &thread = threads_[current_];
        const unsigned long number = thread.exchanges++;
        const unsigned turn = number % 2;
        warp.slots[turn].values[lane] = value;
        warp.arrived |= 1U << lane;
        if (warp.arrived == warp.live)
            complete(warp);
        else
            wait_in_warp_until([&] { return warp.exchanges > number; });
        return {warp.slots[turn].values, warp.took_part[turn], lane};
    }

    std::uint64_t combine(std::uint64_t value, std::uint64_t (*two)(std::uint64_t, std::uint64_t))
    {
        combined_[current_] = value;
        barrier();
        std::uint64_t all = combined_[0];
        for (unsigned i = 1; i < count_; ++i)
            all = two(all, combined_[i]);
        barrier();
        return all;
    }

  private:
    static void entry();

    void start(unsigned i)
    {
        const Dim3 &size = place_.block_size;
        threads_[i].index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
        warps_[i / kWarpSize].live |= 1U << (i % kWarpSize);
        threads_[i].fibre.start(stacks_ + i * kStackBytes, kStackBytes, &Block::entry);
    }

    void open_barrier()
    {
        arrived_ = 0;
        ++barriers_;
    }

    static void complete(Warp &warp)
    {
        warp.took_part[warp.exchanges % 2] = warp.live;
        warp.arrived = 0;
        ++warp.exchanges;
    }

    void switch_to(unsigned next)
    {
        if (next == current_)
            return;
        Thread &from = threads_[current_];
        current_ = next;
        place_.thread = threads_[next].index;
        Fibre::switch_between(from.fibre, threads_[next].fibre);
    }

    // The next thread from `first` to before `end` that has not returned. Avoids a division,
    // because kernels wait at every other step.
    unsigned next_thread(unsigned first, unsigned end) const
    {
        unsigned next = current_;
        do
            if (descending_)
                next = (next == first ? end : next) - 1;
            else
                next = next + 1 == end ? first : next + 1;
        while (threads_[next].returned && next != current_);
        return next;
    }

    template <class Done> void wait_until(Done &&done)
    {
        for (std::uint64_t turns = 0; !done(); ++turns) {
            if (turns == kMostTurns)
                fail("threads wait for ever");
            switch_to(next_thread(0, count_));
        }
    }

    // Runs the other threads of the warp first, because this thread waits for them.
    template <class Done> void wait_in_warp_until(Done &&done)
    {
        const unsigned first = current_ / kWarpSize * kWarpSize, size = std::min(kWarpSize, count_ - first);
        for (unsigned turns = 0; !done() && turns < size; ++turns)
            switch_to(next_thread(first, first + size));
        wait_until(done);
    }

    void leave()
    {
        Thread &thread = threads_[current_];
        thread.returned = true;
        Warp &warp = warps_[current_ / kWarpSize];
        warp.live &= ~(1U << (current_ % kWarpSize));
        if (warp.live != 0 && warp.arrived == warp.live)
            complete(warp);
        if (--live_ > 0 && arrived_ == live_)
            open_barrier();
        if (live_ == 0)
            Fibre::switch_between(thread.fibre, scheduler_);
        switch_to(next_thread(0, count_));
        fail("a thread that returned runs");
    }

    std::byte *stacks_ = test::map_pages(kMostThreads * kStackBytes);
    Place place_;
    const std::function<void()> *body_ = nullptr;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    std::uint64_t combined_[kMostThreads] = {};
    unsigned count_ = 0, live_ = 0, arrived_ = 0, current_ = 0;
    bool descending_ = false;
    unsigned long barriers_ = 0;
    Fibre scheduler_;
};

#ifdef _WIN32
// Variables of __shared__ keep their values on Windows. Whether a kernel reads what it did not
// write does not depend on the system.
void spoil_shared_variables() {}
#else
// What was in shared memory before is lost. Variables of __shared__ are thread-local without
// initial values, as nothing else in a program with emulated kernels is.
void spoil_shared_variables()
{
    dl_iterate_phdr(
        [](dl_phdr_info *program, std::size_t, void *) {
            for (unsigned i = 0; i < program->dlpi_phnum; ++i)
                if (const auto &segment = program->dlpi_phdr[i];
                    segment.p_type == PT_TLS && program->dlpi_tls_data != nullptr)
                    std::memset(static_cast<char *>(program->dlpi_tls_data) + segment.p_filesz, 0xa5,
                                segment.p_memsz - segment.p_filesz);
            return 1; // the program itself comes first
        },
        nullptr);
}
#endif

std::mutex one_grid;
Block *running = nullptr;
std::vector<unsigned char> shared_memory;

void Block::entry()
{
    (*running->body_)();
    running->leave();
}

} // namespace

const Place &place()
{
    return running->place();
}

unsigned char *dynamic_shared_memory()
{
    constexpr std::uintptr_t kAlignment = 1024;
    return reinterpret_cast<unsigned char *>((reinterpret_cast<std::uintptr_t>(shared_memory.data()) + kAlignment - 1) /
                                             kAlignment * kAlignment);
}

void block_barrier()
{
    running->barrier();
}

Exchange warp_exchange(std::uint32_t mask, std::uint64_t value)
{
    if (mask != kFullWarp)
        fail("a warp's operation on a part of its lanes");
    return running->exchange(value);
}

std::uint64_t block_combine(std::uint64_t value, std::uint64_t (*combine)(std::uint64_t, std::uint64_t))
{
    return running->combine(value, combine);
}

void run_grid(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::function<void()> &body)
{
    const std::lock_guard lock(one_grid);
    static Block runner;
    running = &runner;
    bool descending = false;
    for (unsigned z = 0; z < grid.z; ++z)
        for (unsigned y = 0; y < grid.y; ++y)
            for (unsigned x = 0; x < grid.x; ++x) {
                shared_memory.assign(shared_bytes + 2048, 0xa5);
                spoil_shared_variables();
                runner.run({{}, {x, y, z}, block, grid}, descending, body);
                descending = !descending;
            }
}

} // namespace vmaf::emulation
