#pragma once

// Vector operations for hot loops that the compiler does not vectorise well (adr/0008), for the
// target that the file is compiled for. Like the loops themselves, everything is local to the file
// (base/cpu.h).

#include <cstddef>
#include <cstdint>

#if defined(__AVX512BW__)
#include "base/vectors_avx512.h"
#elif defined(__AVX2__)
#include "base/vectors_avx2.h"
#elif defined(__SSE4_1__)
#include "base/vectors_sse4.h"
namespace vmaf::VMAF_CPU_TARGET {
using Vectors = Sse4Vectors;
}
#elif defined(__SSE2__)
#include "base/vectors_sse2.h"
namespace vmaf::VMAF_CPU_TARGET {
using Vectors = Sse2Vectors;
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include "base/vectors_neon.h"
#else
#include "base/vectors_plain.h"
#endif

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// The sum of the 32-bit lanes, which are of type Lane: std::int32_t or std::uint32_t.
template <class Lane> inline std::int64_t total_of_32bit(Vectors::Int lanes)
{
    alignas(64) std::int32_t lane[Vectors::kLanes32];
    Vectors::store32(lane, lanes);
    std::int64_t sum = 0;
    for (const std::int32_t value : lane)
        sum += static_cast<Lane>(value);
    return sum;
}

/// The sum of the 64-bit lanes, modulo 2^64.
inline std::uint64_t total_of_64bit(Vectors::Int lanes)
{
    alignas(64) std::int32_t lane[Vectors::kLanes32];
    Vectors::store32(lane, lanes);
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < Vectors::kLanes32; i += 2)
        sum += static_cast<std::uint32_t>(lane[i]) | static_cast<std::uint64_t>(static_cast<std::uint32_t>(lane[i + 1]))
                                                         << 32;
    return sum;
}

/// body(x) for registers of `lanes` columns from begin to end, the last of which may overlap the
/// one before. False where there is not one.
template <class Body> inline bool for_registers(std::size_t begin, std::size_t end, std::size_t lanes, Body body)
{
    if (end < begin + lanes)
        return false;
    for (std::size_t x = begin; x + lanes < end; x += lanes)
        body(static_cast<std::ptrdiff_t>(x));
    body(static_cast<std::ptrdiff_t>(end - lanes));
    return true;
}

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
