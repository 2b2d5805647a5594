#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

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

/// Says why a call is refused.
struct Refusal {
    const char *entry;

    Status operator()(const char *what) const
    {
        log(LogLevel::error, "%s: %s", entry, what);
        return Status::error(EINVAL);
    }
};

// Earlier headers' ended here.
constexpr std::size_t kEarlierStructs[] = {offsetof(VmafForeignPicture, scaled_w),
                                           offsetof(VmafForeignPicture, scored_bpc)};

/// The fields that this version knows; those that the client's version does not have are 0.
Result<VmafForeignPicture> known_fields(const Refusal &refuse, const VmafForeignPicture *given)
{
    std::size_t size = 0;
    std::memcpy(&size, given, sizeof size);
    VmafForeignPicture foreign{};
    const bool is_earlier =
        std::find(std::begin(kEarlierStructs), std::end(kEarlierStructs), size) != std::end(kEarlierStructs);
    if ((!is_earlier && size < sizeof foreign) || size > kLongestStruct)
        return refuse("struct_size is none of this interface");
    const auto *bytes = reinterpret_cast<const unsigned char *>(given);
    if (std::any_of(bytes + std::min(size, sizeof foreign), bytes + size, [](unsigned char byte) { return byte != 0; }))
        return refuse("fields are set that this version does not know");
    std::memcpy(&foreign, given, std::min(size, sizeof foreign));
    if (foreign.reserved != 0)
        return refuse("a reserved field is not 0");
    return foreign;
}

Status check_samples(const Refusal &refuse, const VmafForeignPicture &foreign, const PictureFormat &format)
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
    if (foreign.scored_bpc != 0 && (foreign.scored_bpc < format.bpc || foreign.scored_bpc > kContainerBits))
        return refuse("the depth that is scored is out of range");
    return {};
}

/// Checks a plane as it lies in memory, with `row_samples` a row.
Status check_plane(const Refusal &refuse, const void *data, std::ptrdiff_t stride, CheckedSize row_samples,
                   unsigned rows, std::size_t sample)
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

/// The format in which the samples are scored.
Result<PictureFormat> scored_format(const Refusal &refuse, const VmafForeignPicture &foreign,
                                    const PictureFormat &format)
{
    PictureFormat scored = format;
    if (foreign.scored_bpc != 0)
        scored.bpc = foreign.scored_bpc;
    if (foreign.scaled_w == 0 && foreign.scaled_h == 0)
        return scored;
    if (foreign.scaled_w == 0 || foreign.scaled_h == 0)
        return refuse("one side of the scaled picture is 0");
    scored.width = foreign.scaled_w;
    scored.height = foreign.scaled_h;
    return scored;
}

/// Planes whose size is not the scored one are scaled.
Status find_scaling(const Refusal &refuse, const PictureFormat &format, const PictureFormat &scored,
                    PlaneScalings &scalings, ForeignPlanes &planes)
{
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        const PlaneSize from{format.plane_width(plane), format.plane_height(plane)};
        const PlaneSize to{scored.plane_width(plane), scored.plane_height(plane)};
        if (from == to || to.width_px == 0 || to.height_px == 0)
            continue;
        if (!can_scale(from.width_px, to.width_px) || !can_scale(from.height_px, to.height_px))
            return refuse("a plane is to be scaled beyond the limits");
        if (!fits_memory(scored, 1))
            return Status::error(ENOMEM);
        planes.plane[plane].scaling = scalings.between(from, to);
    }
    return {};
}

/// Find the samples of the picture's planes.
Status find_planes(const Refusal &refuse, const VmafForeignPicture &foreign, const PictureFormat &format,
                   ForeignPlanes &planes)
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
        source.raise = foreign.scored_bpc > format.bpc ? foreign.scored_bpc - format.bpc : 0;
        if (format.plane_width(plane) == 0 || format.plane_height(plane) == 0)
            continue;
        source.data = static_cast<const std::byte *>(foreign.data[given]);
        source.stride_bytes = foreign.stride[given];
        VMAF_TRY(check_plane(refuse, source.data, source.stride_bytes,
                             CheckedSize(format.plane_width(plane)) * source.step, format.plane_height(plane), sample));
    }
    return {};
}

/// The client's arguments, checked.
struct Given {
    VmafForeignPicture fields;
    PictureFormat scored;
    ForeignPlanes planes; ///< without what wrapping adds
};

Result<Given> check_given(const char *entry, const VmafForeignPicture *foreign, PlaneScalings &scalings)
{
    const Refusal refuse{entry};
    Given given{};
    VMAF_TRY_ASSIGN(given.fields, known_fields(refuse, foreign));
    const PictureFormat format{given.fields.pix_fmt, given.fields.bpc, given.fields.w, given.fields.h};
    VMAF_TRY(check_samples(refuse, given.fields, format));
    VMAF_TRY_ASSIGN(given.scored, scored_format(refuse, given.fields, format));
    VMAF_TRY(find_planes(refuse, given.fields, format, given.planes));
    VMAF_TRY(find_scaling(refuse, format, given.scored, scalings, given.planes));
    return given;
}

} // namespace

VMAF_PUBLIC int vmaf_picture_wrap(VmafContext *vmaf, VmafPicture *pic, const VmafForeignPicture *foreign)
{
    return c_boundary("vmaf_picture_wrap", [&]() -> Status {
        if (vmaf == nullptr || pic == nullptr || foreign == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(Given given, check_given("vmaf_picture_wrap", foreign, vmaf->session->scalings()));
        given.planes.release = given.fields.release;
        given.planes.opaque = given.fields.opaque;
        if (given.fields.memory == VMAF_MEMORY_CUDA_DEVICE) {
            given.planes.stream = given.fields.stream;
            given.planes.device_context = vmaf->session->device_context();
            if (given.planes.device_context == nullptr) {
                log(LogLevel::error, "vmaf_picture_wrap: device memory, but the context has no device state");
                return Status::error(ENOSYS);
            }
        }
        VMAF_TRY_ASSIGN(*pic, vmaf->session->wrap(given.scored, given.planes));
        return {};
    });
}

VMAF_PUBLIC int vmaf_picture_scale(VmafPicture *pic, const VmafForeignPicture *foreign)
{
    return c_boundary("vmaf_picture_scale", [&]() -> Status {
        if (pic == nullptr || foreign == nullptr)
            return Status::error(EINVAL);
        PlaneScalings scalings;
        VMAF_TRY_ASSIGN(const Given given, check_given("vmaf_picture_scale", foreign, scalings));
        if (given.fields.memory != VMAF_MEMORY_HOST)
            return Refusal{"vmaf_picture_scale"}("the planes are not in host memory");
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> ref, VmafRef::create(given.scored));
        const VmafPicture made = ref->picture();
        for (unsigned plane = 0; plane < given.scored.plane_count(); ++plane)
            if (const PlaneView to{static_cast<const std::byte *>(made.data[plane]), made.stride[plane], made.w[plane],
                                   made.h[plane], made.bpc};
                !to.is_empty())
                copy_samples(given.planes.plane[plane], to);
        *pic = ref.release()->picture();
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
