#pragma once

#include <cstddef>

#include "random_stream.h"

namespace vmaf::test {

/// Where a case puts its rows.
enum class Placement {
    aligned,    ///< element 0 is at the start of a cache line
    shifted,    ///< each row starts at its own distance behind a cache line
    page_end,   ///< the memory behind the row cannot be touched
    page_start, ///< the memory before the row cannot be touched
};
constexpr Placement kPlacements[] = {Placement::aligned, Placement::shifted, Placement::page_end,
                                     Placement::page_start};
const char *name_of(Placement placement);

/// Memory for one row at a time, between two pages that cannot be touched. Known bytes around the
/// row show writes there, and an address checker sees reads.
class GuardedMemory {
  public:
    GuardedMemory() = default;
    GuardedMemory(GuardedMemory &&other) noexcept;
    GuardedMemory &operator=(GuardedMemory &&) = delete;
    ~GuardedMemory();

    /// The first byte of a row. `zero` is the distance from there to element 0 in bytes. Element 0
    /// may be before or behind the row.
    std::byte *place(std::size_t bytes, std::size_t alignment, std::ptrdiff_t zero, Placement placement,
                     RandomStream &random);
    /// Where bytes around the row have changed since then. Negative: distance from its first byte;
    /// positive: from its last one. 0: no byte changed.
    std::ptrdiff_t first_change() const;

    static constexpr std::size_t kGuard = 128; ///< number of watched bytes on each side, as far as the pages reach

  private:
    void reserve(std::size_t bytes);
    void release();
    std::size_t guard_before() const { return row_ < kGuard ? row_ : kGuard; }
    std::size_t guard_behind() const;

    std::byte *memory_ = nullptr; ///< address behind the first page that cannot be touched
    std::size_t capacity_ = 0;
    std::size_t row_ = 0, row_bytes_ = 0;
};

} // namespace vmaf::test
