#pragma once

#include <algorithm>
#include <cstddef>

#include "base/result.h"
#include "cuda/batch.h"

namespace vmaf {

/// How many frames of a batch go through the kernels at once: as many as `most_bytes` of scratch memory have room for, at least one.
inline unsigned part_frames(unsigned max_batch, std::size_t frame_bytes, std::size_t most_bytes)
{
    return static_cast<unsigned>(
        std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(frame_bytes, 1), 1, max_batch));
}

/// Calls submit() for every part of the batch, of at most `part_frames` frames, which are put into `part` before.
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
