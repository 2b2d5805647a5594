// VMAF model parameters: Copyright (c) 2020 Netflix, Inc., BSD-2-Clause-Patent
// (https://opensource.org/licenses/BSDplusPatent), published at https://github.com/Netflix/vmaf.

#include "model/builtin/builtin_table.h"

#include <algorithm>

namespace vmaf {
namespace {

using Option = BuiltinOption;

constexpr Option kAdmNeg[] = {{"adm_enhn_gain_limit", "1"}};
constexpr Option kVifNeg[] = {{"vif_enhn_gain_limit", "1"}};

constexpr BuiltinFeature kV06[] = {
    {"VMAF_integer_feature_adm2_score", {}},       {"VMAF_integer_feature_motion2_score", {}},
    {"VMAF_integer_feature_vif_scale0_score", {}}, {"VMAF_integer_feature_vif_scale1_score", {}},
    {"VMAF_integer_feature_vif_scale2_score", {}}, {"VMAF_integer_feature_vif_scale3_score", {}},
};
constexpr BuiltinFeature kV06Neg[] = {
    {"VMAF_integer_feature_adm2_score", kAdmNeg},       {"VMAF_integer_feature_motion2_score", {}},
    {"VMAF_integer_feature_vif_scale0_score", kVifNeg}, {"VMAF_integer_feature_vif_scale1_score", kVifNeg},
    {"VMAF_integer_feature_vif_scale2_score", kVifNeg}, {"VMAF_integer_feature_vif_scale3_score", kVifNeg},
};
constexpr BuiltinFeature kFloatV06[] = {
    {"VMAF_feature_adm2_score", {}},       {"VMAF_feature_motion2_score", {}},    {"VMAF_feature_vif_scale0_score", {}},
    {"VMAF_feature_vif_scale1_score", {}}, {"VMAF_feature_vif_scale2_score", {}}, {"VMAF_feature_vif_scale3_score", {}},
};
constexpr BuiltinFeature kFloatV06Neg[] = {
    {"VMAF_feature_adm2_score", kAdmNeg},       {"VMAF_feature_motion2_score", {}},
    {"VMAF_feature_vif_scale0_score", kVifNeg}, {"VMAF_feature_vif_scale1_score", kVifNeg},
    {"VMAF_feature_vif_scale2_score", kVifNeg}, {"VMAF_feature_vif_scale3_score", kVifNeg},
};

constexpr Option kCambi[] = {
    {"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}, {"cambi_max_val", "17"}};

constexpr Option kSpeed[] = {
    {"speed_nn_floor", "0.1"}, {"speed_sigma_nn", "0.19"}, {"speed_weight_var_mode", "5"}, {"speed_max_val", "45"}};
constexpr Option kSpeedKernelscale[] = {{"speed_kernelscale", "1"},
                                        {"speed_nn_floor", "0.1"},
                                        {"speed_sigma_nn", "0.19"},
                                        {"speed_weight_var_mode", "5"},
                                        {"speed_max_val", "45"}};

/// speed_chroma measured on pictures scaled by `prescale` first.
constexpr std::array<Option, 6> speed_prescaled(std::string_view prescale)
{
    return {{{"speed_nn_floor", "0.1"},
             {"speed_sigma_nn", "0.19"},
             {"speed_weight_var_mode", "5"},
             {"speed_prescale", prescale},
             {"speed_prescale_method", "bilinear"},
             {"speed_max_val", "45"}}};
}
constexpr auto kSpeedPrescale06 = speed_prescaled("0.6");
constexpr auto kSpeedPrescale05 = speed_prescaled("0.5");

/// Viewing distance in display heights, display height in pixels.
constexpr std::array<Option, 7> adm_viewed(std::string_view distance, std::string_view display_height_px)
{
    return {{{"adm_dlm_weight", "0.7"},
             {"adm_enhn_gain_limit", "1"},
             {"adm_noise_weight", "0.02"},
             {"adm_norm_view_dist", distance},
             {"adm_ref_display_height", display_height_px},
             {"adm_min_val", "0.5"},
             {"adm_csf_mode", "2"}}};
}
constexpr auto kAdm3d0h = adm_viewed("3", "1080");
constexpr auto kAdm5d0h = adm_viewed("5", "1080");
constexpr auto kAdm3d0h2160 = adm_viewed("3", "2160");
constexpr auto kAdm1d5h2160 = adm_viewed("1.5", "2160");

constexpr Option kMotion[] = {{"motion_max_val", "18"}};
constexpr Option kMotionHfr[] = {
    {"motion_max_val", "18"}, {"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}};

constexpr std::array<BuiltinFeature, 4> v1_features(std::span<const Option> speed, std::span<const Option> adm,
                                                    std::span<const Option> motion)
{
    return {{{"Cambi_feature_cambi_score", kCambi},
             {"Speed_chroma_feature_speed_chroma_uv_score", speed},
             {"VMAF_integer_feature_adm3_score", adm},
             {"VMAF_integer_feature_motion3_score", motion}}};
}
constexpr auto kV1At3d0h = v1_features(kSpeedKernelscale, kAdm3d0h, kMotion);
constexpr auto kV1At5d0h = v1_features(kSpeedPrescale06, kAdm5d0h, kMotion);
constexpr auto kV1At3d0h2160 = v1_features(kSpeedPrescale05, kAdm3d0h2160, kMotion);
constexpr auto kV1At1d5h2160 = v1_features(kSpeed, kAdm1d5h2160, kMotion);
constexpr auto kV1HfrAt3d0h = v1_features(kSpeedKernelscale, kAdm3d0h, kMotionHfr);
constexpr auto kV1HfrAt5d0h = v1_features(kSpeedPrescale06, kAdm5d0h, kMotionHfr);
constexpr auto kV1HfrAt3d0h2160 = v1_features(kSpeedPrescale05, kAdm3d0h2160, kMotionHfr);
constexpr auto kV1HfrAt1d5h2160 = v1_features(kSpeed, kAdm1d5h2160, kMotionHfr);

constexpr BuiltinTransform kTransformV06{false, 1.70674692, 1.72643844, -0.00705305, true};
constexpr BuiltinTransform kTransform1080{true, 5.30624188, 0.980791305, -0.000490758318, false};
constexpr BuiltinTransform kTransform3d0h2160{true, 5, 1, 0, false};
constexpr BuiltinTransform kTransform1d5h2160{true, 0, 1, 0, false};

constexpr double kV1Chroma = 120;

constexpr std::span<const BuiltinRegression, 1> kV061(&kRegressionV061, 1);
constexpr std::span<const BuiltinRegression, 1> k4kV061(&kRegression4kV061, 1);
constexpr std::span<const BuiltinRegression, 1> kV1016(&kRegressionV1016, 1);

constexpr BuiltinModel kModels[] = {
    {"vmaf_v0.6.1", "1080p at three screen heights", kV061, kV06, kTransformV06, 100, 0},
    {"vmaf_v0.6.1neg", "vmaf_v0.6.1 without credit for sharpening and contrast", kV061, kV06Neg, kTransformV06, 100, 0},
    {"vmaf_4k_v0.6.1", "2160p at one and a half screen heights", k4kV061, kV06, {}, 100, 0},
    {"vmaf_4k_v0.6.1neg", "vmaf_4k_v0.6.1 without credit for sharpening and contrast", k4kV061, kV06Neg, {}, 100, 0},
    {"vmaf_b_v0.6.3", "1080p, with a confidence interval from 20 more models", kRegressionsBV063, kV06, kTransformV06,
     100, 0},
    {"vmaf_float_v0.6.1", "vmaf_v0.6.1 from the float_ features", kV061, kFloatV06, kTransformV06, 100, 0},
    {"vmaf_float_v0.6.1neg", "vmaf_float_v0.6.1 without credit for sharpening and contrast", kV061, kFloatV06Neg,
     kTransformV06, 100, 0},
    {"vmaf_float_4k_v0.6.1", "vmaf_4k_v0.6.1 from the float_ features", k4kV061, kFloatV06, {}, 100, 0},
    {"vmaf_float_b_v0.6.3", "vmaf_b_v0.6.3 from the float_ features", kRegressionsBV063, kFloatV06, kTransformV06, 100,
     0},
    {"vmaf_v1.0.16_3d0h", "VMAF v1, 1080p at 3 screen heights", kV1016, kV1At3d0h, kTransform1080, 100, kV1Chroma},
    {"vmaf_v1.0.16_5d0h", "VMAF v1, 1080p at 5 screen heights", kV1016, kV1At5d0h, kTransform1080, 100, kV1Chroma},
    {"vmaf_v1.0.16_3d0h_2160", "VMAF v1, 2160p at 3 screen heights", kV1016, kV1At3d0h2160, kTransform3d0h2160, 110,
     kV1Chroma},
    {"vmaf_v1.0.16_1d5h_2160", "VMAF v1, 2160p at 1.5 screen heights", kV1016, kV1At1d5h2160, kTransform1d5h2160, 100,
     kV1Chroma},
    {"vmaf_v1.0.16_hfr_3d0h", "vmaf_v1.0.16_3d0h for 50 to 60 frames/s", kV1016, kV1HfrAt3d0h, kTransform1080, 100,
     kV1Chroma},
    {"vmaf_v1.0.16_hfr_5d0h", "vmaf_v1.0.16_5d0h for 50 to 60 frames/s", kV1016, kV1HfrAt5d0h, kTransform1080, 100,
     kV1Chroma},
    {"vmaf_v1.0.16_hfr_3d0h_2160", "vmaf_v1.0.16_3d0h_2160 for 50 to 60 frames/s", kV1016, kV1HfrAt3d0h2160,
     kTransform3d0h2160, 110, kV1Chroma},
    {"vmaf_v1.0.16_hfr_1d5h_2160", "vmaf_v1.0.16_1d5h_2160 for 50 to 60 frames/s", kV1016, kV1HfrAt1d5h2160,
     kTransform1d5h2160, 100, kV1Chroma},
};
static_assert(std::ranges::all_of(kModels, [](const BuiltinModel &model) {
    return model.features.size() <= kMostModelFeatures;
}));

} // namespace

std::span<const BuiltinModel, kBuiltinModels> builtin_models()
{
    return kModels;
}

} // namespace vmaf
