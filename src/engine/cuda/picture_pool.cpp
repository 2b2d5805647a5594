#include "engine/cuda/picture_pool.h"

#include <algorithm>
#include <cstdint>

#include "base/checked_size.h"

namespace vmaf {
namespace {

// Chroma that no client writes (ffmpeg copies luma only) is neutral (spec cuda 5).
Status fill_neutral(const CudaDriver &driver, CUdeviceptr plane, std::size_t pitch, const PictureFormat &format,
                    unsigned index)
{
    const unsigned value = 1U << (format.bpc - 1);
    const std::size_t width = format.plane_width(index), height = format.plane_height(index);
    if (format.bpc > 8)
        CHECK_CUDA_RETURN(driver, cuMemsetD2D16(plane, pitch, static_cast<unsigned short>(value), width, height));
    else
        CHECK_CUDA_RETURN(driver, cuMemsetD2D8(plane, pitch, static_cast<unsigned char>(value), width, height));
    return {};
}

// From one picture to the next in a block of several.
CheckedSize device_pitch(const PictureFormat &format)
{
    constexpr std::size_t kAlignment = 256;
    return CheckedSize(picture_bytes(format).value_or(SIZE_MAX)).rounded_up(kAlignment);
}

// As in host memory, but a plane of zero area is not there (spec abi 3.7).
VmafPicture place_device_planes(const PictureFormat &format, CUdeviceptr block)
{
    VmafPicture picture = place_planes(format, reinterpret_cast<std::byte *>(block));
    for (unsigned plane = 0; plane < format.plane_count(); ++plane)
        if (picture.w[plane] == 0 || picture.h[plane] == 0)
            picture.data[plane] = nullptr;
    return picture;
}

} // namespace

bool CudaPicturePool::can_fit(const PictureFormat &format, MemoryKind kind)
{
    return kind == MemoryKind::device ? (device_pitch(format) * kMadeAtOnce).fits() : fits_memory(format, 1);
}

Result<std::shared_ptr<CudaPicturePool>> CudaPicturePool::create(const CudaContextPtr &context,
                                                                 const PictureFormat &format, MemoryKind kind,
                                                                 std::uint64_t session_id, unsigned usual_count)
{
    std::shared_ptr<CudaPicturePool> pool(new CudaPicturePool(context, format, kind, session_id, usual_count));
    for (unsigned i = 0; i < kMadeAtOnce; ++i) {
        pool->free_.reserve(kMadeAtOnce);
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> picture, pool->make());
        pool->free_.push_back(std::move(picture));
    }
    return pool;
}

// Several pictures in one allocation: the driver rounds each up to 2 MiB.
Status CudaPicturePool::allocate_device_planes()
{
    const std::size_t pitch = device_pitch(format_).value();
    const unsigned count = made_ < usual_count_ ? std::min(kMadeAtOnce, usual_count_ - made_) : 1;
    device_memory_.reserve(device_memory_.size() + 1);
    std::vector<VmafPicture> planes;
    planes.reserve(count);
    VMAF_TRY_ASSIGN(CudaDeviceMemory memory, make_cuda_device_memory(context_, count * pitch));
    for (unsigned i = 0; i < count; ++i) {
        planes.push_back(place_device_planes(format_, memory.get() + i * pitch));
        VMAF_TRY(fill_chroma(planes.back()));
    }
    // A client may write in any stream at once.
    CHECK_CUDA_RETURN(context_->driver(), cuStreamSynchronize(nullptr));
    device_memory_.push_back(std::move(memory));
    device_planes_ = std::move(planes);
    return {};
}

Status CudaPicturePool::fill_chroma(const VmafPicture &picture) const
{
    for (unsigned plane = 1; plane < format_.plane_count(); ++plane)
        if (picture.data[plane] != nullptr)
            VMAF_TRY(fill_neutral(context_->driver(), reinterpret_cast<CUdeviceptr>(picture.data[plane]),
                                  static_cast<std::size_t>(picture.stride[plane]), format_, plane));
    return {};
}

Result<VmafPicture> CudaPicturePool::make_device_planes()
{
    if (device_planes_.empty())
        VMAF_TRY(allocate_device_planes());
    const VmafPicture picture = device_planes_.back();
    device_planes_.pop_back();
    return picture;
}

Result<VmafPicture> CudaPicturePool::make_pinned_planes()
{
    pinned_memory_.reserve(pinned_memory_.size() + 1);
    VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, *picture_bytes(format_)));
    auto *block = static_cast<std::byte *>(memory.get());
    pinned_memory_.push_back(std::move(memory));
    return place_planes(format_, block);
}

Result<std::unique_ptr<VmafRef>> CudaPicturePool::make()
{
    if (kind_ == MemoryKind::host) {
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> plain, VmafRef::create(format_));
        ++made_;
        return plain;
    }
    VMAF_TRY_ASSIGN(const VmafPicture planes,
                    kind_ == MemoryKind::device ? make_device_planes() : make_pinned_planes());
    std::unique_ptr<VmafRef> picture = VmafRef::wrap(planes, kind_, session_id_);
    ++made_;
    return picture;
}

Result<VmafPicture> CudaPicturePool::fetch(bool grow)
{
    const std::lock_guard lock(mutex_);
    if (client_holds_ >= kClientLimit)
        return VmafPicture{};
    if (free_.empty()) {
        if (!grow && made_ >= usual_count_)
            return VmafPicture{};
        free_.reserve(made_ + 1); // so that taking back never allocates
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> picture, make());
        free_.push_back(std::move(picture));
    }
    std::unique_ptr<VmafRef> picture = std::move(free_.back());
    free_.pop_back();
    ++client_holds_;
    return picture.release()->lend(shared_from_this());
}

void CudaPicturePool::expect(unsigned usual_count)
{
    const std::lock_guard lock(mutex_);
    usual_count_ = std::max(usual_count_, usual_count);
}

void CudaPicturePool::client_gave_up_one()
{
    const std::lock_guard lock(mutex_);
    --client_holds_;
}

void CudaPicturePool::take_back(std::unique_ptr<VmafRef> picture)
{
    const std::lock_guard lock(mutex_);
    if (retired_)
        return;
    free_.push_back(std::move(picture));
}

void CudaPicturePool::add_user()
{
    const std::lock_guard lock(mutex_);
    ++users_;
}

void CudaPicturePool::retire()
{
    std::vector<CudaDeviceMemory> device_memory;
    std::vector<CudaPinnedMemory> pinned_memory;
    CudaContextPtr context;
    {
        const std::lock_guard lock(mutex_);
        if (--users_ > 0)
            return;
        retired_ = true;
        free_.clear();
        device_memory.swap(device_memory_);
        device_planes_.clear();
        pinned_memory.swap(pinned_memory_);
        context.swap(context_); // a picture that outlives the session must not keep the context
    }
}

bool CudaPicturePool::idle()
{
    const std::lock_guard lock(mutex_);
    return free_.size() == made_;
}

} // namespace vmaf
