#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/model.h"
#include "model/model_file.h"

namespace vmaf {

/// The members of a model file's "model_dict" as they were written. Unset ones were absent or null.
struct ModelDict {
    std::optional<ModelType> type;
    std::optional<bool> rescales; ///< norm_type
    std::optional<std::vector<std::string>> feature_names;
    std::optional<std::vector<double>> slopes;
    std::optional<std::vector<double>> intercepts;
    std::vector<OptionDict> feature_options;
    std::optional<std::vector<double>> clip;
    std::optional<ScoreTransform> transform;
    std::optional<double> chroma_correction;
    std::optional<std::string> svm_text;
};

/// Makes parameters and checks members that exclude each other (spec models 3).
Result<ModelParameters> make_parameters(const ModelFile &file, ModelDict dict);

} // namespace vmaf
