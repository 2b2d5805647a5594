#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

// What a header of kernels/vulkan needs to be C++. It is included in a namespace, after this.

namespace vmaf::test::glsl {

using std::int64_t;
using std::max;
using std::min;
using std::uint64_t;
using uint = std::uint32_t;

struct ivec2 {
    int x, y;
};
struct Words {
    const uint *words;
};

inline int findMSB(uint value)
{
    return 31 - std::countl_zero(value);
}
inline uint abs(int value)
{
    return value < 0 ? 0U - static_cast<uint>(value) : static_cast<uint>(value);
}
inline float abs(float value)
{
    return std::fabs(value);
}
inline float exp2(int exponent)
{
    return std::ldexp(1.0F, exponent);
}
inline float uintBitsToFloat(uint bits)
{
    return std::bit_cast<float>(bits);
}
inline int bitfieldExtract(int value, int offset, int bits)
{
    return static_cast<int>(static_cast<uint>(value) << (32 - offset - bits)) >> (32 - bits);
}

} // namespace vmaf::test::glsl
