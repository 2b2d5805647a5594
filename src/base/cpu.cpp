#include "base/cpu.h"

#include <atomic>

namespace vmaf {
namespace {

constexpr std::uint64_t kDisableSse2 = 1, kDisableSsse3 = 2, kDisableSse41 = 4, kDisableAvx2 = 8, kDisableAvx512 = 16,
                        kDisableIceLake = 32;

std::atomic<std::uint64_t> g_mask{0};

#if defined(__x86_64__)
// What the targets of meson.build are compiled with.
bool runs_avx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
bool runs_avx512()
{
    return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}
bool runs_avx512_vnni()
{
    return runs_avx512() && __builtin_cpu_supports("avx512vnni");
}
#else
bool runs_avx2()
{
    return false;
}
bool runs_avx512()
{
    return false;
}
bool runs_avx512_vnni()
{
    return false;
}
#endif

} // namespace

CpuTarget cpu_target(std::uint64_t disabled_mask)
{
    constexpr std::uint64_t below_avx2 = kDisableSse2 | kDisableSsse3 | kDisableSse41;
    if ((disabled_mask & (below_avx2 | kDisableAvx2)) != 0 || !runs_avx2())
        return CpuTarget::baseline;
    if ((disabled_mask & kDisableAvx512) != 0 || !runs_avx512())
        return CpuTarget::avx2;
    return (disabled_mask & kDisableIceLake) == 0 && runs_avx512_vnni() ? CpuTarget::avx512_vnni : CpuTarget::avx512;
}

void set_cpu_mask(std::uint64_t disabled_mask)
{
    g_mask = disabled_mask;
}
std::uint64_t cpu_mask()
{
    return g_mask;
}

} // namespace vmaf
