#include "feature/registry.h"

#include <array>

#include "feature/metrics.h"
#include "feature/null_feature.h"

namespace vmaf {

extern const FeatureSpec VMAF_FEATURES;

namespace {

constexpr std::array kFeatures{VMAF_FEATURE_POINTERS, &kNull};

} // namespace

std::span<const FeatureSpec *const> feature_registry()
{
    return kFeatures;
}

const FeatureSpec *find_feature(std::string_view name)
{
    for (const FeatureSpec *spec : kFeatures)
        if (spec->name == name)
            return spec;
    return nullptr;
}

const FeatureSpec *find_feature_providing(std::string_view output)
{
    for (const FeatureSpec *spec : kFeatures)
        for (const char *name : spec->provided)
            if (output == name)
                return spec;
    return nullptr;
}

} // namespace vmaf
