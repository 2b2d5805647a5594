#pragma once

#include <memory>
#include <string>

#include "feature/cambi/cambi_geometry.h"
#include "feature/cambi/cambi_heatmaps.h"
#include "feature/cambi/cambi_params.h"
#include "feature/cambi/cambi_preprocess.h"
#include "feature/cambi/cambi_visibility.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kCambi;

/// Parameters of a backend for one picture format.
struct CambiTask {
    CambiGeometry geometry;
    CambiSmoothing smoothing;
    CambiVisibility visibility;
    double topk;
    bool measures_ref;                             ///< full_ref
    std::shared_ptr<const CambiHeatmaps> heatmaps; ///< of the distorted picture; null: none are written
    MetricMap *map = nullptr; ///< zeros for the pixels of scale 0, to which each scale adds; null: nobody wants it
};

/// Without heatmaps.
CambiTask cambi_task(const OptionValues &options, const PictureFormat &format);
bool cambi_writes_heatmaps(const OptionValues &options);

std::unique_ptr<CpuExtractor> make_cambi_cpu(const PictureFormat &format, const CambiTask &task, CpuTarget target);

} // namespace vmaf
