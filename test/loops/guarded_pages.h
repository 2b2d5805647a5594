#pragma once

#include <cstddef>

namespace vmaf::test {

std::size_t page_bytes();
/// Allocates whole pages between two pages that cannot be touched. Null if there is no memory.
std::byte *guarded_pages(std::size_t bytes);
void release_guarded_pages(std::byte *memory, std::size_t bytes);

} // namespace vmaf::test
