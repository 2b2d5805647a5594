/// What the tool's table says of features is what the library's registry does.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "feature/registry.h"
#include "listing/feature_table.h"

namespace vmaf::test {
namespace {

TEST(FeatureRows, EveryFeatureIsFoundByBothNames)
{
    for (const FeatureSpec *spec : feature_registry()) {
        const tool::FeatureRow *const row = tool::find_feature_row(spec->name);
        ASSERT_NE(row, nullptr) << spec->name;
        EXPECT_EQ(row->name, std::string(spec->name));
        EXPECT_EQ(tool::find_feature_row(std::string(spec->name) + "_cuda"), row);
    }
    EXPECT_EQ(tool::find_feature_row("something_else"), nullptr);
    EXPECT_EQ(tool::find_feature_row("_cuda"), nullptr);
}

TEST(FeatureRows, AnOptionForTheFrameRateHasTheRegistrysRange)
{
    unsigned features_with_rate = 0;
    for (const FeatureSpec *spec : feature_registry()) {
        const auto options = listed(spec->options);
        const auto found = std::ranges::find(options, VMAF_ROLE_FRAME_RATE, &VmafOptionInfo::role);
        const auto row = tool::frame_rate_option(spec->name);
        ASSERT_EQ(row.has_value(), found != options.end()) << spec->name;
        if (!row)
            continue;
        ++features_with_rate;
        const VmafOptionInfo *option = *found;
        EXPECT_STREQ(row->name, option->name);
        for (const double rate : {option->least, option->most})
            EXPECT_TRUE(row->takes(rate)) << spec->name;
        EXPECT_FALSE(row->takes(option->most * 2)) << spec->name;
        EXPECT_FALSE(row->takes(option->least - 1)) << spec->name;
    }
    EXPECT_GT(features_with_rate, 0U);
    EXPECT_FALSE(tool::frame_rate_option("something_else"));
    EXPECT_EQ(tool::frame_rate_option("xpsnr_cuda")->assumed, "");
    EXPECT_EQ(tool::frame_rate_option("cvvdp")->assumed, "25");
}

TEST(FeatureRows, ValuesOfTheWholeClip)
{
    EXPECT_TRUE(tool::find_feature_row("xpsnr")->has_clip_values);
    EXPECT_TRUE(tool::find_feature_row("cvvdp")->has_clip_values);
    EXPECT_TRUE(tool::find_feature_row("psnr")->has_clip_values); // if it is asked for
    EXPECT_FALSE(tool::find_feature_row("vif")->has_clip_values);
    EXPECT_FALSE(tool::find_feature_row("motion")->has_clip_values);
}

} // namespace
} // namespace vmaf::test
