#pragma once

#include <cstddef>

#include "random_stream.h"

namespace vmaf::test {

/// Where a case puts its rows.
enum class Placement {
    aligned,    ///< element 0 on a cache line
    shifted,    ///< every row by elements of its own behind a cache line
    page_end,   ///< nothing can be touched behind the row
    page_start, ///< nor before it
};
constexpr Placement kPlacements[] = {Placement::aligned, Placement::shifted, Placement::page_end,
                                     Placement::page_start};
const char *name_of(Placement placement);

/// Memory for one row at a time, between two pages that cannot be touched. Known bytes around the
/// row show what is written there, and an address checker sees what is read.
class GuardedMemory {
  public:
    GuardedMemory() = default;
    GuardedMemory(GuardedMemory &&other) noexcept;
    GuardedMemory &operator=(GuardedMemory &&) = delete;
    ~GuardedMemory();

    /// The first byte of a row. `zero` is where its element 0 lies, in bytes from there; it may be
    /// before or behind it.
    std::byte *place(std::size_t bytes, std::size_t alignment, std::ptrdiff_t zero, Placement placement,
                     RandomStream &random);
    /// Where bytes around the row have changed since: from its first byte, or from its last one on
    /// if positive. 0: nowhere.
    std::ptrdiff_t first_change() const;

    static constexpr std::size_t kGuard = 128; ///< bytes that are watched on each side, as far as the pages reach

  private:
    void reserve(std::size_t bytes);
    void release();
    std::size_t guard_before() const { return row_ < kGuard ? row_ : kGuard; }
    std::size_t guard_behind() const;

    std::byte *memory_ = nullptr; ///< behind the first page that cannot be touched
    std::size_t capacity_ = 0;
    std::size_t row_ = 0, row_bytes_ = 0;
};

} // namespace vmaf::test
