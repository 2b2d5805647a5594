#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/handles.h"
#include "engine/cuda/luma_boxes_params.h"
#include "engine/cuda/scaler.h"
#include "engine/foreign_picture.h"

namespace vmaf {

/// How planes are cut into boxes (spec device_pictures 7).
struct LumaGrid {
    unsigned columns, rows;
    unsigned line_step; ///< of a box every so many lines count

    std::size_t boxes() const { return std::size_t{columns} * rows; }
};

/// Sums over boxes of lent pictures' planes in device memory, made by kernels/luma_boxes in the
/// pictures' own streams. One thread uses it at a time.
class CudaLumaBoxes {
  public:
    /// Throws std::bad_alloc.
    static Result<std::unique_ptr<CudaLumaBoxes>> create(const CudaContextPtr &context, const LumaGrid &grid,
                                                         unsigned slots);
    /// Waits for what was queued.
    ~CudaLumaBoxes();
    CudaLumaBoxes(const CudaLumaBoxes &) = delete;
    CudaLumaBoxes &operator=(const CudaLumaBoxes &) = delete;

    /// Whether the sums of such a plane fit their type.
    bool fits(const PictureFormat &scored, unsigned plane) const;
    std::size_t boxes() const { return grid_.boxes(); }
    unsigned slots() const { return static_cast<unsigned>(slots_.size()); }
    const void *device_context() const { return context_->get(); }

    /// Queues the sums of a plane of a picture of this context, and does not wait for them.
    /// `picture` comes back to its client after that work. Throws std::bad_alloc.
    Status add(ForeignPicture &picture, const PictureFormat &scored, unsigned plane, unsigned slot);
    bool has(unsigned slot) const { return slots_[slot]->is_filled; }
    /// Waits for them. The slot has some.
    Status read(unsigned slot, std::uint32_t *sums);

  private:
    /// Sums of one plane that are being made.
    struct Slot final : PictureUse {
        explicit Slot(CudaEvent made) : done(std::move(made)) {}
        void wait() noexcept override;

        CudaEvent done;
        std::atomic<bool> is_queued{false}; ///< the event was recorded, and nobody has waited for it
        bool is_filled = false;
    };

    CudaLumaBoxes(CudaContextPtr context, const LumaGrid &grid) : context_(std::move(context)), grid_(grid) {}
    Status make(unsigned slots);
    std::size_t slot_bytes() const { return grid_.boxes() * sizeof(std::uint32_t); }
    Status wait(Slot &slot);
    Status queue(const ForeignPicture &picture, const PictureFormat &scored, unsigned plane, unsigned slot);
    Result<CudaPlane> scaled(const SampleSource &source, unsigned bpc, CUstream stream);

    const CudaContextPtr context_;
    const LumaGrid grid_;
    CudaModule module_;
    CUfunction kernel_8bit_ = nullptr, kernel_16bit_ = nullptr;
    CudaScaler scaler_;
    CudaDeviceMemory scratch_; ///< of scaling: rows between its passes, then the plane
    std::size_t scratch_bytes_ = 0;
    CudaDeviceMemory device_sums_; ///< of all slots
    CudaPinnedMemory host_sums_;   ///< of all slots
    std::vector<std::shared_ptr<Slot>> slots_;
    Slot *latest_ = nullptr; ///< uses the scratch
};

} // namespace vmaf
