#include "base/cpu.h"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace vmaf {
namespace {

constexpr std::uint64_t kDisableSse2 = 1, kDisableSsse3 = 2, kDisableSse41 = 4, kDisableAvx2 = 8, kDisableAvx512 = 16,
                        kDisableIceLake = 32;

std::atomic<std::uint64_t> g_mask{0};

/// The bits that forbid each target.
constexpr std::uint64_t forbidden_by(CpuTarget target)
{
    constexpr std::uint64_t sse4 = kDisableSse2 | kDisableSsse3 | kDisableSse41, avx2 = sse4 | kDisableAvx2,
                            avx512 = avx2 | kDisableAvx512;
    switch (target) {
    case CpuTarget::baseline:
        return 0;
    case CpuTarget::sse4:
        return sse4;
    case CpuTarget::avx2:
        return avx2;
    case CpuTarget::avx2_vnni:
        return avx2 | kDisableIceLake;
    case CpuTarget::avx512:
        return avx512;
    case CpuTarget::avx512_vnni:
        return avx512 | kDisableIceLake;
    }
    return 0;
}

#if defined(__x86_64__)
// Whether the processor has the instructions that a target of meson.build is compiled with.
bool runs_avx2()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
// clang 14 cannot be asked for it by name. It needs the registers of AVX2, nothing else of the
// system.
bool has_avx_vnni()
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & 1U << 4) != 0;
}
bool runs_avx512()
{
    return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

} // namespace

bool cpu_runs(CpuTarget target)
{
    switch (target) {
    case CpuTarget::baseline:
        return true;
#if defined(__x86_64__)
    case CpuTarget::sse4:
        return __builtin_cpu_supports("sse4.1");
    case CpuTarget::avx2:
        return runs_avx2();
    case CpuTarget::avx2_vnni:
        return runs_avx2() && has_avx_vnni();
    case CpuTarget::avx512:
        return runs_avx512();
    case CpuTarget::avx512_vnni:
        return runs_avx512() && __builtin_cpu_supports("avx512vnni");
#endif
    default:
        return false;
    }
}

CpuTarget cpu_target(std::uint64_t disabled_mask)
{
    for (const CpuTarget target :
         {CpuTarget::avx512_vnni, CpuTarget::avx512, CpuTarget::avx2_vnni, CpuTarget::avx2, CpuTarget::sse4})
        if ((disabled_mask & forbidden_by(target)) == 0 && cpu_runs(target))
            return target;
    return CpuTarget::baseline;
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
