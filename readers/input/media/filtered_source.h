#pragma once

#include <memory>
#include <optional>
#include <string>

#include "input/media/planar_source.h"
#include "input/media/scaling.h"

namespace vmaf::tool {

/// Filters that frames go through before everything else.
struct FrameFilters {
    bool deinterlaces = false;            ///< kDeinterlacer comes first
    std::optional<std::string> graph;     ///< graph that the user wrote
    std::optional<Background> background; ///< see PlanarFrames
};

/// The frames that libavfilter makes of a source's frames. The first one is made at once. Throws
/// Failure.
/// @param filters at least one.
std::unique_ptr<PlanarSource> make_filtered(std::unique_ptr<PlanarSource> source, const FrameFilters &filters,
                                            Rounding rounding);

} // namespace vmaf::tool
