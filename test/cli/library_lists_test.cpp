#include <gtest/gtest.h>

#include "library/lists.h"

/// Questions about the library's lists. descriptions_test.cpp checks that the lists are true.
namespace vmaf::test {
namespace {

TEST(LibraryLists, EveryFeatureIsFoundByBothNames)
{
    for (const VmafFeatureInfo *info : tool::library_features()) {
        EXPECT_EQ(tool::find_feature_info(info->name), info);
        EXPECT_EQ(tool::find_feature_info(std::string(info->name) + "_cuda"), info);
    }
    EXPECT_GT(tool::library_features().size(), 20U);
    EXPECT_EQ(tool::find_feature_info("something_else"), nullptr);
    EXPECT_EQ(tool::find_feature_info("_cuda"), nullptr);
}

TEST(LibraryLists, EveryModelIsFound)
{
    for (const VmafModelInfo *info : tool::library_models())
        EXPECT_EQ(tool::find_model_info(info->version), info);
    EXPECT_EQ(tool::find_model_info("vmaf"), nullptr);
    EXPECT_STREQ(tool::default_model().version, "vmaf_v0.6.1"); // spec cli 2.3
}

/// Features that need the frame rate (spec xpsnr 2, cvvdp 2).
TEST(LibraryLists, OptionsForTheFrameRate)
{
    const auto rate = [](const char *feature) {
        return tool::find_option(*tool::find_feature_info(feature), VMAF_ROLE_FRAME_RATE);
    };
    ASSERT_NE(rate("xpsnr"), nullptr);
    EXPECT_STREQ(rate("xpsnr")->name, "fps");
    EXPECT_EQ(tool::default_text(*rate("xpsnr")), "0");
    EXPECT_EQ(tool::range_text(*rate("xpsnr")), "0..1000000");
    ASSERT_NE(rate("cvvdp_cuda"), nullptr);
    EXPECT_EQ(tool::default_text(*rate("cvvdp_cuda")), "25");
    EXPECT_EQ(tool::range_text(*rate("cvvdp_cuda")), "1..240");
    EXPECT_EQ(rate("psnr"), nullptr);
}

TEST(LibraryLists, TextsOfOptions)
{
    const auto texts = [](const VmafOptionInfo &option) {
        return std::string(tool::type_text(option)) + ' ' + tool::default_text(option) + ' ' + tool::range_text(option);
    };
    VmafOptionInfo option{};
    EXPECT_EQ(texts(option), "bool false ");
    option.default_number = 1;
    EXPECT_EQ(texts(option), "bool true ");
    option = {};
    option.type = VMAF_OPTION_INT;
    option.least = 3;
    option.most = 2147483647;
    EXPECT_EQ(texts(option), "int  3.."); // 0 means none
    option.default_number = 3;
    EXPECT_EQ(texts(option), "int 3 3..");
    option.type = VMAF_OPTION_DOUBLE;
    option.default_number = 3.5;
    EXPECT_EQ(texts(option), "real 3.5 3..2.14748365e+09");
    option = {};
    option.type = VMAF_OPTION_TEXT;
    option.default_text = "nearest";
    EXPECT_EQ(texts(option), "text nearest ");
}

} // namespace
} // namespace vmaf::test
