#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/crop.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// What a reader does with frames whose size is not that of the first one.
enum class OtherSizes { are_errors, are_scaled };

/// What one side of a comparison is to deliver.
struct Delivery {
    PictureForm form;
    OtherSizes other_sizes = OtherSizes::are_errors;
    std::vector<std::string> conversions = {}; ///< what that takes, for reports
    std::optional<Crop> crop = {};             ///< crop of upright pictures; empty: none

    bool operator==(const Delivery &) const = default;
};

} // namespace vmaf::tool
