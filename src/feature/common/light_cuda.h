#pragma once

#include "cuda/tables.h"
#include "feature/common/light.h"
#include "feature/common/light_curve_table.h"

namespace vmaf {

/// Light for kernels, with its tables on the device.
struct CudaLight {
    CudaDeviceMemory memory; ///< empty: there is no table
    LightParams params;
    LightCurve curve; ///< of what is made of the light, if that is tabulated
};

/// The context is current. Throws std::bad_alloc.
inline Result<CudaLight> make_cuda_light(const CudaContextPtr &context, const Light &light,
                                         const LightCurveTable *curve = nullptr)
{
    CudaLight result{};
    CudaTables tables;
    const std::size_t light_at = tables.add(light.table());
    const std::size_t curve_at = curve != nullptr ? tables.add(curve->segments()) : 0;
    if (curve != nullptr || !light.table().empty()) {
        VMAF_TRY_ASSIGN(result.memory, tables.upload(context));
    }
    result.params = light.params(cuda_table<float>(result.memory, light_at));
    if (curve != nullptr)
        result.curve = curve->curve(cuda_table<CurveSegment>(result.memory, curve_at));
    return result;
}

} // namespace vmaf
