#include <memory>
#include <utility>
#include <vector>

#include "capi/c_boundary.h"
#include "capi/types.h"
#include "capi/visibility.h"
#include "engine/make_map.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

/// What a client's VmafMap points into.
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
        VMAF_TRY_ASSIGN(MetricMap made,
                        make_map(*spec, options != nullptr ? options->options : OptionDict(), *ref, *dis));
        *map = std::make_unique<OwningMap>(std::move(made)).release();
        return {};
    });
}

VMAF_PUBLIC void vmaf_map_destroy(VmafMap *map)
{
    delete static_cast<OwningMap *>(map);
}
