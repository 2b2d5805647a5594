#include <gtest/gtest.h>

#include "feature/feature.h"
#include "model/builtin/builtin_table.h"
#include "scoring/chroma_use.h"
#include "support/registry.h"

/// The tool leaves chroma out only where the library does not read it.
namespace vmaf::test {
namespace {

using tool::may_read_chroma;
using tool::Selection;

/// Of 4:2:0 pictures.
bool reads_chroma(const FeatureSpec &spec, const OptionDict &options)
{
    const auto feature = spec.create(OptionValues::parse(spec, options).value());
    const ReadingWindow window = feature->window({VMAF_PIX_FMT_YUV420P, 8, 1920, 1080});
    PairMask mask = read_later(window.earlier, 0);
    mask |= window.pair;
    return ((mask.ref | mask.dis) & kChroma) != kNoPlanes;
}

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
    for (const FeatureSpec *spec : scoring_features()) {
        EXPECT_EQ(may_read_chroma(one_feature(spec->name)), reads_chroma(*spec, {})) << spec->name;
        EXPECT_EQ(may_read_chroma(one_feature(std::string(spec->name) + "_cuda")), reads_chroma(*spec, {}))
            << spec->name;
    }
}

TEST(ChromaUse, NoSwitchOfAFeatureMakesItReadChromaThatIsLeftOut)
{
    unsigned switches = 0;
    for (const FeatureSpec *spec : scoring_features())
        for (const VmafOptionInfo *option : listed(spec->options)) {
            OptionDict options;
            options.set(option->name, "true");
            if (option->type != VMAF_OPTION_BOOL || !reads_chroma(*spec, options))
                continue;
            ++switches;
            EXPECT_TRUE(may_read_chroma(one_feature(spec->name, {{option->name, "true"}})))
                << spec->name << " " << option->name;
        }
    EXPECT_GT(switches, 0U);
}

TEST(ChromaUse, IsThatOfTheFeaturesOfEachBuiltInModel)
{
    for (const BuiltinModel &model : builtin_models()) {
        bool expected = false;
        for (const BuiltinFeature &feature : model.features) {
            OptionDict options;
            for (const auto &[key, value] : feature.options)
                options.set(key, value);
            const FeatureSpec *spec = find_feature_providing(feature.name);
            ASSERT_NE(spec, nullptr) << feature.name;
            expected = expected || reads_chroma(*spec, options);
        }
        EXPECT_EQ(may_read_chroma(one_model(std::string(model.version))), expected) << model.version;
    }
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
