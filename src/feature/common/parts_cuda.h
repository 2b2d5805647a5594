#pragma once

#include "base/round_up.h"
#include "cuda/batch_parts.h"
#include "cuda/handles.h"
#include "feature/cuda_extractor.h"

namespace vmaf {

/// An extractor through whose kernels frames go in parts. For each frame of a part, scratch memory
/// holds the sums of blocks, and planes of floats. `Params`, the kernels' argument, has the members
/// `batch`, `slots`, `planes` and `frame_floats`.
template <class Params> class CudaPartsExtractor : public CudaExtractor {
  public:
    std::size_t scratch_bytes() const final
    {
        return slots_bytes_ + params_.frame_floats * sizeof(float) * part_frames_;
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) final
    {
        params_.slots = reinterpret_cast<decltype(params_.slots)>(scratch);
        params_.planes = reinterpret_cast<float *>(scratch + slots_bytes_);
        return submit_parts(batch, part_frames_, params_.batch, [&] { return submit_part(stream); });
    }

  protected:
    /// @param slot_count of a frame.
    CudaPartsExtractor(CudaModule module, unsigned part_frames, unsigned slot_count, const Params &params)
        : params_(params), module_(std::move(module)), part_frames_(part_frames),
          slots_bytes_(round_up(sizeof(*params.slots) * slot_count * part_frames, kAlignmentBytes))
    {
    }

    /// The frames that params().batch has.
    virtual Status submit_part(CUstream stream) = 0;

    /// @param grid of each frame, or of each of so many pictures of a frame.
    Status launch(CUstream stream, CUfunction kernel, CudaDim grid, unsigned threads, unsigned shared_bytes = 0) const
    {
        return cuda_launch(*module_.context(), kernel, {grid.x, grid.y, grid.z * params_.batch.count}, {threads},
                           shared_bytes, stream, params_);
    }

    /// What the next launch is given.
    Params &params() { return params_; }
    const Params &params() const { return params_; }

  private:
    static constexpr std::size_t kAlignmentBytes = 256;

    Params params_;
    CudaModule module_;
    unsigned part_frames_;
    std::size_t slots_bytes_;
};

} // namespace vmaf
