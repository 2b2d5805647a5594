#pragma once

#include "feature/feature.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf::test {

/// The sums of spec ssimulacra2 3 in double precision, from the definition: no form of it that
/// suits single precision, no shortcut.
/// @param yuv_matrix the option's value.
Ssimulacra2Sums ssimulacra2_by_definition(const FramePlanes &planes, const PictureFormat &format, int yuv_matrix);

} // namespace vmaf::test
