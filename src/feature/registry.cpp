#include "feature/registry.h"

#include <array>

#include "feature/adm/adm.h"
#include "feature/motion/motion.h"
#include "feature/null_feature.h"
#include "feature/psnr/psnr.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/vif/vif.h"

namespace vmaf {
namespace {

constexpr std::array kFeatures{&kPsnr, &kAdm, &kMotion, &kVif, &kSsimulacra2, &kNull};

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
