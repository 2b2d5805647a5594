#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cuda/batch.h"
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

    /// The context is current. @param usual_count how many pictures fetch() makes before it would rather wait for one.
    static Result<std::shared_ptr<CudaPicturePool>> create(const CudaContextPtr &context, const PictureFormat &format,
                                                           MemoryKind kind, std::uint64_t session_id,
                                                           unsigned usual_count);

    /// A picture for the client; `ref` is null if there is none to spare: all made are in use (and, unless `grow`, their usual
    /// number exists), or the client holds its limit. -ENOMEM if one had to be made and does not fit. The context is current.
    Result<VmafPicture> fetch(bool grow);

    void client_gave_up_one() override;
    void take_back(std::unique_ptr<VmafRef> picture) override;

    /// Frees device and pinned memory: nothing on the device uses it any more. The context need not be current.
    void retire();
    /// Whether every picture is back.
    bool idle();

  private:
    CudaPicturePool(CudaContextPtr context, const PictureFormat &format, MemoryKind kind, std::uint64_t session_id,
                    unsigned usual_count)
        : context_(std::move(context)), format_(format), kind_(kind), session_id_(session_id), usual_count_(usual_count)
    {
    }

    Result<std::unique_ptr<VmafRef>> make();
    Status allocate_device_planes();
    Result<VmafPicture> make_device_planes();
    Result<VmafPicture> make_pinned_planes();

    CudaContextPtr context_;
    const PictureFormat format_;
    const MemoryKind kind_;
    const std::uint64_t session_id_;
    const unsigned usual_count_;

    std::mutex mutex_;
    std::vector<CudaDeviceMemory> device_memory_;
    std::vector<VmafPicture> device_planes_; ///< of pictures that are allocated and not made
    std::vector<CudaPinnedMemory> pinned_memory_;
    std::vector<std::unique_ptr<VmafRef>> free_;
    unsigned made_ = 0;
    unsigned client_holds_ = 0;
    bool retired_ = false;
};

/// Driver memory that is used for a frame and then for the next one: taking makes it only if none is spare, and it comes back when
/// the last holder drops it. `Item::key` tells what fits. Thread-safe; clear() before the context goes.
template <class Item> class CudaReuse {
  public:
    using Lease = std::shared_ptr<Item>;
    using Key = decltype(Item::key);

    /// @param make Result<Item>(): called without a lock.
    template <class Make> Result<Lease> take(Key key, Make &&make)
    {
        std::unique_ptr<Item> item = spare(key);
        if (!item) {
            item = std::make_unique<Item>();
            VMAF_TRY_ASSIGN(*item, make());
            item->key = key;
            const std::lock_guard lock(shelf_->mutex);
            shelf_->items.reserve(++shelf_->made); // so that coming back never allocates
        }
        return Lease(item.release(), [shelf = shelf_](Item *returned) {
            std::unique_ptr<Item> owned(returned);
            const std::lock_guard lock(shelf->mutex);
            if (!shelf->closed)
                shelf->items.push_back(std::move(owned));
        });
    }

    void clear()
    {
        std::vector<std::unique_ptr<Item>> dropped;
        const std::lock_guard lock(shelf_->mutex);
        shelf_->closed = true;
        dropped.swap(shelf_->items);
    }

  private:
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<Item>> items;
        std::size_t made = 0;
        bool closed = false;
    };

    std::unique_ptr<Item> spare(Key key)
    {
        const std::lock_guard lock(shelf_->mutex);
        for (std::unique_ptr<Item> &item : shelf_->items)
            if (item->key == key) {
                std::swap(item, shelf_->items.back());
                std::unique_ptr<Item> taken = std::move(shelf_->items.back());
                shelf_->items.pop_back();
                return taken;
            }
        return nullptr;
    }

    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

/// The device's copy of a host picture: the planes of the mask `key`.
struct CudaUpload {
    unsigned key = 0;
    CudaDeviceMemory memory;
    CudaPlane plane[3] = {};
};
Result<CudaUpload> make_cuda_upload(const CudaContextPtr &context, const PictureFormat &format, unsigned planes);

/// The host's copy of a device plane: `key` bytes.
struct CudaHostCopy {
    std::size_t key = 0;
    CudaPinnedMemory memory;
};

} // namespace vmaf
