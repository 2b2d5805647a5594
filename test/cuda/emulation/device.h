#pragma once

// The parts of CUDA C++ that kernels/*/*.cu use, for a host compiler. Included before everything
// else.

#define VMAF_EMULATED_KERNELS 1

#include <math.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "cuda/emulation/block.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __constant__ static
// A block runs alone, in one thread, which spoils them before (block.cpp).
#ifdef _WIN32
#define __shared__ static
#else
#define __shared__ static thread_local
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))

#define threadIdx (::vmaf::emulation::place().thread)
#define blockIdx (::vmaf::emulation::place().block)
#define blockDim (::vmaf::emulation::place().block_size)
#define gridDim (::vmaf::emulation::place().grid)
using uint3 = ::vmaf::emulation::Dim3;
using dim3 = ::vmaf::emulation::Dim3;

// Vectors.

#define VMAF_EMULATED_VECTORS(type, name)                                                                              \
    struct alignas(2 * sizeof(type)) name##2                                                                           \
    {                                                                                                                  \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct name##3                                                                                                     \
    {                                                                                                                  \
        type x, y, z;                                                                                                  \
    };                                                                                                                 \
    struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4                                              \
    {                                                                                                                  \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    inline name##2 make_##name##2(type x, type y)                                                                      \
    {                                                                                                                  \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    inline name##4 make_##name##4(type x, type y, type z, type w)                                                      \
    {                                                                                                                  \
        return {x, y, z, w};                                                                                           \
    }
#define VMAF_EMULATED_VECTORS_WITHOUT_3(type, name)                                                                    \
    struct alignas(2 * sizeof(type)) name##2                                                                           \
    {                                                                                                                  \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct alignas(16) name##4                                                                                         \
    {                                                                                                                  \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    inline name##2 make_##name##2(type x, type y)                                                                      \
    {                                                                                                                  \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    inline name##4 make_##name##4(type x, type y, type z, type w)                                                      \
    {                                                                                                                  \
        return {x, y, z, w};                                                                                           \
    }
VMAF_EMULATED_VECTORS(char, char)
VMAF_EMULATED_VECTORS(unsigned char, uchar)
VMAF_EMULATED_VECTORS(short, short)
VMAF_EMULATED_VECTORS(unsigned short, ushort)
VMAF_EMULATED_VECTORS(int, int)
VMAF_EMULATED_VECTORS_WITHOUT_3(unsigned, uint)
VMAF_EMULATED_VECTORS(long long, longlong)
VMAF_EMULATED_VECTORS(unsigned long long, ulonglong)
VMAF_EMULATED_VECTORS(float, float)
VMAF_EMULATED_VECTORS(double, double)
inline float3 make_float3(float x, float y, float z)
{
    return {x, y, z};
}
inline int3 make_int3(int x, int y, int z)
{
    return {x, y, z};
}
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z)
{
    return {x, y, z};
}

// Minimum and maximum of two types, as in CUDA.

template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr auto min(A a, B b)
{
    using Common = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<Common>)
        return static_cast<Common>(std::fmin(a, b));
    else
        return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr auto max(A a, B b)
{
    using Common = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<Common>)
        return static_cast<Common>(std::fmax(a, b));
    else
        return static_cast<Common>(a) > static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}
using std::abs;

// Barriers.

inline void __syncthreads()
{
    ::vmaf::emulation::block_barrier();
}
inline int __syncthreads_count(int predicate)
{
    return static_cast<int>(
        ::vmaf::emulation::block_combine(predicate != 0, [](std::uint64_t a, std::uint64_t b) { return a + b; }));
}
inline int __syncthreads_or(int predicate)
{
    return __syncthreads_count(predicate) > 0;
}
inline int __syncthreads_and(int predicate)
{
    return !__syncthreads_or(!predicate);
}
inline void __syncwarp(unsigned mask = 0xffffffffU)
{
    ::vmaf::emulation::warp_exchange(mask, 0);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline unsigned __activemask()
{
    return 0xffffffffU;
}

// Exchange among lanes of a warp.

namespace vmaf::emulation {

template <class T> std::uint64_t bits_of(T value)
{
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> T from_bits(std::uint64_t bits)
{
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T, class Source> T shuffle(unsigned mask, T value, int width, Source &&source)
{
    const Exchange all = warp_exchange(mask, bits_of(value));
    const int lane = static_cast<int>(all.lane), first = lane / width * width;
    const int from = source(lane - first);
    return from < 0 || from >= width ? value : from_bits<T>(all.values[first + from]);
}

template <class T, class Combine> T reduce(unsigned mask, T value, Combine &&combine)
{
    const Exchange all = warp_exchange(mask, bits_of(value));
    T result = value;
    bool first = true;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((all.lanes >> lane & 1) != 0) {
            const T other = from_bits<T>(all.values[lane]);
            result = first ? other : combine(result, other);
            first = false;
        }
    return result;
}

template <class T> std::atomic_ref<T> atomically(T *at)
{
    return std::atomic_ref<T>(*at);
}

} // namespace vmaf::emulation

template <class T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    return ::vmaf::emulation::shuffle(mask, value, width, [&](int) { return lane & (width - 1); });
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    return ::vmaf::emulation::shuffle(mask, value, width, [&](int own) { return own - static_cast<int>(distance); });
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    return ::vmaf::emulation::shuffle(mask, value, width, [&](int own) { return own + static_cast<int>(distance); });
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    return ::vmaf::emulation::shuffle(mask, value, width, [&](int own) { return own ^ lanes; });
}
inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    const ::vmaf::emulation::Exchange all = ::vmaf::emulation::warp_exchange(mask, predicate != 0);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((all.lanes >> lane & 1) != 0)
            votes |= static_cast<unsigned>(all.values[lane]) << lane;
    return votes;
}
inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}
template <class T> unsigned __match_any_sync(unsigned mask, T value)
{
    const ::vmaf::emulation::Exchange all = ::vmaf::emulation::warp_exchange(mask, ::vmaf::emulation::bits_of(value));
    unsigned equal = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((all.lanes >> lane & 1) != 0 && all.values[lane] == all.values[all.lane])
            equal |= 1U << lane;
    return equal;
}
template <class T> T __reduce_add_sync(unsigned mask, T value)
{
    return ::vmaf::emulation::reduce(mask, value, [](T a, T b) { return a + b; });
}
template <class T> T __reduce_min_sync(unsigned mask, T value)
{
    return ::vmaf::emulation::reduce(mask, value, [](T a, T b) { return a < b ? a : b; });
}
template <class T> T __reduce_max_sync(unsigned mask, T value)
{
    return ::vmaf::emulation::reduce(mask, value, [](T a, T b) { return a > b ? a : b; });
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return ::vmaf::emulation::reduce(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value)
{
    return ::vmaf::emulation::reduce(mask, value, [](unsigned a, unsigned b) { return a & b; });
}

// Memory.

template <class T> T __ldg(const T *at)
{
    return *at;
}
template <class T> T __ldcg(const T *at)
{
    return *at;
}
template <class T> T __ldcs(const T *at)
{
    return *at;
}
template <class T> void __stcg(T *at, T value)
{
    *at = value;
}
template <class T> void __stcs(T *at, T value)
{
    *at = value;
}
template <class T> T atomicAdd(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).fetch_add(value);
}
template <class T> T atomicSub(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).fetch_sub(value);
}
template <class T> T atomicOr(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).fetch_or(value);
}
template <class T> T atomicAnd(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).fetch_and(value);
}
template <class T> T atomicXor(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).fetch_xor(value);
}
template <class T> T atomicExch(T *at, std::type_identity_t<T> value)
{
    return ::vmaf::emulation::atomically(at).exchange(value);
}
template <class T> T atomicCAS(T *at, std::type_identity_t<T> expected, std::type_identity_t<T> value)
{
    ::vmaf::emulation::atomically(at).compare_exchange_strong(expected, value);
    return expected;
}
template <class T> T atomicMax(T *at, std::type_identity_t<T> value)
{
    T before = *at;
    while (before < value && !::vmaf::emulation::atomically(at).compare_exchange_strong(before, value)) {
    }
    return before;
}
template <class T> T atomicMin(T *at, std::type_identity_t<T> value)
{
    T before = *at;
    while (before > value && !::vmaf::emulation::atomically(at).compare_exchange_strong(before, value)) {
    }
    return before;
}

// Bits.

inline int __popc(unsigned x)
{
    return std::popcount(x);
}
inline int __popcll(unsigned long long x)
{
    return std::popcount(x);
}
inline int __clz(int x)
{
    return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x)
{
    return std::countl_zero(static_cast<unsigned long long>(x));
}
inline int __ffs(int x)
{
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline int __ffsll(long long x)
{
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
        reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << std::min(shift, 32U)) >> 32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> std::min(shift, 32U));
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
    const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned choice = selector >> (4 * i) & 0xf;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (choice & 7))) & 0xff;
        if ((choice & 8) != 0)
            byte = (byte & 0x80) != 0 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}

// Integers.

namespace vmaf::emulation {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

template <unsigned Bits, class Apply> unsigned lanewise(unsigned a, unsigned b, Apply &&apply)
{
    constexpr unsigned kMask = (1U << Bits) - 1;
    unsigned result = 0;
    for (unsigned shift = 0; shift < 32; shift += Bits)
        result |= (static_cast<unsigned>(apply(a >> shift & kMask, b >> shift & kMask)) & kMask) << shift;
    return result;
}

} // namespace vmaf::emulation

inline unsigned __vabsdiffu4(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<8>(a, b, [](unsigned x, unsigned y) { return x > y ? x - y : y - x; });
}
inline unsigned __vminu2(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<16>(a, b, [](unsigned x, unsigned y) { return std::min(x, y); });
}
inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<16>(a, b, [](unsigned x, unsigned y) { return std::max(x, y); });
}
inline unsigned __vadd2(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<16>(a, b, [](unsigned x, unsigned y) { return x + y; });
}
inline unsigned __vsub2(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<16>(a, b, [](unsigned x, unsigned y) { return x - y; });
}
inline unsigned __vcmpeq2(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<16>(a, b, [](unsigned x, unsigned y) { return x == y ? 0xffffU : 0U; });
}
inline unsigned __vcmpeq4(unsigned a, unsigned b)
{
    return ::vmaf::emulation::lanewise<8>(a, b, [](unsigned x, unsigned y) { return x == y ? 0xffU : 0U; });
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        c += (a >> shift & 0xff) * (b >> shift & 0xff);
    return c;
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}
inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
inline int __mulhi(int a, int b)
{
    return static_cast<int>(std::int64_t{a} * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return static_cast<unsigned long long>(static_cast<::vmaf::emulation::Wide>(a) * b >> 64);
}
inline long long __mul64hi(long long a, long long b)
{
    return static_cast<long long>(static_cast<::vmaf::emulation::SignedWide>(a) * b >> 64);
}
inline int __mul24(int a, int b)
{
    return a * b;
}

// Tensor cores.

namespace vmaf::emulation {

/// The sum of the products of 32 pairs of bytes.
inline unsigned sum_of_products(const std::uint64_t (&a)[4], const std::uint64_t (&b)[4])
{
    using Bytes = unsigned char __attribute__((vector_size(8)));
    using Products = unsigned short __attribute__((vector_size(16))); // the sum of two byte products fits
    using Sums = unsigned __attribute__((vector_size(16)));
    Sums sums = {};
    for (unsigned i = 0; i < 4; ++i) {
        const auto products =
            __builtin_convertvector((Bytes)a[i], Products) * __builtin_convertvector((Bytes)b[i], Products);
        sums += ((Sums)products & 0xffffU) + ((Sums)products >> 16);
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

/// mma.m16n8k32 of bytes: start + a * b, in the layout of the lanes.
inline void warp_multiply_bytes(const unsigned (&a)[4], unsigned b_first, unsigned b_second, const unsigned (&start)[4],
                                unsigned (&sums)[4])
{
    constexpr unsigned kAll = 0xffffffffU;
    constexpr auto lower_halves = [](const std::uint64_t *two) { return two[1] << 32 | (two[0] & kAll); };
    constexpr auto upper_halves = [](const std::uint64_t *two) {
        return two[0] >> 32 | (two[1] & ~std::uint64_t{kAll});
    };
    std::uint64_t rows[2][4], columns[2][4]; // columns of the lane's sums
    for (unsigned i = 0; i < 4; i += 2) {
        const Exchange all = warp_exchange(kAll, std::uint64_t{a[i + 1]} << 32 | a[i]);
        for (unsigned k = 0; k < 2; ++k) {
            const std::uint64_t *const two = all.values + all.lane / 4 * 4 + 2 * k;
            rows[0][i + k] = lower_halves(two);
            rows[1][i + k] = upper_halves(two);
        }
    }
    const Exchange all = warp_exchange(kAll, std::uint64_t{b_second} << 32 | b_first);
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned k = 0; k < 2; ++k) {
            const std::uint64_t *const two = all.values + 4 * (all.lane % 4 * 2 + i) + 2 * k;
            columns[i][k] = lower_halves(two);
            columns[i][2 + k] = upper_halves(two);
        }
    for (unsigned i = 0; i < 4; ++i)
        sums[i] = start[i] + sum_of_products(rows[i / 2], columns[i % 2]);
}

} // namespace vmaf::emulation

// Floating point. A compiler that does not contract has the results of _rn.

inline float __fadd_rn(float a, float b)
{
    return a + b;
}
inline float __fsub_rn(float a, float b)
{
    return a - b;
}
inline float __fmul_rn(float a, float b)
{
    return a * b;
}
inline float __fdiv_rn(float a, float b)
{
    return a / b;
}
inline float __frcp_rn(float a)
{
    return 1.0F / a;
}
inline float __fsqrt_rn(float a)
{
    return std::sqrt(a);
}
// A GPU's result is off by some units in the last place. Here it is exact or off by one unit.
inline float off_by_a_unit(float value)
{
    const unsigned choice = std::bit_cast<unsigned>(value) % 3;
    return choice == 0 ? value : std::nextafter(value, choice == 1 ? 0.0F : std::copysign(1e38F, value));
}
inline float rsqrtf(float x)
{
    return off_by_a_unit(static_cast<float>(1 / std::sqrt(static_cast<double>(x))));
}
inline float __powf(float x, float y)
{
    return off_by_a_unit(std::pow(x, y));
}
inline float __fdividef(float a, float b)
{
    return off_by_a_unit(a / b);
}
inline float __fmaf_rn(float a, float b, float c)
{
    return std::fma(a, b, c);
}
inline double __dadd_rn(double a, double b)
{
    return a + b;
}
inline double __dsub_rn(double a, double b)
{
    return a - b;
}
inline double __dmul_rn(double a, double b)
{
    return a * b;
}
inline double __ddiv_rn(double a, double b)
{
    return a / b;
}
inline double __drcp_rn(double a)
{
    return 1.0 / a;
}
inline double __dsqrt_rn(double a)
{
    return std::sqrt(a);
}
inline double __fma_rn(double a, double b, double c)
{
    return std::fma(a, b, c);
}

// Other directions of rounding. The volatile copies keep the arithmetic between both mode changes.

namespace vmaf::emulation {

template <int Direction, class Compute> auto rounded(Compute &&compute)
{
    const int before = std::fegetround();
    std::fesetround(Direction);
    volatile auto result = compute();
    std::fesetround(before);
    return +result;
}

} // namespace vmaf::emulation

inline float __fmaf_rd(float a, float b, float c)
{
    volatile float x = a, y = b, z = c;
    return ::vmaf::emulation::rounded<FE_DOWNWARD>([&] { return std::fma(x, y, z); });
}
inline double __fma_rd(double a, double b, double c)
{
    volatile double x = a, y = b, z = c;
    return ::vmaf::emulation::rounded<FE_DOWNWARD>([&] { return std::fma(x, y, z); });
}
inline float __uint2float_rz(unsigned a)
{
    const unsigned above = a >> 24 == 0 ? 0 : 8 - std::countl_zero(a); // bits for which a float has no room
    return static_cast<float>(a >> above << above);
}

inline float __int2float_rn(int a)
{
    return static_cast<float>(a);
}
inline float __uint2float_rn(unsigned a)
{
    return static_cast<float>(a);
}
inline float __ll2float_rn(long long a)
{
    return static_cast<float>(a);
}
inline float __ull2float_rn(unsigned long long a)
{
    return static_cast<float>(a);
}
inline double __int2double_rn(int a)
{
    return a;
}
inline double __uint2double_rn(unsigned a)
{
    return a;
}
inline double __ll2double_rn(long long a)
{
    return static_cast<double>(a);
}
inline double __ull2double_rn(unsigned long long a)
{
    return static_cast<double>(a);
}
inline float __double2float_rn(double a)
{
    return static_cast<float>(a);
}
inline int __float2int_rn(float a)
{
    return static_cast<int>(std::nearbyint(a));
}
inline int __float2int_rz(float a)
{
    return static_cast<int>(a);
}
inline int __float2int_rd(float a)
{
    return static_cast<int>(std::floor(a));
}
inline unsigned __float2uint_rn(float a)
{
    return static_cast<unsigned>(std::nearbyint(a));
}
inline unsigned __double2uint_rz(double a)
{
    return !(a > 0) ? 0 : a >= 0x1p32 ? UINT_MAX : static_cast<unsigned>(a);
}
inline unsigned __float2uint_rz(float a)
{
    return __double2uint_rz(a);
}
inline int __double2int_rn(double a)
{
    return static_cast<int>(std::nearbyint(a));
}
inline int __double2int_rz(double a)
{
    return static_cast<int>(a);
}
inline long long __double2ll_rn(double a)
{
    return std::llrint(a);
}
inline long long __double2ll_rz(double a)
{
    return static_cast<long long>(a);
}
inline unsigned long long __double2ull_rz(double a)
{
    return static_cast<unsigned long long>(a);
}
inline float __saturatef(float a)
{
    return std::fmin(std::fmax(a, 0.0F), 1.0F);
}
inline unsigned __float_as_uint(float a)
{
    return std::bit_cast<unsigned>(a);
}
inline int __float_as_int(float a)
{
    return std::bit_cast<int>(a);
}
inline float __uint_as_float(unsigned a)
{
    return std::bit_cast<float>(a);
}
inline float __int_as_float(int a)
{
    return std::bit_cast<float>(a);
}
inline long long __double_as_longlong(double a)
{
    return std::bit_cast<long long>(a);
}
inline double __longlong_as_double(long long a)
{
    return std::bit_cast<double>(a);
}
inline int __double2hiint(double a)
{
    return static_cast<int>(std::bit_cast<std::int64_t>(a) >> 32);
}
inline int __double2loint(double a)
{
    return static_cast<int>(std::bit_cast<std::int64_t>(a));
}
inline double __hiloint2double(int high, int low)
{
    return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 |
                                 static_cast<unsigned>(low));
}
