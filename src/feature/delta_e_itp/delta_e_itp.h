#pragma once

#include <memory>

#include "feature/common/light.h"
#include "feature/common/light_curve_table.h"
#include "feature/delta_e_itp/delta_e_itp_params.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kDeltaEItp;

/// spec hdr 4: what samples stand for.
struct DeltaEItpOptions {
    explicit DeltaEItpOptions(const OptionValues &options);

    int yuv_matrix;
    LightSignal light; ///< of the primaries of BT.2020, in cd/m2
};

/// The inverse of PQ's EOTF of light in cd/m2. Throws std::bad_alloc.
const LightCurveTable &delta_e_itp_curve();

std::unique_ptr<CpuExtractor> make_delta_e_itp_cpu(const PictureFormat &format, const DeltaEItpOptions &options,
                                                   CpuTarget target);

} // namespace vmaf
