#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/plane_view.h"
#include "base/result.h"
#include "engine/foreign_picture.h"
#include "feature/picture_format.h"
#include "libvmaf/picture.h"

namespace vmaf {

/// Memory of a picture's samples. For a session, plain and pinned host memory are one kind, device
/// memory is the other.
enum class MemoryKind { host, pinned, device };

class PicturePool;

/// What planes in host memory lie in that a device reads directly.
class PlanesOwner {
  public:
    virtual ~PlanesOwner() = default;
    /// The device's, as Device::context(): it tells of what class the owner is.
    virtual const void *context() const = 0;
};

} // namespace vmaf

/// The reference-counted storage behind a client's VmafPicture. The client holds one of the
/// references, the library any number.
struct VmafRef {
  public:
    /// Zero-filled planes in plain memory, laid out as spec abi 3.2. @return -ENOMEM when they
    /// cannot exist.
    static vmaf::Result<std::unique_ptr<VmafRef>> create(const vmaf::PictureFormat &format);
    /// Planes that somebody else owns and that only the session `session_id` may be fed with.
    static std::unique_ptr<VmafRef> wrap(const VmafPicture &planes, vmaf::MemoryKind kind, std::uint64_t session_id);
    /// Planes in host memory that goes with the picture. Any session takes it.
    static std::unique_ptr<VmafRef> wrap(const VmafPicture &planes, std::shared_ptr<const vmaf::PlanesOwner> owner);
    /// Planes that a client lends. Throws std::bad_alloc.
    static std::unique_ptr<VmafRef> wrap(const vmaf::PictureFormat &format, const vmaf::ForeignPlanes &planes);
    ~VmafRef();
    VmafRef(const VmafRef &) = delete;
    VmafRef &operator=(const VmafRef &) = delete;

    /// The client's struct for these planes.
    VmafPicture picture() const { return picture_; }
    vmaf::MemoryKind kind() const { return kind_; }
    /// 0: any session.
    std::uint64_t session_id() const { return session_id_; }
    /// Null unless a client lends the planes.
    vmaf::ForeignPicture *foreign() const { return foreign_.get(); }
    /// Null unless a device reads the planes directly.
    const vmaf::PlanesOwner *owner() const { return owner_.get(); }
    /// The pool that the picture returns to when its last reference is dropped; null: none. It does
    /// not change while a reference exists.
    const std::shared_ptr<vmaf::PicturePool> &pool() const { return pool_; }

    /// Hands the picture to a client of `pool`, with the one reference that it then has.
    VmafPicture lend(std::shared_ptr<vmaf::PicturePool> pool);

    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Drops one reference; the last one frees the planes or gives them back to their pool or
    /// client.
    void release();
    /// The client gives up its reference (unref, or the library took the picture over): a pool may
    /// hand out one more.
    void client_done();

  private:
    VmafRef() = default;

    std::atomic<unsigned> references_{1};
    std::shared_ptr<vmaf::PicturePool> pool_; ///< while a client or the library holds the picture
    VmafPicture picture_{};
    vmaf::MemoryKind kind_ = vmaf::MemoryKind::host;
    std::uint64_t session_id_ = 0;
    std::byte *block_ = nullptr; ///< start of the allocation
    std::unique_ptr<vmaf::ForeignPicture> foreign_;
    std::shared_ptr<const vmaf::PlanesOwner> owner_;
};

namespace vmaf {

inline PictureFormat format_of(const VmafPicture &picture)
{
    return {picture.pix_fmt, picture.bpc, picture.w[0], picture.h[0]};
}

/// Whether the format can be allocated at all (spec abi 3.2); 0 x 0 can.
bool is_valid_format(const PictureFormat &format);
/// Whether the machine's memory could hold that many pictures: the system itself may promise more
/// than it has.
bool fits_memory(const PictureFormat &format, unsigned picture_count);

/// Bytes of one picture's planes laid out as spec abi 3.2; none if that cannot be addressed.
std::optional<std::size_t> picture_bytes(const PictureFormat &format);
/// The client's struct for planes that lie in `block` like that. `ref` is null.
VmafPicture place_planes(const PictureFormat &format, std::byte *block);

/// One reference to a picture, and the views that the client passed with it.
class PictureHandle {
  public:
    PictureHandle() = default;
    /// Adds a reference.
    static PictureHandle share(const VmafPicture &picture)
    {
        picture.ref->retain();
        return PictureHandle(picture);
    }
    PictureHandle(const PictureHandle &other) : picture_(other.picture_)
    {
        if (picture_.ref != nullptr)
            picture_.ref->retain();
    }
    PictureHandle(PictureHandle &&other) noexcept : picture_(std::exchange(other.picture_, {})) {}
    PictureHandle &operator=(PictureHandle other) noexcept
    {
        std::swap(picture_, other.picture_);
        return *this;
    }
    ~PictureHandle()
    {
        if (picture_.ref != nullptr)
            picture_.ref->release();
    }

    explicit operator bool() const { return picture_.ref != nullptr; }
    MemoryKind kind() const { return picture_.ref->kind(); }
    bool is_same(const PictureHandle &other) const { return picture_.ref == other.picture_.ref; }
    PictureFormat format() const { return format_of(picture_); }
    ForeignPicture *foreign() const { return picture_.ref->foreign(); }
    const PlanesOwner *owner() const { return picture_.ref->owner(); }
    /// Place of the plane's samples, in the memory of kind().
    SampleSource source(unsigned plane) const
    {
        if (const ForeignPicture *const lent = foreign())
            return lent->source(plane);
        return {static_cast<const std::byte *>(picture_.data[plane]), picture_.stride[plane]};
    }
    /// The plane if its source is plain; else it has no data.
    PlaneView plane(unsigned plane) const
    {
        const SampleSource from = source(plane);
        return {from.is_plain() ? from.data : nullptr, from.stride_bytes, picture_.w[plane], picture_.h[plane],
                picture_.bpc};
    }

  private:
    explicit PictureHandle(const VmafPicture &picture) : picture_(picture) {}

    VmafPicture picture_{};
};

} // namespace vmaf
