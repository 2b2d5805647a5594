#pragma once

#include <algorithm>

#include "base/result.h"
#include "cuda/frame_batch.h"

namespace vmaf {

/// Calls submit() for every part of the batch, of at most `part_frames` frames, which are put into
/// `part` before.
template <class Submit>
Status submit_parts(const CudaBatch &batch, unsigned part_frames, CudaPairBatch &part, Submit &&submit)
{
    const CudaPairBatch all = pairs_of(batch);
    for (unsigned first = 0; first < all.count; first += part_frames) {
        part.count = std::min(part_frames, all.count - first);
        std::copy_n(all.frames + first, part.count, part.frames);
        VMAF_TRY(submit());
    }
    return {};
}

} // namespace vmaf
