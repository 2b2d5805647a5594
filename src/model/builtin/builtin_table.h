#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "model/builtin/builtin_data.h"

namespace vmaf {

using BuiltinOption = std::pair<std::string_view, std::string_view>;

struct BuiltinFeature {
    std::string_view name;
    std::span<const BuiltinOption> options;
};

struct BuiltinTransform {
    bool enabled;
    double p0;
    double p1;
    double p2;
    bool out_gte_in;
};

/// A built-in model or collection.
struct BuiltinModel {
    const char *version;
    const char *help;                               ///< what it is for: half a sentence for listings
    std::span<const BuiltinRegression> regressions; ///< one, or the main model and the collection's members
    std::span<const BuiltinFeature> features;
    std::optional<BuiltinTransform> transform;
    double clip_max; ///< the minimum is always 0
    double chroma_correction;
};

inline constexpr std::size_t kBuiltinModels = 17; ///< spec models 2.1
inline constexpr std::size_t kMostModelFeatures = 6;

std::span<const BuiltinModel, kBuiltinModels> builtin_models();

} // namespace vmaf
