#include "feature/cuda_backends.h"

#include <array>

namespace vmaf {
namespace {

constexpr std::array kBackends{VMAF_CUDA_BACKEND_POINTERS};

} // namespace

std::span<const CudaBackend *const> cuda_backends()
{
    return kBackends;
}

const CudaBackend *find_cuda_backend(const FeatureSpec &spec)
{
    for (const CudaBackend *backend : kBackends)
        if (backend->spec == &spec)
            return backend;
    return nullptr;
}

} // namespace vmaf
