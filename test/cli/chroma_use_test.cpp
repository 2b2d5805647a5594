#include <gtest/gtest.h>

#include "library/lists.h"
#include "scoring/registration.h"

/// The tool leaves chroma out only if the library's lists say that no feature reads it.
namespace vmaf::test {
namespace {

using tool::may_read_chroma;
using tool::Selection;

Selection one_feature(const std::string &name, std::vector<std::pair<std::string, std::string>> options = {})
{
    Selection selection;
    selection.add(tool::FeatureSpec{name, std::move(options)});
    return selection;
}

Selection one_model(const std::string &version)
{
    Selection selection;
    tool::ModelSpec model;
    model.version = version;
    selection.add(model);
    return selection;
}

TEST(ChromaUse, IsThatOfEachFeature)
{
    for (const VmafFeatureInfo *info : tool::library_features())
        for (const char *device : {"", "_cuda"})
            EXPECT_EQ(may_read_chroma(one_feature(std::string(info->name) + device)), info->reads_chroma != 0)
                << info->name;
    EXPECT_TRUE(may_read_chroma(one_feature("psnr")));
    EXPECT_FALSE(may_read_chroma(one_feature("vif")));
}

TEST(ChromaUse, FollowsTheOptionThatSaysWhether)
{
    EXPECT_FALSE(may_read_chroma(one_feature("float_motion", {{"debug", "true"}})));
    EXPECT_TRUE(may_read_chroma(one_feature("float_motion", {{"motion_add_uv", "true"}})));
    EXPECT_FALSE(may_read_chroma(one_feature("float_motion", {{"motion_add_uv", "true"}, {"motion_add_uv", "false"}})));
    EXPECT_FALSE(may_read_chroma(one_feature("psnr", {{"enable_chroma", "false"}})));
    EXPECT_TRUE(may_read_chroma(one_feature("psnr", {{"enable_chroma", "what"}})));
}

TEST(ChromaUse, IsThatOfEachBuiltInModel)
{
    for (const VmafModelInfo *info : tool::library_models())
        EXPECT_EQ(may_read_chroma(one_model(info->version)), info->reads_chroma != 0) << info->version;
    EXPECT_FALSE(may_read_chroma(one_model("vmaf_4k_v0.6.1")));
    EXPECT_FALSE(may_read_chroma(one_model("auto")));
    EXPECT_TRUE(may_read_chroma(one_model("vmaf_v1.0.16_3d0h")));
}

TEST(ChromaUse, WhatIsNotKnownMayReadIt)
{
    EXPECT_TRUE(may_read_chroma(one_feature("something_else")));
    EXPECT_TRUE(may_read_chroma(one_model("")));
    Selection overloaded = one_model("vmaf_float_v0.6.1");
    EXPECT_FALSE(may_read_chroma(overloaded));
    overloaded.models.front().overloads.push_back({"float_motion", "motion_add_uv", "true"});
    EXPECT_TRUE(may_read_chroma(overloaded));
}

TEST(ChromaUse, OneThatReadsItIsEnough)
{
    Selection selection = one_model("auto");
    selection.add(tool::FeatureSpec{"vif", {}});
    EXPECT_FALSE(may_read_chroma(selection));
    selection.add(tool::FeatureSpec{"psnr", {}});
    EXPECT_TRUE(may_read_chroma(selection));
    EXPECT_FALSE(may_read_chroma({}));
}

} // namespace
} // namespace vmaf::test
