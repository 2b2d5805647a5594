#include "guarded_pages.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace vmaf::test {

std::size_t page_bytes()
{
    SYSTEM_INFO info{};
    GetSystemInfo(&info);
    return info.dwPageSize;
}

std::byte *guarded_pages(std::size_t bytes)
{
    void *pages = VirtualAlloc(nullptr, bytes + 2 * page_bytes(), MEM_RESERVE, PAGE_NOACCESS);
    if (pages == nullptr)
        return nullptr;
    return static_cast<std::byte *>(
        VirtualAlloc(static_cast<std::byte *>(pages) + page_bytes(), bytes, MEM_COMMIT, PAGE_READWRITE));
}

void release_guarded_pages(std::byte *memory, std::size_t)
{
    VirtualFree(memory - page_bytes(), 0, MEM_RELEASE);
}

} // namespace vmaf::test
