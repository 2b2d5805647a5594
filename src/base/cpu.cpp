#include "base/cpu.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>

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
/// What processor and system say. __builtin_cpu_supports() is not asked: the runtime library of the
/// compiler zig answers no to everything.
struct Processor {
    bool sse4 = false, avx2 = false, avx_vnni = false, avx512 = false, avx512_vnni = false;

    Processor()
    {
        unsigned eax = 0, ebx = 0, unused = 0, ecx_1 = 0, ebx_7 = 0, ecx_7 = 0, eax_7_1 = 0;
        if (__get_cpuid(1, &eax, &ebx, &ecx_1, &unused) == 0)
            return;
        sse4 = has_all(ecx_1, {19});
        constexpr unsigned kOsxsave = 27;
        if (!has_all(ecx_1, {kOsxsave}) || __get_cpuid_count(7, 0, &eax, &ebx_7, &ecx_7, &unused) == 0)
            return;
        unsigned saved = 0; // by the system, of the registers
        __asm__("xgetbv" : "=a"(saved), "=d"(unused) : "c"(0));
        // FMA, POPCNT, AVX; BMI, AVX2, BMI2; XMM and YMM
        avx2 = sse4 && has_all(ecx_1, {12, 23, 28}) && has_all(ebx_7, {3, 5, 8}) && has_all(saved, {1, 2});
        // F, DQ, CD, BW, VL; masks and ZMM
        avx512 = avx2 && has_all(ebx_7, {16, 17, 28, 30, 31}) && has_all(saved, {5, 6, 7});
        avx512_vnni = avx512 && has_all(ecx_7, {11});
        avx_vnni = avx2 && __get_cpuid_count(7, 1, &eax_7_1, &ebx, &unused, &unused) != 0 && has_all(eax_7_1, {4});
    }

    static bool has_all(unsigned word, std::initializer_list<unsigned> bits)
    {
        return std::all_of(bits.begin(), bits.end(), [&](unsigned bit) { return (word >> bit & 1) != 0; });
    }
};
#endif

} // namespace

bool cpu_runs(CpuTarget target)
{
#if defined(__x86_64__)
    static const Processor processor;
#endif
    switch (target) {
    case CpuTarget::baseline:
        return true;
#if defined(__x86_64__)
    case CpuTarget::sse4:
        return processor.sse4;
    case CpuTarget::avx2:
        return processor.avx2;
    case CpuTarget::avx2_vnni:
        return processor.avx_vnni;
    case CpuTarget::avx512:
        return processor.avx512;
    case CpuTarget::avx512_vnni:
        return processor.avx512_vnni;
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
