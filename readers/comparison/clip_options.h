#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/video_reader.h"

/// What features ask of their callers, taken from the videos (spec comparison 3).
namespace vmaf::tool {

/// A distorted video as its file holds it.
struct EncodedVideo {
    std::string name; ///< printable
    VideoFormat format;
};

/// The videos as features see them.
struct ClipFacts {
    PictureForm form;  ///< of the pictures that are scored
    ColourTags colour; ///< as the reference's file says
    bool is_still = false;
    std::optional<double> frame_rate; ///< the reference's
    std::vector<EncodedVideo> encodes;
};

ClipFacts facts_of(const VideoReader &ref, const VideoReader &dis);

/// Name and value.
using OptionValue = std::pair<std::string, std::string>;

struct ClipOptions {
    std::vector<OptionValue> values;
    std::string note;                ///< which of them follow the reference's colour; empty: none
    std::vector<std::string> doubts; ///< what the feature cannot take, with the cure
};

/// The options of a feature that have a role (VmafOptionRole) which the facts fill and that the
/// user has not given. Options that change the names of outputs are left alone. A feature that the
/// library does not have gets none.
ClipOptions clip_options(std::string_view feature, const std::vector<OptionValue> &given, const ClipFacts &facts);

/// Add them to `given`, say the note, and warn of doubts. Once for each feature, however many
/// sessions there are.
void add_clip_options(std::string_view feature, std::vector<OptionValue> &given, const ClipFacts &facts,
                      Warnings &warnings);

} // namespace vmaf::tool
