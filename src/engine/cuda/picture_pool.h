#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cuda/handles.h"
#include "engine/picture.h"

namespace vmaf {

/// The preallocated pictures of a CUDA session (spec cuda 5): device, pinned or plain host memory, owned by the session. A client
/// may hold kClientLimit at a time; what the engine holds is on top. Pictures outlive the memory: after retire() one that the
/// client still holds is bookkeeping only. Thread-safe, but for the calls that need the context.
class CudaPicturePool final : public PictureOwner, public std::enable_shared_from_this<CudaPicturePool> {
  public:
    static constexpr unsigned kClientLimit = 16;
    static constexpr unsigned kMadeAtOnce = 4;

    /// Whether the pictures that create() makes have a size that there could be memory for.
    static bool can_fit(const PictureFormat &format, MemoryKind kind);
    /// Of a format that can fit. The context is current. @param usual_count how many pictures fetch() makes before it would rather wait for one.
    static Result<std::shared_ptr<CudaPicturePool>> create(const CudaContextPtr &context, const PictureFormat &format,
                                                           MemoryKind kind, std::uint64_t session_id,
                                                           unsigned usual_count);

    /// A picture for the client; `ref` is null if there is none to spare: all made are in use (and, unless `grow`, their usual
    /// number exists), or the client holds its limit. -ENOMEM if one had to be made and does not fit. The context is current.
    Result<VmafPicture> fetch(bool grow);
    /// From now on at least so many pictures are usual.
    void expect(unsigned usual_count);

    void client_gave_up_one() override;
    void take_back(std::unique_ptr<VmafRef> picture) override;

    /// Another session reads its pictures, and will say retire() too.
    void add_user();
    /// The session's end of using it. The last one's frees device and pinned memory: nothing on the device uses it any more. The context need
    /// not be current.
    void retire();
    /// Whether every picture is back.
    bool idle();

    const PictureFormat &format() const { return format_; }
    MemoryKind kind() const { return kind_; }

  private:
    CudaPicturePool(CudaContextPtr context, const PictureFormat &format, MemoryKind kind, std::uint64_t session_id,
                    unsigned usual_count)
        : context_(std::move(context)), format_(format), kind_(kind), session_id_(session_id), usual_count_(usual_count)
    {
    }

    Result<std::unique_ptr<VmafRef>> make();
    Status allocate_device_planes();
    Status fill_chroma(const VmafPicture &picture) const;
    Result<VmafPicture> make_device_planes();
    Result<VmafPicture> make_pinned_planes();

    CudaContextPtr context_;
    const PictureFormat format_;
    const MemoryKind kind_;
    const std::uint64_t session_id_;

    std::mutex mutex_;
    unsigned usual_count_;
    std::vector<CudaDeviceMemory> device_memory_;
    std::vector<VmafPicture> device_planes_; ///< of pictures that are allocated and not made
    std::vector<CudaPinnedMemory> pinned_memory_;
    std::vector<std::unique_ptr<VmafRef>> free_;
    unsigned made_ = 0;
    unsigned client_holds_ = 0;
    unsigned users_ = 1; ///< sessions, the one that preallocates included
    bool retired_ = false;
};

} // namespace vmaf
