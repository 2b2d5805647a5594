#include "engine/vulkan/copies.h"

#include <algorithm>
#include <cstring>

#include "base/round_up.h"

namespace vmaf {

/// Where planes lie in memory that the device copies from.
struct VulkanCopies::Source {
    VkBuffer buffer;
    std::size_t offset[3], stride_bytes[3];
};

namespace {

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

/// What a picture of VulkanPictureMemory lies in.
class VulkanPlanes final : public PlanesOwner {
  public:
    VulkanPlanes(VulkanContextPtr context, VulkanMemory memory, std::size_t bytes)
        : context_(std::move(context)), memory_(std::move(memory)), bytes_(bytes)
    {
    }

    const void *context() const override { return context_.get(); }
    VkBuffer buffer() const { return memory_.buffer.get(); }
    /// Whether kernels can read a copy of the plane, which is not so of every view of a client's.
    bool holds(const SampleSource &source, const PlaneView &plane, std::size_t most_stride) const
    {
        constexpr std::size_t kWordBytes = 4;
        const std::size_t offset = offset_of(source), stride = static_cast<std::size_t>(source.stride_bytes);
        return source.is_plain() && stride % kWordBytes == 0 && stride >= plane.row_bytes() && stride <= most_stride &&
               offset < bytes_ && stride * (plane.height_px - 1) + plane.row_bytes() <= bytes_ - offset;
    }
    std::size_t offset_of(const SampleSource &source) const
    {
        return reinterpret_cast<std::uintptr_t>(source.data) - reinterpret_cast<std::uintptr_t>(memory_.mapped);
    }

  private:
    VulkanContextPtr context_; ///< outlives the memory
    VulkanMemory memory_;
    std::size_t bytes_;
};

bool has(const PictureHandle &picture, PlaneMask planes, unsigned plane)
{
    return (planes >> plane & 1) != 0 && !picture.plane(plane).is_empty();
}

} // namespace

Result<std::unique_ptr<VmafRef>> VulkanPictureMemory::make(unsigned)
{
    const std::size_t bytes = *picture_bytes(format_);
    VMAF_TRY_ASSIGN(VulkanMemory memory, VulkanMemory::create(context_, bytes, VulkanMemoryKind::readback));
    std::memset(memory.mapped, 0, bytes);
    const VmafPicture planes = place_planes(format_, memory.mapped);
    return VmafRef::wrap(planes, std::make_shared<const VulkanPlanes>(context_, std::move(memory), bytes));
}

// An upload comes back once its frames have, so nothing reads its memory any more.
Result<PlanesOnDevice> VulkanCopies::upload(const PictureHandle &picture, PlaneMask planes)
{
    VMAF_TRY_ASSIGN(const ReusePool<Upload>::Lease copy,
                    uploads_.take(planes, [&] { return make_upload(picture.format(), planes); }));
    VMAF_TRY_ASSIGN(const Source from, source_of(picture, planes, *copy));
    PlanesOnDevice made{copy, planes, {}};
    VkBufferCopy regions[3];
    std::uint32_t count = 0;
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
        if ((planes >> plane & 1) != 0)
            made.plane[plane] = {reinterpret_cast<const unsigned char *>(copy->device.address + copy->offset[plane]),
                                 static_cast<long long>(from.stride_bytes[plane])};
        if (const PlaneView view = picture.plane(plane); has(picture, planes, plane))
            regions[count++] = {from.offset[plane], copy->offset[plane],
                                from.stride_bytes[plane] * (view.height_px - 1) + view.row_bytes()};
    }
    VMAF_TRY(copy->commands.begin(*context_));
    if (count > 0)
        context_->calls().CmdCopyBuffer(copy->commands.get(), from.buffer, copy->device.buffer.get(), count, regions);
    vulkan_barrier(*context_, copy->commands.get(),
                   {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                    VK_ACCESS_MEMORY_READ_BIT});
    VMAF_TRY(copy->commands.end(*context_));
    VMAF_TRY(context_->submit_upload(copy->commands.get()));
    return made;
}

Result<VulkanCopies::Source> VulkanCopies::source_of(const PictureHandle &picture, PlaneMask planes, Upload &to) const
{
    Source from{};
    if (picture.owner() != nullptr && picture.owner()->context() == context_.get()) {
        const auto &owner = *static_cast<const VulkanPlanes *>(picture.owner());
        bool holds_all = true;
        for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
            from.offset[plane] = owner.offset_of(picture.source(plane));
            from.stride_bytes[plane] = static_cast<std::size_t>(picture.source(plane).stride_bytes);
            holds_all = holds_all && (!has(picture, planes, plane) ||
                                      owner.holds(picture.source(plane), picture.plane(plane), to.stride_bytes[plane]));
        }
        from.buffer = owner.buffer();
        if (holds_all)
            return from;
    }
    if (to.host.mapped == nullptr) {
        VMAF_TRY_ASSIGN(to.host, VulkanMemory::create(context_, to.bytes, VulkanMemoryKind::upload));
    }
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane)
        if (has(picture, planes, plane))
            write_samples(picture, plane, to.host.mapped + to.offset[plane],
                          static_cast<std::ptrdiff_t>(to.stride_bytes[plane]));
    from.buffer = to.host.buffer.get();
    std::ranges::copy(to.offset, from.offset);
    std::ranges::copy(to.stride_bytes, from.stride_bytes);
    return from;
}

Result<VulkanCopies::Upload> VulkanCopies::make_upload(const PictureFormat &format, PlaneMask planes) const
{
    Upload upload;
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if ((planes >> plane & 1) == 0)
            continue;
        upload.stride_bytes[plane] = round_up(format.plane_width(plane) * format.sample_bytes(), kDeviceRowAlignment);
        upload.offset[plane] = upload.bytes;
        upload.bytes += upload.stride_bytes[plane] * format.plane_height(plane);
    }
    upload.bytes = std::max(upload.bytes, kDeviceRowAlignment); // never an empty block
    VMAF_TRY_ASSIGN(upload.device, VulkanMemory::create(context_, upload.bytes, VulkanMemoryKind::device));
    VMAF_TRY_ASSIGN(upload.commands, VulkanCommands::create(context_, context_->upload_family()));
    return upload;
}

void VulkanCopies::close()
{
    uploads_.clear();
    context_.reset();
}

} // namespace vmaf
