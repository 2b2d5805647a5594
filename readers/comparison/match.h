#pragma once

#include <memory>

#include "common/console.h"
#include "comparison/plan.h"
#include "input/input_options.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Says it, warns of it or throws it as Failure, as its severity demands.
void tell(const Decision &decision, Warnings &warnings);

/// Bring both to one form, as far as the options say so (spec comparison 2). Says what it does. Throws Failure.
void match_videos(std::unique_ptr<VideoReader> &ref, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                  Warnings &warnings);

} // namespace vmaf::tool
