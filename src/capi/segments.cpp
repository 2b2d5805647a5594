#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

VMAF_PUBLIC int vmaf_segment_overlap(VmafContext *vmaf, unsigned *before, unsigned *after)
{
    return c_boundary("vmaf_segment_overlap", [&]() -> Status {
        if (vmaf == nullptr || before == nullptr || after == nullptr)
            return Status::error(EINVAL);
        const FrameNeighbours overlap = vmaf->session->segment_overlap();
        *before = overlap.before;
        *after = overlap.after;
        return {};
    });
}

VMAF_PUBLIC int vmaf_append_segment(VmafContext *vmaf, VmafContext *segment, unsigned skip, unsigned count)
{
    return c_boundary("vmaf_append_segment", [&]() -> Status {
        if (vmaf == nullptr || segment == nullptr)
            return Status::error(EINVAL);
        return vmaf->session->append(*segment->session, skip, count);
    });
}
