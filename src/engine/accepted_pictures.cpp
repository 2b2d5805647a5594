#include "engine/accepted_pictures.h"

#include "base/log.h"

namespace vmaf {
namespace {

bool planes_readable(const VmafPicture &picture)
{
    const PictureFormat format = format_of(picture);
    const bool has_data = picture.ref->foreign() == nullptr || picture.ref->foreign()->is_plain();
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if (picture.w[plane] != format.plane_width(plane) || picture.h[plane] != format.plane_height(plane))
            return false;
        if (has_data && picture.data[plane] == nullptr && picture.w[plane] != 0 && picture.h[plane] != 0)
            return false;
    }
    return true;
}

// Pinned memory is host memory to a session.
MemoryKind session_kind(const VmafRef &picture)
{
    return picture.kind() == MemoryKind::device ? MemoryKind::device : MemoryKind::host;
}

} // namespace

Status AcceptedPictures::check(const VmafPicture &ref, const VmafPicture &dis, std::uint64_t lender) const
{
    if (ref.ref == nullptr || dis.ref == nullptr || ref.ref == dis.ref) {
        log(LogLevel::error, "reference and distorted picture must be two pictures of this library");
        return Status::error(EINVAL);
    }
    const PictureFormat format = format_of(ref), dis_format = format_of(dis);
    if (!is_valid_format(format) || format != dis_format || (format_ && format != *format_) || !planes_readable(ref) ||
        !planes_readable(dis)) {
        log(LogLevel::error,
            "picture formats differ: reference %ux%u format %d %u bits, distorted %ux%u format %d %u bits",
            format.width, format.height, static_cast<int>(format.pix_fmt), format.bpc, dis_format.width,
            dis_format.height, static_cast<int>(dis_format.pix_fmt), dis_format.bpc);
        return Status::error(EINVAL);
    }
    VMAF_TRY(check_kind(ref, dis));
    VMAF_TRY(check_origin(*ref.ref, lender));
    return check_origin(*dis.ref, session_id_);
}

Status AcceptedPictures::check_kind(const VmafPicture &ref, const VmafPicture &dis) const
{
    const MemoryKind kind = session_kind(*ref.ref);
    if (kind != session_kind(*dis.ref) || (format_ && kind != kind_)) {
        log(LogLevel::error, "pictures in host memory and in device memory cannot be mixed");
        return Status::error(EINVAL);
    }
    return {};
}

Status AcceptedPictures::check_origin(const VmafRef &picture, std::uint64_t lender) const
{
    if (picture.session_id() != 0 && picture.session_id() != session_id_ && picture.session_id() != lender) {
        log(LogLevel::error, "a preallocated device or pinned picture goes to the context that it was fetched from");
        return Status::error(EINVAL);
    }
    const void *const device_context =
        picture.foreign() != nullptr ? picture.foreign()->planes().device_context : nullptr;
    if (device_context != nullptr && device_context != device_context_) {
        log(LogLevel::error, "a picture in device memory goes to contexts whose state has its CUDA context");
        return Status::error(EINVAL);
    }
    return {};
}

void AcceptedPictures::accept(const VmafPicture &ref)
{
    format_ = format_of(ref);
    kind_ = session_kind(*ref.ref);
    ++pair_count_;
}

} // namespace vmaf
