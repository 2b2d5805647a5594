#pragma once

#include <vector>

#include "feature/picture_format.h"
#include "libvmaf/libvmaf_ext.h"
#include "support/session.h"

/// Lists of the library, so that clients of the public API need no list of their own.
namespace vmaf::test {

/// All features that write scores.
inline std::vector<const VmafFeatureInfo *> listed_features()
{
    std::vector<const VmafFeatureInfo *> list;
    for (const auto *info = vmaf_feature_list(nullptr); info != nullptr; info = vmaf_feature_list(info))
        if (info->outputs[0] != nullptr)
            list.push_back(info);
    return list;
}

/// Whether a feature with default options accepts pictures in that format.
inline bool takes(const VmafFeatureInfo &feature, const PictureFormat &format)
{
    const Context context = open_context(0);
    VmafPicture pictures[2]{};
    bool ok = context != nullptr && vmaf_use_feature(context.get(), feature.name, nullptr) == 0;
    for (VmafPicture &picture : pictures)
        ok = ok && vmaf_picture_alloc(&picture, format.pix_fmt, format.bpc, format.width, format.height) == 0;
    ok = ok && vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], 0) == 0;
    for (VmafPicture &picture : pictures)
        if (picture.data[0] != nullptr)
            vmaf_picture_unref(&picture);
    return ok;
}

} // namespace vmaf::test
