#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "model/model_file.h"
#include "model/svr.h"

namespace vmaf {

/// Reads a regression in LIBSVM's text layout (spec models 3).
/// @param dimensions number of the model's features.
/// @param file where the text comes from, for the reason of a failure.
Result<Svr> parse_svm_text(const ModelFile &file, std::string_view text, std::size_t dimensions);

} // namespace vmaf
