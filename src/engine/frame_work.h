#pragma once

#include "base/guarded.h"
#include "engine/frame.h"
#include "engine/score_table.h"

namespace vmaf {

/// Place where a feature's backend runs.
enum class Runs { on_device, on_cpu };

/// Planes that the frame's started features there read of the pair that was read `age` calls
/// before.
PairMask planes_read(const Frame &frame, Runs runs, unsigned age);

/// Makes Frame::planes and room for what CPU features see of them: the views of pictures in host
/// memory; of device pictures they come with the transfers. Takes memory for planes that are not
/// plain and that CPU features read; score_frame() normalises them. -ENOMEM, or throws
/// std::bad_alloc.
Status prepare_planes(Frame &frame, NormalisedPlanes &memory);

/// Computes what is due of a frame, whatever the device has not computed already, and writes all
/// its scores to the table in one step: a frame that fails has none. -ENOMEM with a log line.
Status score_frame(unsigned worker, Frame &frame, Guarded<ScoreTable> &table);

} // namespace vmaf
