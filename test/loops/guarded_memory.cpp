#include "guarded_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "sanitizers.h"
#include "support/pages.h"

#if defined(VMAF_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace vmaf::test {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::byte kGuardByte{0xc5};
constexpr auto kGuardBytes = [] {
    std::array<std::byte, GuardedMemory::kGuard> bytes{};
    bytes.fill(kGuardByte);
    return bytes;
}();

/// Moves the address up to the next one that is `zero` bytes before a cache line.
std::size_t before_line(std::size_t at, std::ptrdiff_t zero)
{
    return at + static_cast<std::size_t>(-(static_cast<std::ptrdiff_t>(at) + zero)) % kLine;
}

} // namespace

const char *name_of(Placement placement)
{
    switch (placement) {
    case Placement::aligned:
        return "aligned";
    case Placement::shifted:
        return "shifted";
    case Placement::page_end:
        return "at the end of pages";
    default:
        return "at the start of pages";
    }
}

GuardedMemory::GuardedMemory(GuardedMemory &&other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), capacity_(std::exchange(other.capacity_, 0)), row_(other.row_),
      row_bytes_(other.row_bytes_)
{
}

GuardedMemory::~GuardedMemory()
{
    release();
}

void GuardedMemory::release()
{
    if (memory_ == nullptr)
        return;
    ASAN_UNPOISON_MEMORY_REGION(memory_, capacity_);
    const std::size_t page = page_bytes();
    unmap_pages(memory_ - page, capacity_ + 2 * page);
}

void GuardedMemory::reserve(std::size_t bytes)
{
    if (bytes <= capacity_)
        return;
    release();
    const std::size_t page = page_bytes();
    capacity_ = (bytes + page - 1) / page * page;
    std::byte *const pages = map_pages(capacity_ + 2 * page);
    memory_ = pages != nullptr ? pages + page : nullptr;
    if (memory_ == nullptr)
        throw std::bad_alloc();
    close_pages(pages, page);
    close_pages(memory_ + capacity_, page);
    ASAN_POISON_MEMORY_REGION(memory_, capacity_);
    row_ = row_bytes_ = 0;
}

std::size_t GuardedMemory::guard_behind() const
{
    const std::size_t rest = capacity_ - row_ - row_bytes_;
    return rest < kGuard ? rest : kGuard;
}

std::byte *GuardedMemory::place(std::size_t bytes, std::size_t alignment, std::ptrdiff_t zero, Placement placement,
                                RandomStream &random)
{
    reserve(bytes + 2 * kGuard + 3 * kLine);
    ASAN_POISON_MEMORY_REGION(memory_ + row_, row_bytes_);
    row_bytes_ = bytes;
    switch (placement) {
    case Placement::aligned:
        row_ = before_line(kGuard, zero);
        break;
    case Placement::shifted:
        row_ = before_line(kGuard, zero) + alignment * (1 + random.below(kLine / alignment));
        break;
    case Placement::page_end:
        row_ = capacity_ - bytes;
        break;
    case Placement::page_start:
        row_ = 0;
        break;
    }
    const std::size_t before = guard_before(), behind = guard_behind();
    ASAN_UNPOISON_MEMORY_REGION(memory_ + row_ - before, before + bytes + behind);
    std::copy_n(kGuardBytes.data(), before, memory_ + row_ - before);
    std::copy_n(kGuardBytes.data(), behind, memory_ + row_ + bytes);
    ASAN_POISON_MEMORY_REGION(memory_ + row_ - before, before);
    ASAN_POISON_MEMORY_REGION(memory_ + row_ + bytes, behind);
    return memory_ + row_;
}

std::ptrdiff_t GuardedMemory::first_change() const
{
    const std::size_t before = guard_before(), behind = guard_behind();
    const std::byte *start = memory_ + row_, *end = start + row_bytes_;
    ASAN_UNPOISON_MEMORY_REGION(start - before, before + row_bytes_ + behind);
    std::ptrdiff_t change = 0;
    if (std::memcmp(start - before, kGuardBytes.data(), before) != 0)
        change = std::find_if(start - before, start, [](std::byte b) { return b != kGuardByte; }) - start;
    else if (std::memcmp(end, kGuardBytes.data(), behind) != 0)
        change = std::find_if(end, end + behind, [](std::byte b) { return b != kGuardByte; }) - end + 1;
    ASAN_POISON_MEMORY_REGION(start - before, before);
    ASAN_POISON_MEMORY_REGION(end, behind);
    return change;
}

} // namespace vmaf::test
