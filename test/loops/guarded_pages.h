#pragma once

#include <cstddef>

namespace vmaf::test {

std::size_t page_bytes();
/// So many bytes, whole pages, between two pages that nobody may touch; null if there is no memory.
std::byte *guarded_pages(std::size_t bytes);
void release_guarded_pages(std::byte *memory, std::size_t bytes);

} // namespace vmaf::test
