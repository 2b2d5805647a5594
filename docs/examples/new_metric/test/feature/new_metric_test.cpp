#include <gtest/gtest.h>

#include <cmath>

#include "feature/feature_runner.h"
#include "feature/new_metric/new_metric.h"

namespace vmaf::test {
namespace {

TEST(NewMetric, IsTheMeanDifferenceOfTheLuma)
{
    const FeatureRunner<NewMetricSums> runner(kNewMetric);
    for (const ClipSpec &spec : clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        const PictureFormat &format = clip.format();
        double expected = 0;
        for (unsigned y = 0; y < format.height; ++y)
            for (unsigned x = 0; x < format.width; ++x) {
                const auto sample = [&](Side side) {
                    const PlaneView plane = clip.plane(side, 0, 0);
                    const unsigned value =
                        format.bpc == 8 ? plane.row<std::uint8_t>(y)[x] : plane.row<std::uint16_t>(y)[x];
                    return value / static_cast<double>(1U << (format.bpc - 8));
                };
                expected += std::abs(sample(Side::ref) - sample(Side::dis)) / format.width / format.height;
            }
        EXPECT_NEAR(runner.scores(spec.name, 0)[0], expected, 1e-9);
    }
}

} // namespace
} // namespace vmaf::test
