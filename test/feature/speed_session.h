#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "feature/speed/speed.h"
#include "support/clips.h"

namespace vmaf::test::speed {

inline Result<OptionValues> parse(const FeatureSpec &spec, const std::vector<OptionDict::Entry> &options)
{
    OptionDict dict;
    for (const auto &[key, value] : options)
        dict.set(key, value);
    return OptionValues::parse(spec, dict);
}

/// Does what the engine does for one registration: keeps the pictures of the call before, extracts,
/// and finishes.
class SpeedSession {
  public:
    SpeedSession(const FeatureSpec &spec, const PictureFormat &format, const std::vector<OptionDict::Entry> &options,
                 CpuTarget target = cpu_target(0))
        : feature_(spec.create(parse(spec, options).value())), format_(format), cpu_(feature_->make_cpu(format, target))
    {
    }

    std::vector<double> feed(FramePlanes planes)
    {
        planes.earlier[0] = previous_;
        previous_ = planes;
        std::vector<std::byte> sums(feature_->sums_bytes());
        EXPECT_TRUE(cpu_->extract(planes, sums.data()).ok());
        std::vector<double> scores(feature_->outputs(format_).size());
        feature_->finish(sums.data(), format_, scores);
        return scores;
    }
    std::vector<double> feed(const Clip &clip, unsigned frame, unsigned index)
    {
        FramePlanes planes;
        planes.frame_index = index;
        for (unsigned plane = 0; plane < format_.plane_count(); ++plane) {
            planes.ref[plane] = clip.plane(Side::ref, frame, plane);
            planes.dis[plane] = clip.plane(Side::dis, frame, plane);
        }
        return feed(planes);
    }

  private:
    std::unique_ptr<Feature> feature_;
    PictureFormat format_;
    std::unique_ptr<CpuExtractor> cpu_;
    PairOf<PlaneView> previous_;
};

} // namespace vmaf::test::speed
