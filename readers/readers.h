#pragma once

/// Videos for whoever scores them: the tool, the Python package and the benchmarks include this.
///
///     Videos videos = open_videos(options, gpu, warnings);
///     check_comparable(videos);
///     align_videos(videos, options);
///     SessionSink sink = sink_of(videos, sessions);
///     std::vector<FrameLoopResult> results =
///         read_frames(whole_clip(options), sources_of(videos, options), sink, stop, progress);
///     sink.end_all(results);

#include "align_videos.h"
#include "common/console.h"
#include "compared_videos.h"
#include "frames/frame_loop.h"
#include "frames/segments.h"
#include "frames/session_sink.h"
#include "machine/machine.h"
#include "model_choice.h"
#include "reading_options.h"
#include "sampled_encodes.h"
