#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "feature/feature_runner.h"
#include "feature/registry.h"
#include "support/cpu_targets.h"
#include "support/random.h"
#include "support/registry.h"

// Sums of several encodes that are computed together (CpuLadder) are those of each one alone.

namespace vmaf::test {
namespace {

constexpr unsigned kNotTheFirst = 60;

std::vector<const FeatureSpec *> features_with_ladders()
{
    std::vector<const FeatureSpec *> list;
    for (const FeatureSpec *spec : scoring_features()) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 256, 256};
        if (default_feature(*spec)->make_cpu(format, CpuTarget::baseline)->ladder() != nullptr)
            list.push_back(spec);
    }
    return list;
}

/// A reference, those before it, and encodes of it: at times close to it, as real ones are.
class Ladder {
  public:
    Ladder(const PictureFormat &format, unsigned earlier, unsigned encodes, Random &random)
    {
        const unsigned peak = (1U << format.bpc) - 1;
        for (unsigned i = 0; i <= earlier; ++i) {
            const unsigned noise = 1 + random.below(peak / 4);
            references_.emplace_back(format);
            references_.back().fill([&](unsigned, unsigned x, unsigned y) {
                return std::min(peak, (x * 3 + y * 5) * peak / 2048 % peak + random.below(noise));
            });
        }
        for (unsigned i = 0; i < encodes * (earlier + 1); ++i) {
            const unsigned noise = 1 + random.below(random.below(2) == 0 ? peak : peak / 32);
            encodes_.emplace_back(format);
            encodes_.back().fill([&](unsigned plane, unsigned x, unsigned y) {
                return std::min(peak, references_[i % (earlier + 1)].at(plane, x, y) / 2 * 2 + random.below(noise));
            });
        }
    }

    std::vector<FramePlanes> frames() const
    {
        std::vector<FramePlanes> frames;
        for (std::size_t i = 0; i < encodes_.size(); i += references_.size()) {
            frames.push_back(planes_of(references_[0], encodes_[i]));
            for (unsigned age = 1; age < references_.size(); ++age)
                frames.back().earlier[age - 1] = planes_of(references_[age], encodes_[i + age]);
            frames.back().frame_index = kNotTheFirst;
        }
        return frames;
    }

  private:
    std::vector<TestPicture> references_, encodes_;
};

/// Memory for PODs.
using Sums = std::vector<std::max_align_t>;
Sums room_for(std::size_t bytes)
{
    return Sums(bytes / sizeof(std::max_align_t) + 1);
}

void expect_sums_of_each(const FeatureSpec &spec, const Options &options, const PictureFormat &format, Random &random)
{
    const auto feature = spec.create(parse_options(spec, options).value());
    const std::size_t bytes = feature->sums_bytes();
    for (const CpuTarget target : targets()) {
        SCOPED_TRACE(name_of(target));
        const auto alone = feature->make_cpu(format, target), together = feature->make_cpu(format, target);
        for (const unsigned encodes : {3U, 1U, 2U, 5U}) { // one extractor sees them in turn
            const Ladder ladder(format, feature->window(format).look_back(), encodes, random);
            const std::vector<FramePlanes> frames = ladder.frames();
            Sums expected = room_for(bytes), actual = room_for(bytes * encodes);
            ASSERT_TRUE(together->ladder()->extract_all(frames, actual.data()).ok());
            for (unsigned i = 0; i < encodes; ++i) {
                ASSERT_TRUE(alone->extract(frames[i], expected.data()).ok());
                EXPECT_EQ(std::memcmp(reinterpret_cast<std::byte *>(actual.data()) + i * bytes, expected.data(), bytes),
                          0)
                    << "encode " << i << " of " << encodes;
            }
            ASSERT_TRUE(together->extract(frames[0], expected.data()).ok());
            EXPECT_EQ(std::memcmp(actual.data(), expected.data(), bytes), 0) << "alone after " << encodes;
        }
    }
}

class Ladders : public testing::TestWithParam<const FeatureSpec *> {};

TEST_P(Ladders, HaveTheSumsOfEachEncode)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const FeatureSpec &spec = *GetParam();
    for (const auto &[pix_fmt, bpc] : {std::pair{VMAF_PIX_FMT_YUV420P, 8U},
                                       {VMAF_PIX_FMT_YUV400P, 10U},
                                       {VMAF_PIX_FMT_YUV444P, 12U},
                                       {VMAF_PIX_FMT_YUV420P, 16U}})
        for (const auto &[width, height] :
             {std::pair{spec.min_width_px, spec.min_height_px}, {17U, 130U}, {403U, 97U}}) {
            const PictureFormat format{pix_fmt, bpc, width, height};
            SCOPED_TRACE(testing::Message() << width << "x" << height << ", " << bpc << " bit");
            if (takes(spec, format))
                expect_sums_of_each(spec, {}, format, random);
        }
}

INSTANTIATE_TEST_SUITE_P(All, Ladders, testing::ValuesIn(features_with_ladders()),
                         [](const auto &test) { return std::string(test.param->name); });

TEST(LaddersWithOptions, HaveTheSumsOfEachEncode)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 500, 90};
    const auto check = [&](const char *name, const Options &options) {
        SCOPED_TRACE(name);
        expect_sums_of_each(*find_feature(name), options, format, random);
    };
    check("vif", {{"vif_skip_scale0", "true"}});
    check("vif", {{"vif_enhn_gain_limit", "1"}});
    check("adm", {{"adm_skip_scale0", "true"}});
    check("adm", {{"adm_enhn_gain_limit", "1"}});
    check("motion", {{"motion_five_frame_window", "true"}});
}

TEST(LaddersOfFeatures, AreComputedTogether)
{
    std::vector<std::string> names;
    for (const FeatureSpec *spec : features_with_ladders())
        names.push_back(spec->name);
    for (const char *const name :
         {"vif", "adm", "motion", "pu21_psnr", "delta_e_itp", "psnr_hvs", "float_ssim", "float_ms_ssim", "pu21_ssim",
          "xpsnr", "speed_chroma", "speed_temporal", "cvvdp", "butteraugli"})
        EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

} // namespace
} // namespace vmaf::test
