#include "engine/picture.h"
#include "capi/c_boundary.h"
#include "capi/visibility.h"

using namespace vmaf;

VMAF_PUBLIC int vmaf_picture_alloc(VmafPicture *pic, VmafPixelFormat pix_fmt, unsigned bpc, unsigned w, unsigned h)
{
    return c_boundary("vmaf_picture_alloc", [&]() -> Status {
        const PictureFormat format{pix_fmt, bpc, w, h};
        if (pic == nullptr || !is_valid_format(format))
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> ref, VmafRef::create(format));
        *pic = ref.release()->picture();
        return {};
    });
}

VMAF_PUBLIC int vmaf_picture_unref(VmafPicture *pic)
{
    return c_boundary("vmaf_picture_unref", [&]() -> Status {
        if (pic == nullptr || pic->ref == nullptr)
            return Status::error(EINVAL);
        pic->ref->client_done();
        pic->ref->release();
        *pic = {};
        return {};
    });
}
