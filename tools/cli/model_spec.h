#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/printable.h"

namespace vmaf::tool {

/// "EXTRACTOR.OPTION=VALUE" in a model string.
struct FeatureOverload {
    std::string extractor;
    std::string option;
    std::string value;
};

/// One --model argument (spec cli 4.1).
struct ModelSpec {
    std::string version; ///< built-in name; wins over path
    std::string path;
    std::string name = "vmaf"; ///< of the score column
    std::uint64_t flags = 0;   ///< VmafModelFlags
    std::vector<FeatureOverload> overloads;
    bool is_of_preset = false; ///< test conditions name it, whatever the videos are

    /// What messages and result lines call the model.
    std::string label() const { return printable(version.empty() ? path : version); }
};

using IsBuiltinModel = std::function<bool(const std::string &)>;

/// @param is_builtin asked about a bare first item. Throws UsageError.
ModelSpec parse_model_spec(std::string_view text, const IsBuiltinModel &is_builtin);

} // namespace vmaf::tool
