#include "engine/vulkan/copies.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/round_up.h"

namespace vmaf {
namespace {

constexpr std::size_t kRowAlignment = 256;

void write_samples(const PictureHandle &picture, unsigned plane, std::byte *to, std::ptrdiff_t stride_bytes)
{
    const PlaneView view = picture.plane(plane);
    if (!picture.source(plane).is_plain()) {
        copy_samples(picture.source(plane), {to, stride_bytes, view.width_px, view.height_px, view.bpc});
        return;
    }
    for (unsigned y = 0; y < view.height_px; ++y)
        std::memcpy(to + stride_bytes * static_cast<std::ptrdiff_t>(y), view.row<std::byte>(y), view.row_bytes());
}

} // namespace

// An upload comes back once its frames have, so nothing reads its memory any more.
Result<PlanesOnDevice> VulkanCopies::upload(const PictureHandle &picture, PlaneMask planes)
{
    VMAF_TRY_ASSIGN(const ReusePool<Upload>::Lease copy,
                    uploads_.take(planes, [&] { return make_upload(picture.format(), planes); }));
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane)
        if ((planes >> plane & 1) != 0 && !picture.plane(plane).is_empty())
            write_samples(picture, plane, copy->host.mapped + copy->offset[plane], copy->plane[plane].stride_bytes);
    VMAF_TRY(context_->submit(copy->copy.get(), VulkanContext::Contents::transfers).status());
    PlanesOnDevice made{copy, planes, {}};
    std::copy(std::begin(copy->plane), std::end(copy->plane), made.plane);
    return made;
}

Result<VulkanCopies::Upload> VulkanCopies::make_upload(const PictureFormat &format, PlaneMask planes) const
{
    Upload upload;
    std::size_t bytes = 0;
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if ((planes >> plane & 1) == 0)
            continue;
        const std::size_t stride = round_up(format.plane_width(plane) * format.sample_bytes(), kRowAlignment);
        upload.offset[plane] = bytes;
        upload.plane[plane].stride_bytes = static_cast<long long>(stride);
        bytes += stride * format.plane_height(plane);
    }
    bytes = std::max(bytes, kRowAlignment); // never an empty block
    VMAF_TRY_ASSIGN(upload.host, VulkanMemory::create(context_, bytes, VulkanMemoryKind::upload));
    VMAF_TRY_ASSIGN(upload.device, VulkanMemory::create(context_, bytes, VulkanMemoryKind::device));
    for (unsigned plane = 0; plane < format.plane_count(); ++plane)
        if ((planes >> plane & 1) != 0)
            upload.plane[plane].data =
                reinterpret_cast<const unsigned char *>(upload.device.address + upload.offset[plane]);

    VMAF_TRY_ASSIGN(upload.copy, VulkanCommands::create(context_));
    VMAF_TRY(upload.copy.begin(*context_));
    const VkBufferCopy all{0, 0, bytes};
    context_->calls().CmdCopyBuffer(upload.copy.get(), upload.host.buffer.get(), upload.device.buffer.get(), 1, &all);
    vulkan_barrier(*context_, upload.copy.get(),
                   {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT});
    VMAF_TRY(upload.copy.end(*context_));
    return upload;
}

void VulkanCopies::close()
{
    uploads_.clear();
    context_.reset();
}

} // namespace vmaf
