#include "support/pages.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <cstdlib>

namespace vmaf::test {

std::size_t page_bytes()
{
    SYSTEM_INFO system{};
    GetSystemInfo(&system);
    return system.dwPageSize;
}

std::byte *map_pages(std::size_t bytes)
{
    return static_cast<std::byte *>(VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void unmap_pages(std::byte *pages, std::size_t)
{
    VirtualFree(pages, 0, MEM_RELEASE);
}

void close_pages(std::byte *pages, std::size_t bytes)
{
    DWORD before = 0;
    if (!VirtualProtect(pages, bytes, PAGE_NOACCESS, &before))
        std::abort();
}

} // namespace vmaf::test
