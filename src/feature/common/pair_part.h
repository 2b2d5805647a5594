#pragma once

namespace vmaf {

/// What a pass over a pair of pictures computes: everything, what depends on the reference alone,
/// or the rest.
enum class PairPart { all, reference, distorted };

} // namespace vmaf
