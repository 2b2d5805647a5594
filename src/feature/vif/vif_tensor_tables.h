#pragma once

#include <memory>

#include "feature/vif/vif_cuda_params.h"

namespace vmaf {

/// Throws std::bad_alloc.
std::unique_ptr<VifTensorTables> make_vif_tensor_tables();

/// The entry of a matrix before it is dealt to the lanes of a warp.
/// @param input  column, 0..31
/// @param output row, 0..15
std::uint8_t vif_tensor_entry(VifTensorMatrix matrix, unsigned input, unsigned output);

} // namespace vmaf
