#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

/// Runs the threads of a CUDA block as fibres of one host thread. They switch where CUDA's threads
/// wait for each other, so kernels run without a GPU, one block after another. Blocks with odd
/// numbers run their threads in descending order, so that a missing barrier shows.
namespace vmaf::emulation {

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

/// Indices of the running thread and its block, and the sizes of the block and the grid.
struct Place {
    Dim3 thread, block, block_size, grid;
};
const Place &place();

/// Runs `body` once for every thread of the grid. Only one grid runs at a time; others wait.
void run_grid(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::function<void()> &body);

/// The block's dynamic shared memory, aligned to 1024 bytes.
unsigned char *dynamic_shared_memory();

/// Waits until all threads of the block that have not returned are here.
void block_barrier();

/// Waits until all lanes of the warp that have not returned are here with their values. Returns the
/// values by lane, with 0 for lanes that returned. They are valid until the thread's next exchange.
struct Exchange {
    const std::uint64_t *values;
    std::uint32_t lanes; ///< lanes that took part
    unsigned lane;       ///< lane of the caller
};
/// Aborts unless `mask` is the full warp: other masks are not emulated.
Exchange warp_exchange(std::uint32_t mask, std::uint64_t value);

/// Waits for all threads of the block, then folds their values with `combine`.
std::uint64_t block_combine(std::uint64_t value, std::uint64_t (*combine)(std::uint64_t, std::uint64_t));

} // namespace vmaf::emulation
