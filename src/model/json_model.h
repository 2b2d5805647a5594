#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model.h"
#include "model/model_file.h"

namespace vmaf {

enum class JsonLayout {
    single,    ///< {"model_dict": ...}
    collection ///< {"0": single, "1": single, ...}
};

/// Reads the models of a file in the layout of spec models 3, at least one. Everything that section
/// rules out of one model is refused, with one error line.
Result<std::vector<ModelParameters>> parse_model_json(const ModelFile &file, std::string_view text, JsonLayout layout);

} // namespace vmaf
