#include "listing/gpu_tolerance.h"

#include "feature/cuda_backends.h"

namespace vmaf {

double gpu_tolerance(const FeatureSpec &feature)
{
    const CudaBackend *const backend = find_cuda_backend(feature);
    return backend != nullptr ? backend->tolerance : 0;
}

} // namespace vmaf
