#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/crop.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// How a reader handles frames of another size than the first.
enum class OtherSizes { are_errors, are_scaled };

/// The form in which one side of a comparison delivers frames.
struct Delivery {
    PictureForm form;
    OtherSizes other_sizes = OtherSizes::are_errors;
    std::vector<std::string> conversions = {}; ///< what that takes, for reports
    std::optional<Crop> crop = {};             ///< crop of upright pictures; empty: none

    bool operator==(const Delivery &) const = default;
};

} // namespace vmaf::tool
