#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/checked_size.h"
#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "engine/picture.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

// A struct of a later header may be longer, by fields that mean nothing where they are zero.
constexpr std::size_t kLongestStruct = 4096;

Status refuse(const char *what)
{
    log(LogLevel::error, "vmaf_picture_wrap: %s", what);
    return Status::error(EINVAL);
}

Status check_struct(const VmafForeignPicture &foreign)
{
    if (foreign.struct_size < sizeof foreign || foreign.struct_size > kLongestStruct)
        return refuse("struct_size is none of this interface");
    const auto *bytes = reinterpret_cast<const unsigned char *>(&foreign);
    if (std::any_of(bytes + sizeof foreign, bytes + foreign.struct_size, [](unsigned char byte) { return byte != 0; }))
        return refuse("fields are set that this version does not know");
    return {};
}

Status check_samples(const VmafForeignPicture &foreign, const PictureFormat &format)
{
    if (!is_valid_format(format))
        return refuse("no such pixel format or depth");
    const int layout = static_cast<int>(foreign.layout), memory = static_cast<int>(foreign.memory);
    if (layout < VMAF_PLANE_LAYOUT_PLANAR || layout > VMAF_PLANE_LAYOUT_SEMI_PLANAR)
        return refuse("no such layout of planes");
    if (memory < VMAF_MEMORY_HOST || memory > VMAF_MEMORY_CUDA_DEVICE)
        return refuse("no such memory");
    if (layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR && format.plane_count() == 1)
        return refuse("4:0:0 has no chroma to be semi-planar");
    constexpr unsigned kContainerBits = 16;
    if (foreign.shift != 0 && (format.bpc == 8 || foreign.shift > kContainerBits - format.bpc))
        return refuse("samples do not fit above the shift");
    return {};
}

/// Of a plane as it lies in memory, with `row_samples` a row.
Status check_plane(const void *data, std::ptrdiff_t stride, CheckedSize row_samples, unsigned rows, std::size_t sample)
{
    const CheckedSize row_bytes = row_samples * sample;
    if (data == nullptr)
        return refuse("a plane has no data");
    if (stride <= 0 || !row_bytes.fits() || static_cast<std::size_t>(stride) < row_bytes.value())
        return refuse("a stride is shorter than its row");
    const CheckedSize end =
        CheckedSize(static_cast<std::size_t>(stride)) * rows + reinterpret_cast<std::uintptr_t>(data);
    if (!end.fits() || end.value() > static_cast<std::size_t>(PTRDIFF_MAX))
        return refuse("a plane ends beyond all addresses");
    if (reinterpret_cast<std::uintptr_t>(data) % sample != 0 || static_cast<std::size_t>(stride) % sample != 0)
        return refuse("a plane of 16-bit samples is not aligned to them");
    return {};
}

/// Where the samples of the picture's planes lie.
Status find_planes(const VmafForeignPicture &foreign, const PictureFormat &format, ForeignPlanes &planes)
{
    const bool pairs = foreign.layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    const std::size_t sample = format.sample_bytes();
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        const bool is_paired = pairs && plane > 0;
        const unsigned given = is_paired ? 1 : plane;
        SampleSource &source = planes.plane[plane];
        source.step = is_paired ? 2 : 1;
        source.first = is_paired ? plane - 1 : 0;
        source.shift = foreign.shift;
        if (format.plane_width(plane) == 0 || format.plane_height(plane) == 0)
            continue;
        source.data = static_cast<const std::byte *>(foreign.data[given]);
        source.stride_bytes = foreign.stride[given];
        VMAF_TRY(check_plane(source.data, source.stride_bytes, CheckedSize(format.plane_width(plane)) * source.step,
                             format.plane_height(plane), sample));
    }
    return {};
}

} // namespace

VMAF_PUBLIC int vmaf_picture_wrap(VmafContext *vmaf, VmafPicture *pic, const VmafForeignPicture *foreign)
{
    return c_boundary("vmaf_picture_wrap", [&]() -> Status {
        if (vmaf == nullptr || pic == nullptr || foreign == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY(check_struct(*foreign));
        const PictureFormat format{foreign->pix_fmt, foreign->bpc, foreign->w, foreign->h};
        VMAF_TRY(check_samples(*foreign, format));
        ForeignPlanes planes;
        VMAF_TRY(find_planes(*foreign, format, planes));
        planes.release = foreign->release;
        planes.opaque = foreign->opaque;
        if (foreign->memory == VMAF_MEMORY_CUDA_DEVICE) {
            planes.stream = foreign->stream;
            planes.device_context = vmaf->session->device_context();
            if (planes.device_context == nullptr) {
                log(LogLevel::error, "vmaf_picture_wrap: device memory, but the context has no device state");
                return Status::error(ENOSYS);
            }
        }
        VMAF_TRY_ASSIGN(*pic, vmaf->session->wrap(format, planes));
        return {};
    });
}

VMAF_PUBLIC int vmaf_frames_held(VmafContext *vmaf, unsigned *ref, unsigned *dis)
{
    return c_boundary("vmaf_frames_held", [&]() -> Status {
        if (vmaf == nullptr || ref == nullptr || dis == nullptr)
            return Status::error(EINVAL);
        const Session::PicturesHeld held = vmaf->session->pictures_held();
        *ref = held.ref;
        *dis = held.dis;
        return {};
    });
}
