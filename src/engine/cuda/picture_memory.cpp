#include "engine/cuda/picture_memory.h"

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

bool CudaPictureMemory::can_fit(const PictureFormat &format, MemoryKind kind)
{
    return kind == MemoryKind::device ? (device_pitch(format) * kMadeAtOnce).fits() : fits_memory(format, 1);
}

// Several pictures in one allocation: the driver rounds each up to 2 MiB.
Status CudaPictureMemory::allocate_device_planes(unsigned count)
{
    const std::size_t pitch = device_pitch(format_).value();
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

Status CudaPictureMemory::fill_chroma(const VmafPicture &picture) const
{
    for (unsigned plane = 1; plane < format_.plane_count(); ++plane)
        if (picture.data[plane] != nullptr)
            VMAF_TRY(fill_neutral(context_->driver(), reinterpret_cast<CUdeviceptr>(picture.data[plane]),
                                  static_cast<std::size_t>(picture.stride[plane]), format_, plane));
    return {};
}

Result<VmafPicture> CudaPictureMemory::make_device_planes(unsigned more)
{
    if (device_planes_.empty())
        VMAF_TRY(allocate_device_planes(std::min(kMadeAtOnce, more)));
    const VmafPicture picture = device_planes_.back();
    device_planes_.pop_back();
    return picture;
}

Result<VmafPicture> CudaPictureMemory::make_pinned_planes()
{
    pinned_memory_.reserve(pinned_memory_.size() + 1);
    VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, *picture_bytes(format_)));
    auto *block = static_cast<std::byte *>(memory.get());
    pinned_memory_.push_back(std::move(memory));
    return place_planes(format_, block);
}

Result<std::unique_ptr<VmafRef>> CudaPictureMemory::make(unsigned more)
{
    VMAF_TRY_ASSIGN(const VmafPicture planes,
                    kind_ == MemoryKind::device ? make_device_planes(more) : make_pinned_planes());
    return VmafRef::wrap(planes, kind_, session_id_);
}

} // namespace vmaf
