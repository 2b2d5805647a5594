#pragma once

#include <vector>

#include "cuda/handles.h"
#include "engine/picture_pool.h"

namespace vmaf {

/// Device or pinned memory for preallocated pictures that only one session takes. make() needs the
/// context to be current; the end does not.
class CudaPictureMemory final : public PictureMemory {
  public:
    /// @param format can_fit().
    CudaPictureMemory(CudaContextPtr context, const PictureFormat &format, MemoryKind kind, std::uint64_t session_id)
        : context_(std::move(context)), format_(format), kind_(kind), session_id_(session_id)
    {
    }

    /// Whether the first pictures of a pool have a size that there could be memory for.
    static bool can_fit(const PictureFormat &format, MemoryKind kind);

    Result<std::unique_ptr<VmafRef>> make(unsigned more) override;
    const void *device_context() const override { return context_->get(); }

  private:
    Status allocate_device_planes(unsigned count);
    Status fill_chroma(const VmafPicture &picture) const;
    Result<VmafPicture> make_device_planes(unsigned more);
    Result<VmafPicture> make_pinned_planes();

    const CudaContextPtr context_;
    const PictureFormat format_;
    const MemoryKind kind_;
    const std::uint64_t session_id_;
    std::vector<CudaDeviceMemory> device_memory_;
    std::vector<VmafPicture> device_planes_; ///< of pictures that are allocated and not made
    std::vector<CudaPinnedMemory> pinned_memory_;
};

} // namespace vmaf
