#pragma once

#include "base/guarded.h"
#include "engine/frame.h"
#include "engine/score_table.h"

namespace vmaf {

/// The frame's planes where its pictures are in host memory.
FramePlanes host_planes(const Frame &frame);

/// Computes what is due of a frame, whatever the device has not computed already, and writes all its scores to the table in one step: a
/// frame that fails has none. -ENOMEM with a log line.
Status score_frame(unsigned worker, Frame &frame, Guarded<ScoreTable> &table);

} // namespace vmaf
