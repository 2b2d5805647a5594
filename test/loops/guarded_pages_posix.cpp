#include "guarded_pages.h"

#include <sys/mman.h>
#include <unistd.h>

namespace vmaf::test {

std::size_t page_bytes()
{
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::byte *guarded_pages(std::size_t bytes)
{
    void *pages = mmap(nullptr, bytes + 2 * page_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return nullptr;
    std::byte *const memory = static_cast<std::byte *>(pages) + page_bytes();
    return mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0 ? memory : nullptr;
}

void release_guarded_pages(std::byte *memory, std::size_t bytes)
{
    munmap(memory - page_bytes(), bytes + 2 * page_bytes());
}

} // namespace vmaf::test
