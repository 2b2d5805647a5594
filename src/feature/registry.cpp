#include "feature/registry.h"

#include <array>

#include "feature/adm/adm.h"
#include "feature/butteraugli/butteraugli.h"
#include "feature/cambi/cambi.h"
#include "feature/ciede/ciede.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/float_adm/float_adm.h"
#include "feature/float_ansnr/float_ansnr.h"
#include "feature/float_moment/float_moment.h"
#include "feature/float_motion/float_motion.h"
#include "feature/float_psnr/float_psnr.h"
#include "feature/float_vif/float_vif.h"
#include "feature/motion/motion.h"
#include "feature/null_feature.h"
#include "feature/psnr/psnr.h"
#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/speed/speed.h"
#include "feature/ssim/ssim.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/vif/vif.h"
#include "feature/xpsnr/xpsnr.h"

namespace vmaf {
namespace {

constexpr std::array kFeatures{&kFloatPsnr,   &kFloatAnsnr,    &kFloatAdm,    &kFloatVif,  &kFloatMotion, &kFloatMoment,
                               &kSpeedChroma, &kSpeedTemporal, &kFloatMsSsim, &kFloatSsim, &kCiede,       &kPsnr,
                               &kPsnrHvs,     &kAdm,           &kMotion,      &kVif,       &kCambi,       &kSsimulacra2,
                               &kXpsnr,       &kButteraugli,   &kCvvdp,       &kNull};

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
