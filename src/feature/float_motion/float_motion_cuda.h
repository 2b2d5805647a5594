#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

/// Frames without a reference picture read one call earlier are compared with nothing: their sums stay 0.
extern const CudaBackend kFloatMotionCuda;

} // namespace vmaf
