#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cli/specs.h"
#include "common/failure.h"
#include "libvmaf/model.h"
#include "model_choice.h"

namespace vmaf::tool {
namespace {

ModelSpec model(std::string_view text)
{
    return parse_model_spec(text, [](const std::string &version) { return version == "built_in"; });
}

using Pair = std::pair<std::string, std::string>;

TEST(ItemList, ColonAndBackslashCanBeEscaped)
{
    const std::vector<std::string> expected{"path=C:\\x", "\\n", ""};
    EXPECT_EQ(split_items(R"(path=C\:\\x:\n:)"), expected);
}

TEST(ModelSpec, ReadsEveryItem)
{
    const ModelSpec spec = model("version=v:path=p:name=n:disable_clip:enable_transform=true:vif.gain=1.5:adm.a.b=x=y");
    EXPECT_EQ(spec.version, "v");
    EXPECT_EQ(spec.path, "p");
    EXPECT_EQ(spec.label(), "v");
    EXPECT_EQ(spec.name, "n");
    EXPECT_EQ(spec.flags, std::uint64_t{VMAF_MODEL_FLAG_DISABLE_CLIP | VMAF_MODEL_FLAG_ENABLE_TRANSFORM});
    ASSERT_EQ(spec.overloads.size(), 2U);
    EXPECT_EQ(spec.overloads[0].extractor, "vif");
    EXPECT_EQ(spec.overloads[0].option, "gain");
    EXPECT_EQ(spec.overloads[0].value, "1.5");
    EXPECT_EQ(spec.overloads[1].option, "a");
    EXPECT_EQ(spec.overloads[1].value, "x=y");
}

TEST(ModelSpec, DefaultNameIsVmafAndPathIsTheLabelWithoutVersion)
{
    const ModelSpec spec = model("path=dir=1/m.json");
    EXPECT_EQ(spec.name, "vmaf");
    EXPECT_EQ(spec.label(), "dir=1/m.json");
}

TEST(ModelSpec, FlagWithOtherValueHasNoEffect)
{
    EXPECT_EQ(model("version=v:disable_clip=false:enable_transform=1").flags, 0U);
}

TEST(ModelSpec, BareBuiltInNameOrAutoMustComeFirst)
{
    EXPECT_EQ(model("built_in:name=x").version, "built_in");
    EXPECT_EQ(model("auto").version, kAutoVersion);
    EXPECT_THROW(model("name=x:built_in"), UsageError);
    EXPECT_THROW(model("unheard_of"), UsageError);
}

TEST(ModelSpec, BadStringsAreUsageErrors)
{
    for (const char *bad : {"", "version=v:", "version=v:foo=bar", "version=v:foo", "name=x", ":version=v",
                            "version=v:vif.gain", "version=v:.gain=1", "version=v:vif.=1", "disable_clip"})
        EXPECT_THROW(model(bad), UsageError) << bad;
}

TEST(ModelSpec, AtMost32Overloads)
{
    std::string text = "version=v";
    for (int i = 0; i < 32; ++i)
        text += ":vif.x=1";
    EXPECT_NO_THROW(model(text));
    EXPECT_THROW(model(text + ":vif.x=1"), UsageError);
}

TEST(FeatureSpec, ReadsNameAndOptions)
{
    const FeatureSpec plain = parse_feature_spec("psnr");
    EXPECT_EQ(plain.name, "psnr");
    EXPECT_TRUE(plain.options.empty());
    const FeatureSpec spec = parse_feature_spec(R"(cambi=heatmaps_path=a\:b=c:topk=0.5)");
    EXPECT_EQ(spec.name, "cambi");
    ASSERT_EQ(spec.options.size(), 2U);
    EXPECT_EQ(spec.options[0], (Pair{"heatmaps_path", "a:b=c"}));
    EXPECT_EQ(spec.options[1], (Pair{"topk", "0.5"}));
}

TEST(FeatureSpec, BadStringsAreUsageErrors)
{
    for (const char *bad :
         {"psnr=", "psnr=enable_chroma", "psnr:enable_chroma=false", "psnr=a=1:", "psnr=a=1::b=2", "psnr==1"})
        EXPECT_THROW(parse_feature_spec(bad), UsageError) << bad;
}

TEST(FeatureSpecs, SeveralMayBeNamedAtOnce)
{
    const auto specs = parse_feature_specs(R"(psnr,ciede,vif=debug=true:vif_enhn_gain_limit=1,5)");
    ASSERT_EQ(specs.size(), 3U);
    EXPECT_EQ(specs[0].name, "psnr");
    EXPECT_TRUE(specs[0].options.empty());
    EXPECT_EQ(specs[1].name, "ciede");
    EXPECT_EQ(specs[2].name, "vif");
    EXPECT_EQ(specs[2].options, (std::vector<Pair>{{"debug", "true"}, {"vif_enhn_gain_limit", "1,5"}}));
}

TEST(FeatureSpecs, AreReadAsFfmpegsFilterReadsThem)
{
    const auto plain = parse_feature_specs("name=psnr");
    ASSERT_EQ(plain.size(), 1U);
    EXPECT_EQ(plain[0].name, "psnr");
    EXPECT_TRUE(plain[0].options.empty());
    const auto specs = parse_feature_specs("name=psnr:enable_apsnr=true:min_sse=0.5");
    ASSERT_EQ(specs.size(), 1U);
    EXPECT_EQ(specs[0].name, "psnr");
    EXPECT_EQ(specs[0].options, (std::vector<Pair>{{"enable_apsnr", "true"}, {"min_sse", "0.5"}}));
    EXPECT_EQ(parse_feature_specs("name=psnr,ciede").size(), 2U);
}

TEST(FeatureSpecs, BadStringsAreUsageErrors)
{
    for (const char *bad : {"psnr=", "psnr=enable_chroma", "psnr,", ",psnr", "psnr,,ciede", "psnr,ciede=a",
                            "name=", "name=psnr=a=1", "name=psnr:a", "name=psnr:"})
        EXPECT_THROW(parse_feature_specs(bad), UsageError) << bad;
}

TEST(ModelSpec, BareFileIsAPath)
{
    EXPECT_EQ(model("models/mine").path, "models/mine");
    EXPECT_EQ(model("mine.json:name=x").path, "mine.json");
    EXPECT_EQ(model("mine.json:name=x").name, "x");
    EXPECT_EQ(model("old.pkl").path, "old.pkl");
    EXPECT_EQ(model(R"(C\:/mine.json)").path, "C:/mine.json");
    EXPECT_THROW(model("name=x:mine.json"), UsageError);
}

/// The error message about the model.
std::string complaint(std::string_view text)
{
    try {
        model(text);
    } catch (const UsageError &error) {
        return error.what();
    }
    return {};
}

TEST(ModelSpec, BadStringsNameWhatWasProbablyMeant)
{
    EXPECT_NE(complaint("vmaf_v061").find("; did you mean vmaf_v0.6.1?"), std::string::npos);
    EXPECT_NE(complaint("vers=vmaf_v0.6.1").find("bad option string"), std::string::npos);
    EXPECT_NE(complaint("verison=vmaf_v0.6.1").find("; did you mean version?"), std::string::npos);
    EXPECT_NE(complaint("version=v:disable_klip").find("; did you mean disable_clip?"), std::string::npos);
    EXPECT_EQ(complaint("something_else").find("did you mean"), std::string::npos);
}

} // namespace
} // namespace vmaf::tool
