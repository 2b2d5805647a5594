#pragma once

#include <array>
#include <cstdint>

namespace vmaf {

/// The logarithm T of spec vif 3.4 for m = 32768 .. 65535, in one entry for each aligned block of 8
/// (spec vif 5: T steps by at most 1 inside a block):
///
///     T(m) = 30720 + ((entry[(m - 32768) >> 3] + (m & 7)) >> 3)
using VifLogTable = std::array<std::uint32_t, 4096>;

/// Made at the first call.
const VifLogTable &vif_log_table();

} // namespace vmaf
