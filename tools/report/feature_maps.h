#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/presets.h"
#include "cli/specs.h"
#include "frames/library.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

/// A feature that was asked for and has a map.
struct MappedFeature {
    const VmafFeatureInfo *info;
    const FeatureSpec *asked;
    std::string name; ///< unique among the named features
};

/// @param selection outlives them.
std::vector<MappedFeature> mapped_features(const Selection &selection);

using OwnedMap = std::unique_ptr<VmafMap, ReleasedBy<vmaf_map_destroy>>;

/// The map of a pair of pictures. Throws Failure.
OwnedMap map_of(const MappedFeature &feature, const VmafPicture &ref, const VmafPicture &dis);

} // namespace vmaf::tool
