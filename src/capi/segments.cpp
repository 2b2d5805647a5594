#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

Status check_contexts(const VmafContext *vmaf, const VmafContext *segment)
{
    if (vmaf == nullptr || segment == nullptr)
        return Status::error(EINVAL);
    if (vmaf != segment)
        return {};
    log(LogLevel::error, "segment: a context cannot be a segment of itself");
    return Status::error(EINVAL);
}

} // namespace

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
        VMAF_TRY(check_contexts(vmaf, segment));
        VMAF_TRY_ASSIGN(const SavedSegment saved, segment->session->save_segment(skip, count));
        return vmaf->session->append(saved);
    });
}

VMAF_PUBLIC int vmaf_append_sampled_frame(VmafContext *vmaf, VmafContext *segment, unsigned index)
{
    return c_boundary("vmaf_append_sampled_frame", [&]() -> Status {
        VMAF_TRY(check_contexts(vmaf, segment));
        VMAF_TRY_ASSIGN(const SavedSegment saved, segment->session->save_segment(index, 1));
        return vmaf->session->append_sampled(saved);
    });
}

VMAF_PUBLIC int vmaf_segment_save(VmafContext *segment, unsigned skip, unsigned count, void **data, size_t *bytes)
{
    return c_boundary("vmaf_segment_save", [&]() -> Status {
        if (data == nullptr || bytes == nullptr)
            return Status::error(EINVAL);
        *data = nullptr;
        *bytes = 0;
        if (segment == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(const SavedSegment saved, segment->session->save_segment(skip, count));
        const std::vector<std::byte> written = saved.bytes();
        auto copy = std::make_unique<std::byte[]>(written.size());
        std::copy(written.begin(), written.end(), copy.get());
        *data = copy.release();
        *bytes = written.size();
        return {};
    });
}

VMAF_PUBLIC void vmaf_segment_free(void *data)
{
    delete[] static_cast<std::byte *>(data);
}

VMAF_PUBLIC int vmaf_append_saved_segment(VmafContext *vmaf, const void *data, size_t bytes, unsigned *count)
{
    return c_boundary("vmaf_append_saved_segment", [&]() -> Status {
        if (count != nullptr)
            *count = 0;
        if (vmaf == nullptr || data == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(const SavedSegment saved, SavedSegment::parse({static_cast<const std::byte *>(data), bytes}));
        VMAF_TRY(vmaf->session->append(saved));
        if (count != nullptr)
            *count = saved.count;
        return {};
    });
}
