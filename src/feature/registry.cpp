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
        if (name == spec->name)
            return spec;
    return nullptr;
}

const FeatureSpec *find_feature_providing(std::string_view output)
{
    for (const FeatureSpec *spec : kFeatures) {
        if (spec->also_provides != nullptr && output == spec->also_provides)
            return spec;
        for (const VmafOutputInfo *written : listed(spec->outputs))
            if (written->for_models != 0 && output == written->name)
                return spec;
    }
    return nullptr;
}

std::string_view output_alias(std::string_view stored_name)
{
    for (const FeatureSpec *spec : kFeatures)
        for (const VmafOutputInfo *output : listed(spec->outputs))
            if (output->name == stored_name)
                return output->log_name;
    return stored_name;
}

} // namespace vmaf
