#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "feature/feature_runner.h"
#include "feature/registry.h"
#include "support/cpu_targets.h"
#include "support/random.h"

// A raw 10-bit file can hold any 16 bits. Such samples have no right score. But every feature
// either refuses the picture or survives it, under sanitizers without undefined behaviour, and
// scores the next picture as if nothing had happened.

namespace vmaf::test {
namespace {

constexpr unsigned kNotTheFirst = 60;

/// A pair, and the number of pairs that were fed before it.
struct PictureSet {
    PictureSet(const PictureFormat &format, unsigned earlier) : pictures(2 + 2 * earlier, TestPicture(format)) {}

    FramePlanes planes() const
    {
        FramePlanes planes = planes_of(pictures[0], pictures[1]);
        for (unsigned i = 0; 2 * i + 2 < pictures.size(); ++i)
            planes.earlier[i] = planes_of(pictures[2 + 2 * i], pictures[3 + 2 * i]);
        planes.frame_index = kNotTheFirst;
        return planes;
    }

    std::vector<TestPicture> pictures;
};

enum class Content { valid, noise, swing, largest };

PictureSet make_pictures(const PictureFormat &format, unsigned earlier, Content content, Random &random)
{
    const unsigned peak = (1U << format.bpc) - 1;
    PictureSet set(format, earlier);
    for (TestPicture &picture : set.pictures)
        picture.fill([&](unsigned, unsigned, unsigned) {
            switch (content) {
            case Content::valid:
                return random.below(peak + 1);
            case Content::noise:
                return random.below(65536);
            case Content::swing:
                return random.below(2) * 65535;
            default:
                return 65535U;
            }
        });
    return set;
}

/// Scores of one frame; none if the extractor refuses it.
std::vector<double> scores(const Feature &feature, CpuExtractor &extractor, const PictureFormat &format,
                           const FramePlanes &planes)
{
    std::vector<std::max_align_t> sums(feature.sums_bytes() / sizeof(std::max_align_t) + 1);
    const Status status = extractor.extract(planes, sums.data());
    if (!status.ok()) {
        EXPECT_EQ(status.code(), -EINVAL);
        return {};
    }
    std::vector<double> result(feature.outputs(format).size());
    feature.finish(sums.data(), format, result);
    return result;
}

void expect_survives(const FeatureSpec &spec, const Options &options, const PictureFormat &format, Random &random)
{
    const auto feature = spec.create(parse_options(spec, options).value());
    if (format.width < spec.min_width_px || format.height < spec.min_height_px || !feature->check_format(format).ok())
        return;
    const unsigned earlier = feature->window(format).look_back();
    const PictureSet valid = make_pictures(format, earlier, Content::valid, random);
    for (const CpuTarget target : targets()) {
        const auto fresh = feature->make_cpu(format, target), used = feature->make_cpu(format, target);
        for (const Content content : {Content::noise, Content::swing, Content::largest})
            scores(*feature, *used, format, make_pictures(format, earlier, content, random).planes());
        const std::vector<double> expected = scores(*feature, *fresh, format, valid.planes());
        const std::vector<double> actual = scores(*feature, *used, format, valid.planes());
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i)
            EXPECT_TRUE(actual[i] == expected[i] || (actual[i] != actual[i] && expected[i] != expected[i])) << i;
    }
}

class SamplesAboveTheDepth : public testing::TestWithParam<const FeatureSpec *> {};

TEST_P(SamplesAboveTheDepth, AreRefusedOrSurvived)
{
    Random random;
    SCOPED_TRACE(random.seed());
    set_log_level(LogLevel::none); // every refusal is a line
    const FeatureSpec &spec = *GetParam();
    for (const unsigned bpc : {9U, 10U, 15U})
        for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV444P})
            for (const auto &[width, height] : {std::pair{spec.min_width_px, spec.min_height_px}, {217U, 81U}}) {
                SCOPED_TRACE(testing::Message() << width << "x" << height << ", " << bpc << " bit, " << pix_fmt);
                expect_survives(spec, {}, {pix_fmt, bpc, width, height}, random);
            }
    set_log_level(LogLevel::info);
}

INSTANTIATE_TEST_SUITE_P(All, SamplesAboveTheDepth,
                         testing::ValuesIn(feature_registry().begin(), feature_registry().end()),
                         [](const auto &test) { return std::string(test.param->name); });

} // namespace
} // namespace vmaf::test
