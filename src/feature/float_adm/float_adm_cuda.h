#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

/// None for an adm_p_norm other than 3: the C library's powf() of every position is the CPU's.
extern const CudaBackend kFloatAdmCuda;

} // namespace vmaf
