#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/input_options.h"
#include "input/video_reader.h"
#include "libvmaf/libvmaf_ext.h"

/// Options that describe the clip, set from the videos (spec comparison 3).
namespace vmaf::tool {

/// A distorted video as its file holds it.
struct EncodedVideo {
    std::string name;   ///< printable
    VideoFormat format; ///< turned as it is shown
    std::optional<double> frame_rate = std::nullopt;
};

/// The videos as features see them.
struct ClipFacts {
    PictureForm form;  ///< form of the scored pictures
    ColourTags colour; ///< tags of the reference's file
    bool is_still = false;
    std::optional<double> frame_rate; ///< the reference's
    std::optional<EncodedVideo> encode = std::nullopt;
    Display display = Display::none; ///< that they are scaled to
    bool any_is_media = false;
};

ClipFacts facts_of(const VideoReader &ref, const VideoReader &dis, Display display);

/// Name and value.
using OptionValue = std::pair<std::string, std::string>;

struct ClipOptions {
    std::vector<OptionValue> values;
    std::vector<std::string> notes;  ///< which of them follow the reference's colour, and which the encode
    std::vector<std::string> doubts; ///< what the feature cannot take, with the cure
};

/// How a distorted video was encoded, of which that is not how it is scored: the options of a
/// feature that ask for it, and what they cannot take.
ClipOptions encode_options(const VmafFeatureInfo &feature, const ClipFacts &facts);

/// The options of a feature that have a role (VmafOptionRole) which the facts fill and that the
/// user has not given. Of options that change the names of outputs only those of the encode are
/// filled. A feature that the library does not have gets none.
ClipOptions clip_options(std::string_view feature, const std::vector<OptionValue> &given, const ClipFacts &facts);

/// Add them to `given`, say the notes, and warn of doubts. Once for each feature, however many
/// sessions there are.
void add_clip_options(std::string_view feature, std::vector<OptionValue> &given, const ClipFacts &facts,
                      Warnings &warnings);

} // namespace vmaf::tool
