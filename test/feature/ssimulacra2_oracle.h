#pragma once

#include "feature/feature.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf::test {

/// Sums of spec ssimulacra2 3 in double precision, directly from the definition: without forms that
/// suit single precision, and without shortcuts.
/// @param yuv_matrix the option's value.
Ssimulacra2Sums ssimulacra2_by_definition(const FramePlanes &planes, const PictureFormat &format, int yuv_matrix);

} // namespace vmaf::test
