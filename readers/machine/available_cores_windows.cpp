#include <bit>
#include <cstdint>
#include <thread>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "machine/machine.h"

namespace vmaf::tool {

unsigned available_cores()
{
    DWORD_PTR process = 0, system = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &system) &&
        process != 0) // 0: in several groups of processors
        return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(process)));
    const unsigned all = std::thread::hardware_concurrency();
    return all > 0 ? all : 1;
}

} // namespace vmaf::tool
