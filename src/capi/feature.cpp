#include "libvmaf/feature.h"

#include <memory>

#include "capi/c_boundary.h"
#include "capi/types.h"
#include "capi/visibility.h"

VMAF_PUBLIC int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val)
{
    return vmaf::c_boundary(__func__, [&] {
        if (dict == nullptr || key == nullptr || val == nullptr)
            return vmaf::Status::error(EINVAL);
        std::unique_ptr<VmafFeatureDictionary> created;
        if (*dict == nullptr)
            created = std::make_unique<VmafFeatureDictionary>();
        VmafFeatureDictionary *target = created ? created.get() : *dict;
        target->options.set(key, vmaf::normalized_option_text(val));
        if (created)
            *dict = created.release();
        return vmaf::Status();
    });
}

VMAF_PUBLIC int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict)
{
    return vmaf::c_boundary(__func__, [&] {
        if (dict == nullptr)
            return vmaf::Status::error(EINVAL);
        delete *dict;
        *dict = nullptr;
        return vmaf::Status();
    });
}
