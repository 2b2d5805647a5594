#pragma once

#include <memory>

#include "feature/common/picture_size.h"
#include "feature/feature.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

extern const FeatureSpec kFloatSsim;
extern const FeatureSpec kFloatMsSsim;

/// spec ssim 3.4: f, by which float_ssim reduces the pictures; 1: not at all.
unsigned ssim_factor(const OptionValues &options, const PictureFormat &format);

/// spec ssim 3.4: the size of a picture reduced by `factor`.
constexpr PictureSize ssim_reduced(PictureSize size, unsigned factor)
{
    if (factor == 1)
        return size;
    return {size.width_px / factor + (size.width_px & 1), size.height_px / factor + (size.height_px & 1)};
}

/// @param factor by which the pictures are reduced. @param map gets the value of each position of
/// the window, row by row; null: nobody wants them.
std::unique_ptr<CpuExtractor> make_float_ssim_cpu(const PictureFormat &format, unsigned factor, CpuTarget target,
                                                  float *map = nullptr);
std::unique_ptr<CpuExtractor> make_float_ms_ssim_cpu(const PictureFormat &format, CpuTarget target);

} // namespace vmaf
