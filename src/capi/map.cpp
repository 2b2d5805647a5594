#include <memory>
#include <utility>
#include <vector>

#include "capi/c_boundary.h"
#include "capi/device.h"
#include "capi/types.h"
#include "capi/visibility.h"
#include "engine/make_map.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

/// A VmafMap with the memory that it points to.
struct OwningMap : VmafMap {
    explicit OwningMap(MetricMap made) : VmafMap{}, values(std::move(made.values))
    {
        w = made.width_px;
        h = made.height_px;
        stride = static_cast<std::ptrdiff_t>(w * sizeof(float));
        data = values.data();
        dark = made.dark;
        bright = made.bright;
    }
    OwningMap(const OwningMap &) = delete;
    OwningMap &operator=(const OwningMap &) = delete;

    std::vector<float> values;
};

/// The picture, or a copy in host memory that `held` keeps.
Result<VmafPicture> in_host_memory(const VmafPicture &picture, HeldPicture &held)
{
    if (picture.ref == nullptr || picture.ref->kind() != MemoryKind::device)
        return picture;
    VMAF_TRY_ASSIGN(held, copy_to_host(picture));
    return held->picture();
}

} // namespace

VMAF_PUBLIC int vmaf_map_create(VmafMap **map, const char *feature, const VmafFeatureDictionary *options,
                                const VmafPicture *ref, const VmafPicture *dis)
{
    return c_boundary("vmaf_map_create", [&]() -> Status {
        if (map == nullptr)
            return Status::error(EINVAL);
        *map = nullptr;
        if (feature == nullptr || ref == nullptr || dis == nullptr)
            return Status::error(EINVAL);
        const FeatureSpec *spec = find_feature(feature);
        if (spec == nullptr) {
            log(LogLevel::error, "unknown feature: %s", feature);
            return Status::error(EINVAL);
        }
        HeldPicture held_ref, held_dis;
        VMAF_TRY_ASSIGN(const VmafPicture ref_picture, in_host_memory(*ref, held_ref));
        VMAF_TRY_ASSIGN(const VmafPicture dis_picture, in_host_memory(*dis, held_dis));
        VMAF_TRY_ASSIGN(MetricMap made, make_map(*spec, options != nullptr ? options->options : OptionDict(),
                                                 ref_picture, dis_picture));
        *map = std::make_unique<OwningMap>(std::move(made)).release();
        return {};
    });
}

VMAF_PUBLIC void vmaf_map_destroy(VmafMap *map)
{
    delete static_cast<OwningMap *>(map);
}
