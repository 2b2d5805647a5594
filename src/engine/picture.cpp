#include "engine/picture.h"

#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/checked_size.h"
#include "base/platform.h"
#include "base/round_up.h"
#include "engine/picture_pool.h"

namespace vmaf {
namespace {

constexpr std::size_t kRowAlignmentPx = 32;
constexpr std::size_t kBlockAlignment = 64;
constexpr std::size_t kTailBytes = 64; // a vector load at a plane's very end stays inside the block

struct Layout {
    std::size_t stride[3];
    std::size_t offset[3];
    std::size_t bytes;
};

// False if the planes cannot be addressed.
bool lay_out(const PictureFormat &format, Layout &layout)
{
    CheckedSize bytes = 0;
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        const unsigned width_px = format.plane_width(plane);
        if (width_px > std::numeric_limits<unsigned>::max() - kRowAlignmentPx) // spec abi 9: no memory for such a row
            return false;
        const std::size_t stride = round_up(width_px, kRowAlignmentPx) * format.sample_bytes();
        layout.stride[plane] = stride;
        layout.offset[plane] = bytes.value();
        bytes = bytes + CheckedSize(stride) * format.plane_height(plane);
    }
    layout.bytes = bytes.value();
    return bytes.fits();
}

} // namespace

bool is_valid_format(const PictureFormat &format)
{
    return format.pix_fmt > VMAF_PIX_FMT_UNKNOWN && format.pix_fmt <= VMAF_PIX_FMT_YUV400P && format.bpc >= 8 &&
           format.bpc <= 16;
}

std::optional<std::size_t> picture_bytes(const PictureFormat &format)
{
    Layout layout{};
    if (!lay_out(format, layout))
        return std::nullopt;
    return layout.bytes;
}

VmafPicture place_planes(const PictureFormat &format, std::byte *block)
{
    Layout layout{};
    VmafPicture picture{};
    picture.pix_fmt = format.pix_fmt;
    picture.bpc = format.bpc;
    for (unsigned plane = 0; lay_out(format, layout) && plane < format.plane_count(); ++plane) {
        picture.w[plane] = format.plane_width(plane);
        picture.h[plane] = format.plane_height(plane);
        picture.stride[plane] = static_cast<std::ptrdiff_t>(layout.stride[plane]);
        picture.data[plane] = block + layout.offset[plane];
    }
    return picture;
}

bool fits_memory(const PictureFormat &format, unsigned picture_count)
{
    const std::optional<std::size_t> one = picture_bytes(format);
    const CheckedSize all = one ? (CheckedSize(*one) + sizeof(VmafRef)) * picture_count : CheckedSize(0);
    return one && all.fits() && all.value() < physical_memory_bytes();
}

} // namespace vmaf

vmaf::Result<std::unique_ptr<VmafRef>> VmafRef::create(const vmaf::PictureFormat &format)
{
    if (!vmaf::fits_memory(format, 1))
        return vmaf::Status::error(ENOMEM);
    const std::size_t bytes = *vmaf::picture_bytes(format);
    std::unique_ptr<VmafRef> ref(new VmafRef);
    ref->block_ = static_cast<std::byte *>(std::calloc(1, bytes + vmaf::kBlockAlignment + vmaf::kTailBytes));
    if (ref->block_ == nullptr)
        return vmaf::Status::error(ENOMEM);
    const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(ref->block_) % vmaf::kBlockAlignment;
    ref->picture_ = vmaf::place_planes(format, ref->block_ + (vmaf::kBlockAlignment - misalignment));
    ref->picture_.ref = ref.get();
    return ref;
}

VmafRef::~VmafRef()
{
    std::free(block_);
}

std::unique_ptr<VmafRef> VmafRef::wrap(const VmafPicture &planes, vmaf::MemoryKind kind, std::uint64_t session_id)
{
    std::unique_ptr<VmafRef> ref(new VmafRef);
    ref->picture_ = planes;
    ref->picture_.ref = ref.get();
    ref->kind_ = kind;
    ref->session_id_ = session_id;
    return ref;
}

std::unique_ptr<VmafRef> VmafRef::wrap(const VmafPicture &planes, std::shared_ptr<const vmaf::PlanesOwner> owner)
{
    std::unique_ptr<VmafRef> ref = wrap(planes, vmaf::MemoryKind::host, 0);
    ref->owner_ = std::move(owner);
    return ref;
}

std::unique_ptr<VmafRef> VmafRef::wrap(const vmaf::PictureFormat &format, const vmaf::ForeignPlanes &planes)
{
    std::unique_ptr<VmafRef> ref(new VmafRef);
    ref->foreign_ = std::make_unique<vmaf::ForeignPicture>(format, planes);
    ref->kind_ = planes.device_context != nullptr ? vmaf::MemoryKind::device : vmaf::MemoryKind::host;
    VmafPicture &picture = ref->picture_;
    picture.pix_fmt = format.pix_fmt;
    picture.bpc = format.bpc;
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        picture.w[plane] = format.plane_width(plane);
        picture.h[plane] = format.plane_height(plane);
        if (!ref->foreign_->is_plain())
            continue;
        picture.data[plane] =
            const_cast<std::byte *>(planes.plane[plane].data); // the client's struct: nothing of ours writes
        picture.stride[plane] = planes.plane[plane].stride_bytes;
    }
    picture.ref = ref.get();
    return ref;
}

VmafPicture VmafRef::lend(std::shared_ptr<vmaf::PicturePool> pool)
{
    references_.store(1, std::memory_order_relaxed);
    pool_ = std::move(pool);
    return picture_;
}

void VmafRef::release()
{
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    std::unique_ptr<VmafRef> self(this);
    if (foreign_)
        return vmaf::ForeignPicture::give_back(std::move(foreign_));
    if (const std::shared_ptr<vmaf::PicturePool> pool = std::move(pool_))
        pool->take_back(std::move(self));
}

void VmafRef::client_done()
{
    if (pool_)
        pool_->client_gave_up_one();
}
