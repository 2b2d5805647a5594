#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "common/console.h"
#include "comparison/plan.h"
#include "input/input_options.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Says it, warns of it or throws it as Failure, as its severity demands.
void tell(const Decision &decision, Warnings &warnings);

/// The video's own tags.
VideoDescription description_of(const VideoReader &video);

/// A reference, which is decoded once however many forms its encodes need.
struct Reference {
    /// The reference in its own form.
    explicit Reference(std::unique_ptr<VideoReader> video);

    struct Form {
        std::unique_ptr<VideoReader> video;
        std::optional<Delivery> delivery = {}; ///< empty until an encode needs the form
    };
    VideoDescription description;
    std::vector<Form> forms; ///< one or more, to be read side by side
};

struct Match {
    std::size_t form; ///< index of the reference's form
    std::vector<Decision> decisions;
};

/// Bring both to one form, as far as the options say so (spec comparison 2). Says what it does.
/// Encodes that were matched before keep their forms of the reference. Throws Failure.
Match match_videos(Reference &reference, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                   Warnings &warnings);

} // namespace vmaf::tool
