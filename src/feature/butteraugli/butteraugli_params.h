#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

constexpr unsigned kButteraugliMinPx = 8;
/// From this size on the map has a part of half size (spec butteraugli 3.9).
constexpr unsigned kButteraugliTwoScalesPx = 15;
constexpr float kButteraugliFullWeight = 0.85F, kButteraugliHalfWeight = 0.5F;

/// spec butteraugli 3.10: the norms' orders.
enum ButteraugliPower : unsigned { kButteraugli2, kButteraugli3, kButteraugli6, kButteraugli12, kButteraugliPowers };

/// What a device hands to the host for one frame: over the map's pixels the sums of its powers, and
/// the largest.
struct ButteraugliSums {
    double powers[kButteraugliPowers];
    double max;
};

/// spec butteraugli 3.2.
enum ButteraugliBlur : unsigned {
    kButteraugliOpsinBlur,
    kButteraugliHighBlur,
    kButteraugliMaskBlur,
    kButteraugliMediumBlur,
    kButteraugliLowBlur,
    kButteraugliBlurs
};
constexpr unsigned kButteraugliReach[kButteraugliBlurs] = {2, 3, 6, 7, 16};
constexpr unsigned kButteraugliMostReach = 16;
constexpr double kButteraugliSigma[kButteraugliBlurs] = {1.2, 1.56416327805, 2.7, 3.22489901262, 7.15593339443};

/// How far Malta's lines and the erosion look.
constexpr unsigned kButteraugliMaltaReach = 4, kButteraugliErosionReach = 3;

/// spec butteraugli 3.3: the weights of linear R, G, B and the bias of each cone.
constexpr double kButteraugliCones[3][3] = {{0.29956550340058319, 0.63373087833825936, 0.077705617820981968},
                                            {0.22158691104574774, 0.69391388044116142, 0.0987313588422},
                                            {0.02, 0.02, 0.20480129041026129}};
constexpr double kButteraugliBias[3] = {1.7557483643287353, 1.7557483643287353, 12.226454707163354};
constexpr double kButteraugliGammaFactor = 19.245013259874995, kButteraugliGammaOffset = 9.9710635769299145,
                 kButteraugliGammaLess = 23.16046239805755, kButteraugliLeastSensitivity = 0.0001;

/// spec butteraugli 3.4.
constexpr float kButteraugliLowX = 33.832837186260F, kButteraugliLowY = 14.458268100570F,
                kButteraugliLowB = 49.87984651440F, kButteraugliLowYInB = 0.362267051518F;
constexpr float kButteraugliMediumRemoveX = 0.29F, kButteraugliMediumAmplifyY = 0.1F;
constexpr float kButteraugliSuppress = 46, kButteraugliLeastSuppressed = 0.653020556257F;
constexpr float kButteraugliUltraRemoveX = 0.04F, kButteraugliHighRemoveX = 1.5F;
constexpr float kButteraugliClampSlope = 0.724216145665F, kButteraugliHighClampY = 28.4691806922F,
                kButteraugliUltraClampY = 5.19175294647F, kButteraugliUltraGainY = 2.69313763794F,
                kButteraugliHighGainY = 2.155F, kButteraugliHighAmplifyY = 0.132F;

/// spec butteraugli 3.6: the weights of squared differences.
constexpr float kButteraugliMediumError[3] = {2150, 10.6195433239F, 16.2176043152F};
constexpr float kButteraugliLowError[3] = {29.2353797994F, 0.844626970982F, 0.703646627719F};
constexpr double kButteraugliHighErrorX = 400, kButteraugliHighErrorY = 1.50815703118;

/// spec butteraugli 3.7, 3.8.
constexpr float kButteraugliActivityX = 2.5F, kButteraugliActivityY = 0.4F, kButteraugliActivity = 6.19424080439F,
                kButteraugliActivityBias = static_cast<float>(6.19424080439 * 12.61050594197),
                kButteraugliActivityBiasRoot = 8.83812822207016F;
constexpr float kButteraugliMaskError = 10;
constexpr float kButteraugliErosion[3] = {0.45F, 0.3F, 0.25F};
constexpr float kButteraugliGlobal = static_cast<float>(1 / (17.83 * 0.79079917404));
constexpr float kButteraugliMaskAc[3] = {2.5485944793F, 0.451936922203F, 0.829591754942F},
                kButteraugliMaskDc[3] = {0.505054525019F, 3.87449418804F, 0.20025578522F};

/// spec butteraugli 3.5: the planes through whose differences lines are drawn.
enum ButteraugliPlane : unsigned {
    kButteraugliMediumX,
    kButteraugliMediumY,
    kButteraugliHighX,
    kButteraugliHighY,
    kButteraugliUltraX,
    kButteraugliUltraY,
    kButteraugliLinePlanes
};

/// What the options change.
struct ButteraugliTuning {
    double intensity; ///< nits of linear 1

    /// spec butteraugli 3.5: N, c0, c1, by ButteraugliPlane.
    struct Lines {
        float norm, equal, one_sided;
    };
    Lines lines[kButteraugliLinePlanes];

    /// spec butteraugli 3.6: the weights of the two terms of hf, X and Y.
    struct High {
        float equal, one_sided;
    };
    High high[2];
};

} // namespace vmaf
