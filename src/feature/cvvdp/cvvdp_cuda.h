#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kCvvdpCuda;

} // namespace vmaf
