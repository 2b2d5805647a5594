#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/xpsnr/xpsnr_blocks.h"
#include "feature/xpsnr/xpsnr_params.h"

namespace vmaf {

extern const FeatureSpec kXpsnr;

/// The blocks of pictures of that format, as the options want them measured.
XpsnrGrid xpsnr_grid(const OptionValues &options, const PictureFormat &format);

std::unique_ptr<CpuExtractor> make_xpsnr_cpu(const XpsnrGrid &grid, CpuTarget target);

} // namespace vmaf
