#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "report/feature_maps.h"
#include "report/frames_again.h"
#include "report/report_data.h"

namespace vmaf::tool {

/// Limits for the pictures of an encode.
struct PictureRoom {
    std::size_t most_bytes; ///< limit for all data URIs
    unsigned crop_px;       ///< width of what is shown pixel for pixel
    unsigned whole_px;      ///< width of the worst frame as a whole
    std::size_t mapped;     ///< number of frames that have maps, the worst ones
};

struct WorstPictures {
    std::vector<FramePictures> pictures; ///< in the order of the frames asked for, as many of them as fit
    std::string missing;                 ///< what is not there, and why; empty: nothing
};

/// Pictures of these frames, for which the videos are read once more where they can be.
/// @param frames the most wanted first. @param maps shown over them. @param stop gives up early.
WorstPictures worst_pictures(const ScoredSide &ref, const ScoredSide &dis, std::span<const unsigned> frames,
                             std::span<const MappedFeature> maps, PictureRoom room, const std::stop_token &stop);

} // namespace vmaf::tool
