#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "client.h"
#include "libvmaf/libvmaf_ext.h"
#include "support/foreign_pictures.h"

namespace vmaf::test {
namespace {

struct DestroyMap {
    void operator()(VmafMap *map) const { vmaf_map_destroy(map); }
};
using Map = std::unique_ptr<VmafMap, DestroyMap>;

/// A picture of the client, released at the end.
class OwnPicture {
  public:
    explicit OwnPicture(VmafPicture picture) : picture_(picture) {}
    OwnPicture(const Clip &clip, Side side) : OwnPicture(clip_picture(clip, side, 0)) {}
    ~OwnPicture() { EXPECT_EQ(vmaf_picture_unref(&picture_), 0); }
    OwnPicture(const OwnPicture &) = delete;
    OwnPicture &operator=(const OwnPicture &) = delete;
    VmafPicture *operator&() { return &picture_; }
    VmafPicture *operator->() { return &picture_; }

  private:
    VmafPicture picture_;
};

int create(Map &map, const char *feature, Options options, const VmafPicture *ref, const VmafPicture *dis)
{
    VmafFeatureDictionary *dict = dictionary(options);
    VmafMap *made = nullptr;
    const int error = vmaf_map_create(&made, feature, dict, ref, dis);
    EXPECT_EQ(error == 0, made != nullptr);
    map.reset(made);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0); // the client still owns it
    return error;
}

Map map_of(const Clip &clip, const char *feature, Options options = {})
{
    OwnPicture ref(clip, Side::ref), dis(clip, Side::dis);
    Map map;
    EXPECT_EQ(create(map, feature, options, &ref, &dis), 0) << feature;
    return map;
}

/// Value of a place, as clients read it.
float at(const VmafMap &map, unsigned x, unsigned y)
{
    return *reinterpret_cast<const float *>(reinterpret_cast<const char *>(map.data) + map.stride * y +
                                            std::size_t{x} * sizeof(float));
}

/// Mean of a power of the values.
double mean_power(const VmafMap &map, int power)
{
    double sum = 0;
    for (unsigned y = 0; y < map.h; ++y)
        for (unsigned x = 0; x < map.w; ++x)
            sum += std::pow(static_cast<double>(at(map, x, y)), power);
    return sum / (static_cast<double>(map.w) * map.h);
}

std::vector<float> values_of(const VmafMap &map)
{
    std::vector<float> values;
    for (unsigned y = 0; y < map.h; ++y)
        for (unsigned x = 0; x < map.w; ++x)
            values.push_back(at(map, x, y));
    return values;
}

/// A score of the first frame.
double score_in_session(const Clip &clip, const char *feature, const char *output, Options options = {})
{
    const OpenContext vmaf;
    EXPECT_EQ(use_feature(vmaf, feature, options), 0);
    EXPECT_EQ(read_frame(vmaf, clip, 0, 0), 0);
    EXPECT_EQ(flush(vmaf), 0);
    return score_of(vmaf, output, 0);
}

constexpr const char *kClips[] = {"tiles_177x145_8", "grey_178x146_10", "tiles_256x192_12", "tiles_256x192_16"};

unsigned luma_at(const Clip &clip, Side side, unsigned x, unsigned y)
{
    const PlaneView view = clip.plane(side, 0, 0);
    return view.bpc > 8 ? view.row<std::uint16_t>(y)[x] : view.row<std::uint8_t>(y)[x];
}

TEST(MapContract, PsnrHasTheSquaredErrorOfEachSample)
{
    for (const char *name : kClips) {
        const Clip &clip = Clip::get(name);
        const Map map = map_of(clip, "psnr");
        ASSERT_EQ(map->w, clip.spec().width);
        ASSERT_EQ(map->h, clip.spec().height);
        double sum = 0;
        for (unsigned y = 0; y < map->h; ++y)
            for (unsigned x = 0; x < map->w; ++x) {
                const double error = static_cast<double>(luma_at(clip, Side::ref, x, y)) -
                                     static_cast<double>(luma_at(clip, Side::dis, x, y));
                ASSERT_EQ(at(*map, x, y), static_cast<float>(error * error)) << name << " " << x << ", " << y;
                sum += static_cast<double>(at(*map, x, y));
            }
        const double mse = score_in_session(clip, "psnr", "mse_y", {{"enable_mse", "true"}});
        EXPECT_GT(mse, 0) << name;
        if (clip.spec().bits <= 12)
            EXPECT_EQ(sum / (static_cast<double>(map->w) * map->h), mse) << name;
        else // squares above 2^24 are rounded
            EXPECT_NEAR(sum / (static_cast<double>(map->w) * map->h), mse, 1e-7 * mse) << name;
    }
}

TEST(MapContract, SsimHasTheScoreAsItsMean)
{
    for (const char *name : kClips)
        EXPECT_NEAR(mean_power(*map_of(Clip::get(name), "float_ssim"), 1),
                    score_in_session(Clip::get(name), "float_ssim", "float_ssim"), 1e-7)
            << name;
}

TEST(MapContract, ButteraugliPoolsToItsNorms)
{
    for (const char *name : kClips) {
        const Clip &clip = Clip::get(name);
        const Map map = map_of(clip, "butteraugli");
        double norms = 0;
        for (const int power : {3, 6, 12})
            norms += std::pow(mean_power(*map, power), 1.0 / power) / 3;
        const double norm3 = score_in_session(clip, "butteraugli", "butteraugli_3norm");
        EXPECT_NEAR(norms, norm3, 1e-6 * norm3) << name;
        const std::vector<float> values = values_of(*map);
        EXPECT_EQ(static_cast<double>(*std::ranges::max_element(values)),
                  score_in_session(clip, "butteraugli", "butteraugli_max"))
            << name;
    }
}

TEST(MapContract, FeaturesOfTheListHaveOneOrAreRefused)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    OwnPicture ref(clip, Side::ref), dis(clip, Side::dis);
    unsigned with_map = 0;
    for (const VmafFeatureInfo *info = vmaf_feature_list(nullptr); info != nullptr; info = vmaf_feature_list(info)) {
        Map map;
        EXPECT_EQ(create(map, info->name, {}, &ref, &dis), info->map != nullptr ? 0 : -ENOTSUP) << info->name;
        if (!map)
            continue;
        ++with_map;
        EXPECT_NE(std::string(info->map), "") << info->name;
        EXPECT_NE(map->dark, map->bright) << info->name;
        EXPECT_GE(map->stride, static_cast<std::ptrdiff_t>(map->w * sizeof(float))) << info->name;
        for (const float value : values_of(*map))
            ASSERT_TRUE(std::isfinite(value)) << info->name;
    }
    EXPECT_GE(with_map, 4U);
}

TEST(MapContract, IdenticalPicturesAreDark)
{
    const Clip &clip = Clip::get("same_352x288_8");
    for (const char *feature : {"psnr", "float_ssim", "butteraugli", "ssimulacra2"}) {
        const Map map = map_of(clip, feature);
        for (const float value : values_of(*map))
            ASSERT_NEAR(static_cast<double>(value), map->dark, 1e-6) << feature;
    }
}

TEST(MapContract, RefusesWhatItCannotMap)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    OwnPicture ref(clip, Side::ref), dis(clip, Side::dis);
    VmafMap made{}, *map = &made;
    EXPECT_EQ(vmaf_map_create(nullptr, "psnr", nullptr, &ref, &dis), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, nullptr, nullptr, &ref, &dis), -EINVAL);
    EXPECT_EQ(map, nullptr);
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, nullptr, &dis), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, &ref, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, &ref, &ref), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "no_such_feature", nullptr, &ref, &dis), -EINVAL);
    vmaf_map_destroy(nullptr);

    Map with_options;
    EXPECT_EQ(create(with_options, "psnr", {{"min_sse", "no number"}}, &ref, &dis), -EINVAL);
    EXPECT_EQ(create(with_options, "butteraugli", {{"transfer", "no such"}}, &ref, &dis), -EINVAL);
    OwnPicture small(blank_picture(7, 7)), other_small(blank_picture(7, 7)), deep(blank_picture(176, 144, 10));
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, &ref, &small), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, &ref, &deep), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "butteraugli", nullptr, &small, &other_small), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "float_ssim", nullptr, &small, &other_small), -EINVAL);
    EXPECT_EQ(vmaf_map_create(&map, "psnr", nullptr, &small, &other_small), 0);
    vmaf_map_destroy(map);
}

TEST(MapContract, HeatmapsOfCambiAreNotWritten)
{
    const std::string folder = temp_path("maps_heatmaps");
    ASSERT_NE(map_of(Clip::get("bands_640x360_8"), "cambi", {{"heatmaps_path", folder.c_str()}}), nullptr);
    EXPECT_NE(::access(folder.c_str(), F_OK), 0);
}

/// Semi-planar samples in the upper bits, as in P010.
class LentPair {
  public:
    explicit LentPair(const Clip &clip)
    {
        for (const Side side : {Side::ref, Side::dis})
            for (unsigned plane = 0; plane < 2; ++plane) {
                const PlaneView view = clip.plane(side, 0, plane);
                for (unsigned y = 0; y < view.height_px; ++y)
                    for (unsigned x = 0; x < view.width_px; ++x)
                        for (unsigned of = plane; of <= 2 * plane; ++of)
                            samples_[side == Side::dis][plane].push_back(
                                static_cast<std::uint16_t>(clip.plane(side, 0, of).row<std::uint16_t>(y)[x] << 6));
            }
    }
    VmafPicture wrap(VmafContext *vmaf, const Clip &clip, Side side)
    {
        VmafForeignPicture foreign{};
        foreign.struct_size = sizeof foreign;
        foreign.pix_fmt = clip.spec().pix_fmt;
        foreign.bpc = clip.spec().bits;
        foreign.shift = 6;
        foreign.w = clip.spec().width;
        foreign.h = clip.spec().height;
        foreign.layout = VMAF_PLANE_LAYOUT_SEMI_PLANAR;
        for (unsigned plane = 0; plane < 2; ++plane) {
            foreign.data[plane] = samples_[side == Side::dis][plane].data();
            foreign.stride[plane] = static_cast<std::ptrdiff_t>(2 * (1 + plane) * clip.plane(side, 0, plane).width_px);
        }
        VmafPicture picture{};
        EXPECT_EQ(vmaf_picture_wrap(vmaf, &picture, &foreign), 0);
        return picture;
    }

  private:
    std::vector<std::uint16_t> samples_[2][2];
};

TEST(MapContract, WrappedPicturesHaveTheMapsOfTheirSamples)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    const OpenContext vmaf;
    LentPair lent(clip);
    OwnPicture ref(lent.wrap(vmaf, clip, Side::ref)), dis(lent.wrap(vmaf, clip, Side::dis));
    for (const char *feature : {"psnr", "butteraugli"}) {
        Map map;
        ASSERT_EQ(create(map, feature, {}, &ref, &dis), 0) << feature;
        EXPECT_EQ(values_of(*map), values_of(*map_of(clip, feature))) << feature;
    }
}

} // namespace
} // namespace vmaf::test
