#include "report/feature_maps.h"

#include <map>

#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {

std::vector<MappedFeature> mapped_features(const Selection &selection)
{
    std::vector<MappedFeature> features;
    std::map<std::string, unsigned> uses;
    for (const FeatureSpec &asked : selection.features) {
        const VmafFeatureInfo *const info = find_feature_info(asked.name);
        if (info == nullptr || info->map == nullptr)
            continue;
        const unsigned use = ++uses[info->name];
        features.push_back({info, &asked, use == 1 ? info->name : formatted("{}-{}", info->name, use)});
    }
    return features;
}

OwnedMap map_of(const MappedFeature &feature, const VmafPicture &ref, const VmafPicture &dis)
{
    FeatureDictionary options;
    VmafMap *map = nullptr;
    int error = 0;
    for (const auto &[key, value] : feature.asked->options)
        error = error != 0 ? error : options.set(key.c_str(), value.c_str());
    if (error == 0)
        error = vmaf_map_create(&map, feature.info->name, options.get(), &ref, &dis);
    if (error != 0)
        throw Failure(exit_code_of(error), formatted("problem making the map of {}", feature.info->name));
    return OwnedMap(map);
}

} // namespace vmaf::tool
