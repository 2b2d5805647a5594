#pragma once

#include "cuda/tables.h"
#include "feature/common/light.h"

namespace vmaf {

/// Light for kernels, with its table on the device.
struct CudaLight {
    CudaDeviceMemory memory; ///< empty: there is no table
    LightParams params;
};

/// The context is current. Throws std::bad_alloc.
inline Result<CudaLight> make_cuda_light(const CudaContextPtr &context, const Light &light)
{
    CudaLight result{};
    if (!light.table().empty()) {
        CudaTables tables;
        const std::size_t at = tables.add(light.table());
        VMAF_TRY_ASSIGN(result.memory, tables.upload(context));
        result.params = light.params(cuda_table<float>(result.memory, at));
    } else {
        result.params = light.params(nullptr);
    }
    return result;
}

} // namespace vmaf
