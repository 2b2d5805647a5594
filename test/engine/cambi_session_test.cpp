#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "support/session.h"

// CAMBI through the public API. The first read reports errors of its set-up, outputs without an
// option suffix collide, and every thread writes its heatmaps.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "bands_640x360_8";
constexpr double kFrame0 = 19.483791607626692, kSource0 = 1.9689784924392268; // spec cambi 6

int use_cambi(const Context &context, std::initializer_list<std::pair<const char *, std::string>> options)
{
    VmafFeatureDictionary *dictionary = nullptr;
    for (const auto &[name, value] : options)
        EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, name, value.c_str()), 0);
    const int error = vmaf_use_feature(context.get(), "cambi", dictionary);
    if (error != 0 && dictionary != nullptr)
        vmaf_feature_dictionary_free(&dictionary);
    return error;
}

double score(const Context &context, const char *name, unsigned index)
{
    double value = -1;
    EXPECT_EQ(vmaf_feature_score_at_index(context.get(), name, &value, index), 0) << name;
    return value;
}

TEST(CambiSession, FullRefAddsNamesWithoutSuffix)
{
    for (const unsigned n_threads : {0U, 4U}) {
        const Context context = open_context(n_threads);
        ASSERT_EQ(use_cambi(context, {{"full_ref", "true"}, {"cambi_max_val", "900"}}), 0);
        ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
        EXPECT_EQ(score(context, "cambi_cmxv_900", 0), kFrame0);
        EXPECT_EQ(score(context, "cambi_source", 0), kSource0);
        EXPECT_EQ(score(context, "cambi_full_reference", 0), 17.514813115187465);
    }
}

TEST(CambiSession, TwoFullRefInstancesCollide)
{
    const Context context = open_context(0);
    ASSERT_EQ(use_cambi(context, {{"full_ref", "true"}}), 0);
    ASSERT_EQ(use_cambi(context, {{"full_ref", "true"}, {"topk", "0.5"}}), 0);
    EXPECT_EQ(feed(context.get(), Clip::get(kClip), 0, 0), -EINVAL);
    EXPECT_EQ(score(context, "cambi_source", 0), kSource0) << "the first value stays";
}

TEST(CambiSession, SetUpErrorsComeFromTheFirstRead)
{
    for (const unsigned n_threads : {0U, 2U}) {
        Context context = open_context(n_threads);
        ASSERT_EQ(use_cambi(context, {}), 0);
        EXPECT_EQ(feed(context.get(), Clip::get("tiles_176x144_8"), 0, 0), -EINVAL);
        EXPECT_EQ(feed(context.get(), Clip::get(kClip), 0, 0), 0) << "set-up is tried again";
        context = open_context(n_threads);
        ASSERT_EQ(use_cambi(context, {{"eotf", "linear"}}), 0);
        EXPECT_EQ(feed(context.get(), Clip::get(kClip), 0, 0), -EINVAL);
        context = open_context(n_threads);
        ASSERT_EQ(use_cambi(context, {{"heatmaps_path", "/dev/null/x"}}), 0);
        EXPECT_EQ(feed(context.get(), Clip::get(kClip), 0, 0), -EINVAL);
        EXPECT_EQ(use_cambi(context, {{"enc_width", "0"}}), -EINVAL);
    }
}

TEST(CambiSession, HeatmapsOfEveryThreadArrive)
{
    char name[] = "/tmp/cambi_session_XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(name);
    std::string bytes[2];
    for (const unsigned n_threads : {0U, 4U}) {
        Context context = open_context(n_threads);
        ASSERT_EQ(use_cambi(context, {{"heatmaps_path", folder / "maps"}}), 0);
        ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
        context.reset();
        std::ifstream file(folder / "maps/cambi_heatmap_scale_0_640x360_16b.gray", std::ios::binary);
        bytes[n_threads / 4].assign(std::istreambuf_iterator<char>(file), {});
    }
    std::filesystem::remove_all(folder);
    EXPECT_EQ(bytes[0].size(), std::size_t{640} * 360 * 2 * Clip::get(kClip).spec().frames);
    EXPECT_TRUE(bytes[0] == bytes[1]);
}

} // namespace
} // namespace vmaf::test
