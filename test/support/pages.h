#pragma once

#include <cstddef>

/// Pages of memory, by the calls of each operating system: pages_posix.cpp, pages_windows.cpp.
namespace vmaf::test {

std::size_t page_bytes();

/// Whole pages to read and write, each of which takes room once it is used. Null on failure.
std::byte *map_pages(std::size_t bytes);
void unmap_pages(std::byte *pages, std::size_t bytes);

/// Whoever touches these pages from now on ends the program.
void close_pages(std::byte *pages, std::size_t bytes);

} // namespace vmaf::test
