#pragma once

#include <string>
#include <vector>

#include "feature/registry.h"

/// Lists of what is registered, so that tests and benchmarks of the public API need no list of
/// their own. Programs that use them link the library's objects too.
namespace vmaf::test {

/// All features that write scores.
inline std::vector<const FeatureSpec *> scoring_features()
{
    std::vector<const FeatureSpec *> list;
    for (const FeatureSpec *spec : feature_registry())
        if (spec->outputs[0] != nullptr)
            list.push_back(spec);
    return list;
}

/// A feature with its default options.
inline std::unique_ptr<Feature> default_feature(const FeatureSpec &spec)
{
    return spec.create(OptionValues::parse(spec, OptionDict{}).value());
}

/// Whether a feature with default options accepts pictures in that format.
inline bool takes(const FeatureSpec &spec, const PictureFormat &format)
{
    return format.width >= spec.min_width_px && format.height >= spec.min_height_px &&
           default_feature(spec)->check_format(format).ok();
}

/// Name of the first score that a feature with default options writes for a frame.
inline std::string first_score(const FeatureSpec &spec)
{
    return default_feature(spec)->outputs({VMAF_PIX_FMT_YUV420P, 8, 1920, 1080}).front().name;
}

/// Number of planes that a feature with default options reads from each 4:2:0 picture: 1 or all 3.
inline unsigned planes_read(const FeatureSpec &spec)
{
    const PairMask mask = default_feature(spec)->window({VMAF_PIX_FMT_YUV420P, 8, 1920, 1080}).pair;
    return ((mask.ref | mask.dis) & kChroma) != kNoPlanes ? 3 : 1;
}

} // namespace vmaf::test
