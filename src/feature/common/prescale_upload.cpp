#include "feature/common/prescale_upload.h"

#include <cstring>

namespace vmaf {
namespace {

/// Appends values to the bytes of all tables; where they start.
template <class Value> std::size_t append(std::vector<std::byte> &all, const std::vector<Value> &values)
{
    static_assert(sizeof(Value) == sizeof(float), "so all of them are aligned");
    const std::size_t start = all.size(), bytes = values.size() * sizeof(Value);
    all.resize(start + bytes);
    std::memcpy(all.data() + start, values.data(), bytes);
    return start;
}

struct AxisOffsets {
    std::size_t index, weight;
    int length;

    AxisOffsets(std::vector<std::byte> &all, const PrescaleAxis &axis)
        : index(append(all, axis.index)), weight(append(all, axis.weight)), length(static_cast<int>(axis.length))
    {
    }

    PrescaleAxisTables in(CUdeviceptr memory) const
    {
        return {reinterpret_cast<const int *>(memory + index), reinterpret_cast<const float *>(memory + weight),
                length};
    }
};

} // namespace

Result<CudaPrescaler> make_cuda_prescaler(const CudaContextPtr &context, PrescaleMethod method, const PictureSize &from,
                                          const PictureSize &to)
{
    const PrescaleAxis columns(method, from.width_px, to.width_px), rows(method, from.height_px, to.height_px);
    std::vector<std::byte> all;
    const AxisOffsets column_offsets(all, columns), row_offsets(all, rows);
    CudaPrescaler prescaler;
    VMAF_TRY_ASSIGN(prescaler.memory, make_cuda_device_copy(context, all.data(), all.size()));
    prescaler.tables = {column_offsets.in(prescaler.memory.get()), row_offsets.in(prescaler.memory.get()),
                        static_cast<int>(columns.taps), is_normalised(method)};
    return prescaler;
}

} // namespace vmaf
