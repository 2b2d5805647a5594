#include "engine/cuda/luma_boxes.h"
#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "engine/picture.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

struct VmafLumaBoxes {
    std::unique_ptr<CudaLumaBoxes> boxes;
    std::shared_ptr<CudaReleaseFailures> failures;
};

namespace {

constexpr unsigned kMostBoxes = 1U << 16;
constexpr unsigned kMostSlots = 1024;

bool is_valid(const VmafLumaGrid &grid, unsigned slots)
{
    const auto is_within = [](unsigned value, unsigned most) { return value > 0 && value <= most; };
    return is_within(grid.columns, kMostBoxes) && is_within(grid.rows, kMostBoxes / grid.columns) &&
           grid.line_step > 0 && is_within(slots, kMostSlots);
}

Status refuse(const char *why)
{
    log(LogLevel::error, "vmaf_luma_boxes_add: %s", why);
    return Status::error(EINVAL);
}

} // namespace

VMAF_PUBLIC int vmaf_luma_boxes_create(VmafLumaBoxes **boxes, VmafContext *vmaf, VmafLumaGrid grid, unsigned slots)
{
    return c_boundary("vmaf_luma_boxes_create", [&]() -> Status {
        if (boxes == nullptr)
            return Status::error(EINVAL);
        *boxes = nullptr;
        if (vmaf == nullptr || !is_valid(grid, slots))
            return Status::error(EINVAL);
        const CudaContextPtr context = vmaf->cuda.lock();
        if (!context) {
            log(LogLevel::error, "vmaf_luma_boxes_create: the context has no device state");
            return Status::error(ENOSYS);
        }
        auto made = std::make_unique<VmafLumaBoxes>();
        VMAF_TRY_ASSIGN(made->boxes, CudaLumaBoxes::create(context, {grid.columns, grid.rows, grid.line_step}, slots));
        made->failures = context->release_failures();
        *boxes = made.release();
        return {};
    });
}

VMAF_PUBLIC int vmaf_luma_boxes_add(VmafLumaBoxes *boxes, const VmafPicture *pic, unsigned plane, unsigned slot)
{
    return c_boundary("vmaf_luma_boxes_add", [&]() -> Status {
        if (boxes == nullptr || pic == nullptr || pic->ref == nullptr || slot >= boxes->boxes->slots())
            return Status::error(EINVAL);
        ForeignPicture *const lent = pic->ref->foreign();
        if (lent == nullptr || lent->planes().device_context != boxes->boxes->device_context())
            return refuse("the picture is none of vmaf_picture_wrap() in memory of the device");
        const PictureFormat scored = format_of(pic->ref->picture());
        if (plane >= scored.plane_count())
            return refuse("the picture has no such plane");
        if (!boxes->boxes->fits(scored, plane))
            return refuse("boxes have more samples than their sums can hold");
        return boxes->boxes->add(*lent, scored, plane, slot);
    });
}

VMAF_PUBLIC int vmaf_luma_boxes_read(VmafLumaBoxes *boxes, unsigned slot, uint32_t *sums)
{
    return c_boundary("vmaf_luma_boxes_read", [&]() -> Status {
        if (boxes == nullptr || sums == nullptr || slot >= boxes->boxes->slots() || !boxes->boxes->has(slot))
            return Status::error(EINVAL);
        return boxes->boxes->read(slot, sums);
    });
}

VMAF_PUBLIC int vmaf_luma_boxes_destroy(VmafLumaBoxes *boxes)
{
    return c_boundary("vmaf_luma_boxes_destroy", [&]() -> Status {
        const std::unique_ptr<VmafLumaBoxes> destroyed(boxes);
        if (!destroyed)
            return {};
        destroyed->boxes.reset();
        return destroyed->failures->take();
    });
}
