// Registering features, their options, and the names of their scores (spec abi 3.4, 5, 9).

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client.h"

namespace vmaf::test {
namespace {

const Clip &small_clip()
{
    return Clip::get("tiles_176x144_8");
}

TEST(FeatureContract, NullAndUnknownNamesAreRefused)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_use_feature(nullptr, "vif", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(vmaf, nullptr, nullptr), -EINVAL);
    for (const char *name : {"nope", "", "VIF", "ssim", "integer_vif", "VMAF_integer_feature_vif_scale0_score"})
        EXPECT_EQ(vmaf_use_feature(vmaf, name, nullptr), -EINVAL) << name;
}

#ifndef VMAF_TEST_CUDA_BUILD
TEST(FeatureContract, CudaNamesAreRefusedInABuildWithoutCuda)
{
    OpenContext vmaf;
    for (const char *name : {"vif_cuda", "adm_cuda", "motion_cuda", "psnr_cuda", "ssimulacra2_cuda"})
        EXPECT_EQ(vmaf_use_feature(vmaf, name, nullptr), -EINVAL) << name;
}
#endif

TEST(FeatureContract, ARefusedDictionaryStaysTheClients)
{
    OpenContext vmaf;
    VmafFeatureDictionary *dict = dictionary({{"vif_enhn_gain_limit", "0.5"}});
    EXPECT_EQ(vmaf_use_feature(vmaf, "vif", dict), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(vmaf, "nope", dict), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(nullptr, "vif", dict), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, "vif_enhn_gain_limit", "1.5"), 0);
    EXPECT_EQ(vmaf_use_feature(vmaf, "vif", dict), 0);
}

struct OptionRow {
    const char *feature, *key, *value;
    int result;
};

TEST(FeatureContract, OptionValuesAreAcceptedAndRefusedAsSpecified)
{
    const OptionRow rows[] = {
        {"vif", "bogus", "1", 0},
        {"vif", "egl", "2", 0},
        {"vif", "debug", "true", 0},
        {"vif", "debug", "false", 0},
        {"vif", "debug", "1", -EINVAL},
        {"vif", "debug", "True", -EINVAL},
        {"vif", "debug", "", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "abc", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "x2", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "0.5", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "101", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "inf", -EINVAL},
        {"vif", "vif_enhn_gain_limit", "nan", 0},
        {"vif", "vif_enhn_gain_limit", " 2", 0},
        {"vif", "vif_enhn_gain_limit", "+2", 0},
        {"vif", "vif_enhn_gain_limit", "0x2", 0},
        {"vif", "vif_enhn_gain_limit", "2,5", 0},
        {"vif", "vif_enhn_gain_limit", "2x", 0},
        {"vif", "vif_enhn_gain_limit", "1.5", 0},
        {"psnr", "min_sse", "-0", -EINVAL},
        {"psnr", "min_sse", ".5", 0},
        {"psnr", "min_sse", "0", 0},
        {"adm", "adm_csf_mode", "1.7", 0},
        {"adm", "adm_csf_mode", "4", -EINVAL},
        {"adm", "adm_csf_mode", "-1", -EINVAL},
        {"adm", "adm_ref_display_height", "1e3", 0},
        {"adm", "adm_ref_display_height", "1080.0", 0},
    };
    for (const OptionRow &row : rows) {
        OpenContext vmaf;
        EXPECT_EQ(use_feature(vmaf, row.feature, {{row.key, row.value}}), row.result)
            << row.feature << ':' << row.key << "='" << row.value << '\'';
    }
}

TEST(FeatureContract, EqualRegistrationsAreOne)
{
    OpenContext vmaf;
    EXPECT_EQ(use_feature(vmaf, "vif"), 0);
    EXPECT_EQ(use_feature(vmaf, "vif"), 0);
    EXPECT_EQ(use_feature(vmaf, "vif", {{"vif_enhn_gain_limit", "100"}}), 0) << "the default value";
    EXPECT_EQ(use_feature(vmaf, "vif", {{"debug", "true"}}), 0) << "an option that does not change scores";
    EXPECT_EQ(use_feature(vmaf, "vif", {{"vif_enhn_gain_limit", "1.5"}}), 0);
    EXPECT_EQ(use_feature(vmaf, "vif", {{"vif_enhn_gain_limit", "1.5000001"}}), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0) << "a duplicate would write scores twice";
    EXPECT_FALSE(has_score(vmaf, "integer_vif", 0)) << "the first registration has no debug outputs";
    EXPECT_TRUE(has_score(vmaf, "integer_vif_scale0_egl_1.5", 0));
}

TEST(FeatureContract, TheFirstOfTwoPsnrRegistrationsStays)
{
    OpenContext vmaf;
    EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
    EXPECT_EQ(use_feature(vmaf, "psnr", {{"enable_chroma", "false"}}), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
    EXPECT_TRUE(has_score(vmaf, "psnr_cb", 0));
}

TEST(FeatureContract, ModelsOfOneFamilyShareTheirFeatures)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1"), model_4k("vmaf_4k_v0.6.1", "4k");
    BuiltinCollection collection("vmaf_b_v0.6.3", "b");
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, model_4k), 0);
    EXPECT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0) << "a duplicate would write scores twice";
}

TEST(FeatureContract, NullFeatureAcceptsEverythingAndWritesNothing)
{
    OpenContext vmaf;
    EXPECT_EQ(use_feature(vmaf, "null"), 0);
    EXPECT_EQ(read_blank(vmaf, 1, 1, 0), 0);
    EXPECT_EQ(flush(vmaf), 0);
    EXPECT_EQ(csv_columns(vmaf), std::vector<std::string>{});
}

TEST(FeatureContract, AFeatureRegisteredLaterSeesLaterFramesOnly)
{
    OpenContext vmaf;
    EXPECT_EQ(use_feature(vmaf, "vif"), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
    EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 1), 0);
    EXPECT_FALSE(has_score(vmaf, "psnr_y", 0));
    EXPECT_TRUE(has_score(vmaf, "psnr_y", 1));
}

struct NameRow {
    const char *feature;
    std::vector<std::pair<const char *, const char *>> options;
    std::vector<const char *> names;
};

TEST(FeatureContract, OptionsShowInOutputNamesAsSpecified)
{
    const NameRow rows[] = {
        {"vif", {}, {"integer_vif_scale0", "integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3"}},
        {"vif", {{"vif_enhn_gain_limit", "1"}}, {"integer_vif_scale0_egl_1"}},
        {"vif", {{"vif_enhn_gain_limit", "1.0"}}, {"integer_vif_scale0_egl_1"}},
        {"vif", {{"vif_enhn_gain_limit", "1.23456789"}}, {"integer_vif_scale0_egl_1.23457"}},
        {"vif", {{"vif_enhn_gain_limit", "100"}}, {"integer_vif_scale0"}},
        {"vif", {{"vif_skip_scale0", "true"}, {"vif_enhn_gain_limit", "1.5"}}, {"integer_vif_scale0_egl_1.5_ssclz"}},
        {"vif",
         {{"debug", "true"}},
         {"integer_vif_scale0", "integer_vif", "integer_vif_num", "integer_vif_den", "integer_vif_num_scale0",
          "integer_vif_den_scale0"}},
        {"adm",
         {{"adm_enhn_gain_limit", "1.2"}, {"adm_noise_weight", "0.03"}},
         {"integer_adm2_egl_1.2_nw_0.03", "integer_adm_scale0_egl_1.2_nw_0.03"}},
        {"adm", {{"adm_csf_mode", "1.7"}}, {"integer_adm2_csf_1"}},
        {"motion",
         {{"motion_force_zero", "true"}},
         {"VMAF_integer_feature_motion_sad_score_force_0", "integer_motion2_force_0"}},
        {"motion",
         {{"motion_blend_factor", "0.5"}, {"motion_blend_offset", "4"}, {"motion_moving_average", "true"}},
         {"integer_motion2_mbf_0.5_mbo_4_mma"}},
    };
    for (const NameRow &row : rows) {
        OpenContext vmaf;
        VmafFeatureDictionary *dict = nullptr;
        for (const auto &[key, value] : row.options)
            ASSERT_EQ(vmaf_feature_dictionary_set(&dict, key, value), 0);
        ASSERT_EQ(vmaf_use_feature(vmaf, row.feature, dict), 0) << row.names[0];
        read_clip(vmaf, small_clip(), 2);
        EXPECT_EQ(flush(vmaf), 0);
        const std::vector<std::string> columns = csv_columns(vmaf);
        for (const char *name : row.names)
            EXPECT_NE(std::find(columns.begin(), columns.end(), name), columns.end())
                << name << " not among " << ::testing::PrintToString(columns);
    }
}

// An option that is not used may have any text. Here a character of two bytes is cut in half.
TEST(FeatureContract, NamesAreCutAt255Bytes)
{
    constexpr std::size_t kMostBytes = 255;
    const std::string start = "cambi_ceot_pq_eotf_";
    std::string text;
    while (text.size() < 2 * kMostBytes)
        text += "\xc3\xa9";
    if ((kMostBytes - start.size()) % 2 == 0)
        text.insert(0, "x");
    const std::string uncut = start + text, name = uncut.substr(0, kMostBytes);

    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "cambi", {{"cambi_eotf", "pq"}, {"eotf", text.c_str()}}), 0);
    read_clip(vmaf, Clip::get("tiles_352x288_10"), 1);
    EXPECT_EQ(flush(vmaf), 0);
    EXPECT_TRUE(has_score(vmaf, name.c_str(), 0));
    for (const std::size_t bytes : {kMostBytes - 1, kMostBytes + 1, uncut.size()})
        EXPECT_FALSE(has_score(vmaf, uncut.substr(0, bytes).c_str(), 0)) << bytes;

    const std::string path = temp_path("long_names.json");
    EXPECT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_JSON), 0);
    const std::string shown =
        '"' + uncut.substr(0, kMostBytes - 1) + "\xef\xbf\xbd\": "; // JSON cannot hold half a character
    EXPECT_NE(file_text(path).find(shown), std::string::npos);
    std::remove(path.c_str());
}

TEST(FeatureContract, NegModelNamesItsFeaturesAsSpecified)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1neg");
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    read_clip(vmaf, small_clip(), 2);
    EXPECT_EQ(flush(vmaf), 0);
    for (const char *name : {"integer_adm2_egl_1", "integer_vif_scale0_egl_1", "VMAF_integer_feature_motion2_score"})
        EXPECT_TRUE(has_score(vmaf, name, 0)) << name;
}

} // namespace
} // namespace vmaf::test
