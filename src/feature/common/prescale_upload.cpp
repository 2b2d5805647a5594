#include "feature/common/prescale_upload.h"

#include "cuda/tables.h"

namespace vmaf {

Result<CudaPrescaler> make_cuda_prescaler(const CudaContextPtr &context, PrescaleMethod method, const PictureSize &from,
                                          const PictureSize &to)
{
    const PrescaleAxis columns(method, from.width_px, to.width_px), rows(method, from.height_px, to.height_px);
    CudaTables all;
    const std::size_t column_index = all.add(columns.index), column_weight = all.add(columns.weight);
    const std::size_t row_index = all.add(rows.index), row_weight = all.add(rows.weight);
    CudaPrescaler prescaler;
    VMAF_TRY_ASSIGN(prescaler.memory, all.upload(context));
    const auto axis = [&](const PrescaleAxis &of, std::size_t index, std::size_t weight) {
        return PrescaleAxisTables{cuda_table<int>(prescaler.memory, index), cuda_table<float>(prescaler.memory, weight),
                                  static_cast<int>(of.length)};
    };
    prescaler.tables = {axis(columns, column_index, column_weight), axis(rows, row_index, row_weight),
                        static_cast<int>(columns.taps), is_normalised(method)};
    return prescaler;
}

} // namespace vmaf
