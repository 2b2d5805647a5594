#pragma once

#include <cstddef>

namespace vmaf {

/// The least multiple of `multiple` that is not below `value`.
constexpr std::size_t round_up(std::size_t value, std::size_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

/// How many blocks cover `size`.
constexpr unsigned blocks_for(unsigned size, unsigned per_block)
{
    return (size + per_block - 1) / per_block;
}

} // namespace vmaf
