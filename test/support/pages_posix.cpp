#include "support/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace vmaf::test {

std::size_t page_bytes()
{
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::byte *map_pages(std::size_t bytes)
{
    void *const pages =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages != MAP_FAILED ? static_cast<std::byte *>(pages) : nullptr;
}

void unmap_pages(std::byte *pages, std::size_t bytes)
{
    munmap(pages, bytes);
}

void close_pages(std::byte *pages, std::size_t bytes)
{
    if (mprotect(pages, bytes, PROT_NONE) != 0)
        std::abort();
}

} // namespace vmaf::test
