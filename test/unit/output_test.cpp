#include "engine/output.h"

#include <gtest/gtest.h>

#include <bit>
#include <climits>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace vmaf {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct NumberText {
    double value;
    const char *text;
};

// Check values of spec abi 6, then the limits of its rule.
TEST(ScoreText, MatchesTheChapter)
{
    constexpr NumberText kCases[] = {
        {0.000001, "0.000001"},
        {9.99999e-7, "0.0000009999990000"},
        {1.0000001, "1.0000001000000001"},
        {99.9999999, "100.000000"},
        {-1e-9, "-0.0000000010000000"},
        {1e-20, "0.0000000000000000"},
        {1e10 + 0.25, "10000000000.250000"},
        {kNaN, "nan"},
        {-kNaN, "-nan"},
        {kInfinity, "inf"},
        {-kInfinity, "-inf"},
        {0, "0.000000"},
        {-0.0, "-0.000000"},
        {32.8892141, "32.889214"},
        {2147483647.0 + 0x1p-20, "2147483647.0000009536743164"}, // the fraction counts below 2^31
        {2147483648.0 + 0x1p-20, "2147483648.000001"},           // from there on it does not count
    };
    for (const NumberText &c : kCases)
        EXPECT_EQ(score_text(c.value), c.text);
}

TEST(ScoreText, IgnoresTheClientsLocale)
{
    const char *installed = nullptr;
    for (const char *name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
        if (installed == nullptr)
            installed = std::setlocale(LC_ALL, name);
    if (installed == nullptr || std::string_view(std::localeconv()->decimal_point) != ",")
        GTEST_SKIP() << "no locale with a decimal comma is installed";
    EXPECT_EQ(score_text(1.5), "1.500000");
    const auto format = ScoreFormat::create("%.3f", OutputFormat::csv);
    ASSERT_TRUE(format.ok());
    EXPECT_EQ(format.value().text(1.5), "1.500");
    EXPECT_STREQ(std::localeconv()->decimal_point, ",") << "the client's locale is the same afterwards";
    std::setlocale(LC_ALL, "C");
}

struct FormattedNumber {
    const char *format;
    double value;
    const char *text;
};

TEST(ScoreFormat, WritesAsPrintfDoes)
{
    constexpr FormattedNumber kCases[] = {
        {"%.17g", 0.1, "0.10000000000000001"},
        {"%g", 1e6, "1e+06"},
        {"%.0f", 2.5, "2"},
        {"%f", 32.736312, "32.736312"},
        {"%.3e", 12345, "1.234e+04"},
        {"%E", 1, "1.000000E+00"},
        {"%G", 1e-10, "1E-10"},
        {"%F", 0.5, "0.500000"},
        {"%a", 1, "0x1p+0"},
        {"%A", -0.5, "-0X1P-1"},
        {"%10.2f", 3.14159, "      3.14"},
        {"%-10.2f", 3.14159, "3.14      "},
        {"%+08.2f", 3.14159, "+0003.14"},
        {"% .1f", 3.14159, " 3.1"},
        {"%#.0f", 3, "3."},
        {"%.f", 3.7, "4"},
    };
    for (const FormattedNumber &c : kCases) {
        const auto format = ScoreFormat::create(c.format, OutputFormat::csv);
        ASSERT_TRUE(format.ok()) << c.format;
        EXPECT_EQ(format.value().text(c.value), c.text) << c.format;
    }
}

TEST(ScoreFormat, WritesAnyNumberAsPrintfDoes)
{
    std::mt19937_64 random(11);
    std::vector<double> values{0, -0.0, 0.5, 1.5, 2.5, 99.999999999999986, 1e15, 1e16, 1e17, 1e-4, 9.9999e-5, 5e-324};
    while (values.size() < 3000) {
        const auto bits = std::bit_cast<double>(random());
        if (std::isfinite(bits))
            values.push_back(bits);
        values.push_back(static_cast<double>(random() >> 11) * 0x1p-53 * 100);
    }
    for (const char letter : {'e', 'f', 'g'})
        for (int precision = -1; precision <= 18; ++precision) {
            const std::string conversion = (precision < 0 ? "%" : "%." + std::to_string(precision)) + letter;
            const auto format = ScoreFormat::create(conversion, OutputFormat::json);
            ASSERT_TRUE(format.ok()) << conversion;
            for (const double value : values) {
                char text[400];
                std::snprintf(text, sizeof text, conversion.c_str(), value);
                ASSERT_EQ(format.value().text(value), text) << conversion;
            }
        }
}

TEST(ScoreFormat, WritesNumbersThatAreNoneAsEver)
{
    for (const char *conversion : {"%.17g", "%E", "%+20.3f"}) {
        const auto format = ScoreFormat::create(conversion, OutputFormat::xml);
        ASSERT_TRUE(format.ok()) << conversion;
        for (const double value : {kNaN, -kNaN, kInfinity, -kInfinity})
            EXPECT_EQ(format.value().text(value), score_text(value)) << conversion;
    }
}

TEST(ScoreFormat, TakesTheLargestFields)
{
    const auto format = ScoreFormat::create("%999.999f", OutputFormat::json);
    ASSERT_TRUE(format.ok());
    const std::string text = format.value().text(-std::numeric_limits<double>::max());
    EXPECT_EQ(text.size(), 1u + 309 + 1 + 999);
    EXPECT_EQ(text.substr(0, 18), "-17976931348623157");
    EXPECT_EQ(format.value().text(1).size(), 1u + 1 + 999);
    EXPECT_EQ(ScoreFormat::create("%.999f", OutputFormat::json).value().text(1).size(), 1u + 1 + 999);
}

TEST(ScoreFormat, RefusesWhatIsNotOneConversionOfADouble)
{
    for (const char *text : {"",
                             "%",
                             "f",
                             "17g",
                             "%.17",
                             "%d",
                             "%s",
                             "%n",
                             "%c",
                             "%p",
                             "%x",
                             "%%",
                             "%f%f",
                             "%f%n",
                             "%%%f",
                             " %f",
                             "%f ",
                             "%f dB",
                             "a%f",
                             "%lf",
                             "%Lf",
                             "%hf",
                             "%*f",
                             "%.*f",
                             "%1$f",
                             "%'f",
                             "%If",
                             "%.-1f",
                             "%..3f",
                             "%3.3.3f",
                             "%.3",
                             "%1000f",
                             "%.1000f",
                             "%99999999999999999999f",
                             "%.4294967298f",
                             "%5 f",
                             "%\n",
                             "%.3f\n"})
        EXPECT_EQ(ScoreFormat::create(text, OutputFormat::xml).status().code(), -EINVAL) << text;
    EXPECT_EQ(ScoreFormat::create(std::string_view("%f\0", 3), OutputFormat::xml).status().code(), -EINVAL);
}

TEST(ScoreFormat, RefusesWhatWritesNoNumbersOfJson)
{
    for (const char *text : {"%+f", "%05.1f", "%#.0f", "%- +3g", "%a", "%.3A"}) {
        EXPECT_EQ(ScoreFormat::create(text, OutputFormat::json).status().code(), -EINVAL) << text;
        EXPECT_TRUE(ScoreFormat::create(text, OutputFormat::csv).ok()) << text;
    }
    for (const char *text : {"%.17g", "%8.3f", "%-8.3f", "% .10e", "%10.0E", "%G", "%.0F"}) {
        const auto format = ScoreFormat::create(text, OutputFormat::json);
        ASSERT_TRUE(format.ok()) << text;
        for (const double value : {0.0, -0.0, 0.5, -97.25, 1e300, -1e-300})
            EXPECT_TRUE(nlohmann::json::parse(format.value().text(value)).is_number()) << text << ' ' << value;
    }
}

/// A table of scores, and the properties of the run that files show.
class Output : public testing::Test {
  protected:
    Output()
    {
        info_.version = "3.2.0+test";
        info_.width_px = 176;
        info_.height_px = 144;
        info_.frame_count = 2;
        info_.subsample = 1;
        info_.fps = 2092.0512;
    }

    void add(const char *name, unsigned index, double value, ColumnOrder order)
    {
        EXPECT_TRUE(table_.append(table_.column(name), index, value, order).ok());
    }
    void add_two_frames()
    {
        add("psnr_y", 0, 32.889214, {0, 0});
        add("psnr_y", 1, 32.736312, {1, 0});
        add("VMAF_integer_feature_adm2_score", 0, 0.5, {0, 1});
        add("VMAF_integer_feature_adm2_score", 1, 0.25, {1, 1});
    }
    std::string text(OutputFormat format) const { return format_output(table_, info_, format); }

    ScoreTable table_;
    OutputInfo info_;
};

TEST_F(Output, XmlLayout)
{
    add_two_frames();
    ASSERT_TRUE(table_.append_aggregate("apsnr_y", 32.81209).ok());
    ASSERT_TRUE(table_.append_aggregate("apsnr_cb", 32.66506).ok());
    EXPECT_EQ(text(OutputFormat::xml), R"(<VMAF version="3.2.0+test">
  <params qualityWidth="176" qualityHeight="144" />
  <fyi fps="2092.05" />
  <frames>
    <frame frameNum="0" psnr_y="32.889214" integer_adm2="0.500000" />
    <frame frameNum="1" psnr_y="32.736312" integer_adm2="0.250000" />
  </frames>
  <pooled_metrics>
    <metric name="psnr_y" min="32.736312" max="32.889214" mean="32.812763" harmonic_mean="32.812590" />
    <metric name="integer_adm2" min="0.250000" max="0.500000" mean="0.375000" harmonic_mean="0.363636" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="32.812090" apsnr_cb="32.665060" />
</VMAF>
)");
}

TEST_F(Output, JsonLayout)
{
    add_two_frames();
    ASSERT_TRUE(table_.append_aggregate("apsnr_y", 32.81209).ok());
    ASSERT_TRUE(table_.append_aggregate("apsnr_cb", 32.66506).ok());
    EXPECT_EQ(text(OutputFormat::json), R"({
  "version": "3.2.0+test",
  "fps": 2092.05,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "psnr_y": 32.889214,
        "integer_adm2": 0.500000
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "psnr_y": 32.736312,
        "integer_adm2": 0.250000
      }
    }
  ],
  "pooled_metrics": {
    "psnr_y": {
      "min": 32.736312,
      "max": 32.889214,
      "mean": 32.812763,
      "harmonic_mean": 32.812590
    },
    "integer_adm2": {
      "min": 0.250000,
      "max": 0.500000,
      "mean": 0.375000,
      "harmonic_mean": 0.363636
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 32.812090,
    "apsnr_cb": 32.665060
  }
}
)");
}

TEST_F(Output, CsvLayout)
{
    add_two_frames();
    EXPECT_EQ(text(OutputFormat::csv), "Frame,psnr_y,integer_adm2,\n"
                                       "0,32.889214,0.500000,\n"
                                       "1,32.736312,0.250000,\n");
}

TEST_F(Output, SubLayout)
{
    add_two_frames();
    EXPECT_EQ(text(OutputFormat::sub), "{0}{1}frame: 0|psnr_y: 32.889214|integer_adm2: 0.500000|\n"
                                       "{1}{2}frame: 1|psnr_y: 32.736312|integer_adm2: 0.250000|\n");
}

TEST_F(Output, OfAnEmptyTable)
{
    info_ = {};
    info_.version = "V";
    info_.fps = kNaN;
    EXPECT_EQ(text(OutputFormat::xml), R"(<VMAF version="V">
  <params qualityWidth="0" qualityHeight="0" />
  <fyi fps="0.00" />
  <frames>
  </frames>
  <pooled_metrics>
  </pooled_metrics>
  <aggregate_metrics />
</VMAF>
)");
    EXPECT_EQ(text(OutputFormat::json), R"({
  "version": "V",
  "fps": null,
  "frames": [
  ],
  "pooled_metrics": {
  },
  "aggregate_metrics": {
  }
}
)");
    EXPECT_EQ(text(OutputFormat::csv), "Frame,\n");
    EXPECT_EQ(text(OutputFormat::sub), "");
}

// Frame 0 lacks a, frame 2 lacks b, frame 1 lacks both. Rows are shorter, there are no pooled
// values, and no comma comes before the first frame.
TEST_F(Output, LeavesMissingScoresOut)
{
    add("a", 2, 1, {2, 0});
    add("a", 4, 2, {4, 0});
    add("b", 4, 3, {4, 1});
    add("b", 5, 4, {5, 1});
    info_.frame_count = 6;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,b,\n2,1.000000,\n4,2.000000,3.000000,\n5,4.000000,\n");
    EXPECT_EQ(text(OutputFormat::sub), "{2}{3}frame: 2|a: 1.000000|\n"
                                       "{4}{5}frame: 4|a: 2.000000|b: 3.000000|\n"
                                       "{5}{6}frame: 5|b: 4.000000|\n");
    const std::string xml = text(OutputFormat::xml);
    EXPECT_NE(xml.find("    <frame frameNum=\"5\" b=\"4.000000\" />\n"), std::string::npos);
    EXPECT_NE(xml.find("    <metric name=\"a\" />\n    <metric name=\"b\" />\n"), std::string::npos);
    EXPECT_EQ(text(OutputFormat::json), R"({
  "version": "3.2.0+test",
  "fps": 2092.05,
  "frames": [
    {
      "frameNum": 2,
      "metrics": {
        "a": 1.000000
      }
    },
    {
      "frameNum": 4,
      "metrics": {
        "a": 2.000000,
        "b": 3.000000
      }
    },
    {
      "frameNum": 5,
      "metrics": {
        "b": 4.000000
      }
    }
  ],
  "pooled_metrics": {
    "a": {
    },
    "b": {
    }
  },
  "aggregate_metrics": {
  }
}
)");
}

TEST_F(Output, OfImportedScoresWithoutPicturesPoolsNothing)
{
    add("a", 0, 1, {0, 0});
    info_.frame_count = 0;
    EXPECT_NE(text(OutputFormat::xml).find("    <metric name=\"a\" />\n"), std::string::npos);
    EXPECT_NE(text(OutputFormat::json).find("    \"a\": {\n    }\n"), std::string::npos);
}

TEST_F(Output, WritesNumbersThatAreNone)
{
    add("a", 0, kNaN, {0, 0});
    add("b", 0, kInfinity, {0, 1});
    add("c", 0, -kInfinity, {0, 2});
    ASSERT_TRUE(table_.append_aggregate("d", kInfinity).ok());
    info_.frame_count = 1;
    info_.fps = kInfinity;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,b,c,\n0,nan,inf,-inf,\n");
    EXPECT_EQ(text(OutputFormat::sub), "{0}{1}frame: 0|a: nan|b: inf|c: -inf|\n");
    const std::string xml = text(OutputFormat::xml);
    EXPECT_NE(xml.find("  <fyi fps=\"0.00\" />\n"), std::string::npos);
    EXPECT_NE(xml.find("<frame frameNum=\"0\" a=\"nan\" b=\"inf\" c=\"-inf\" />"), std::string::npos);
    EXPECT_NE(xml.find("<aggregate_metrics d=\"inf\" />"), std::string::npos);
    const std::string json = text(OutputFormat::json);
    EXPECT_NE(json.find("  \"fps\": null,\n"), std::string::npos);
    EXPECT_NE(json.find("        \"a\": null,\n        \"b\": null,\n        \"c\": null\n      }\n"),
              std::string::npos);
    EXPECT_NE(json.find("      \"min\": null,\n"), std::string::npos);
    EXPECT_NE(json.find("    \"d\": null\n  }\n}\n"), std::string::npos);
}

TEST_F(Output, ShowsMultiplesOfTheSubsample)
{
    for (unsigned i = 0; i < 7; ++i)
        add("a", i, i, {i, 0});
    add("b", 1, 9, {1, 1}); // no multiple is scored, so the name has no value
    info_.frame_count = 7;
    info_.subsample = 3;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,b,\n0,0.000000,\n3,3.000000,\n6,6.000000,\n");
    EXPECT_NE(text(OutputFormat::xml).find("<metric name=\"a\" min=\"0.000000\" max=\"6.000000\" mean=\"3.000000\" "),
              std::string::npos);
    info_.subsample = 0;
    EXPECT_NE(text(OutputFormat::csv).find("\n1,1.000000,9.000000,\n2,"), std::string::npos);
    info_.subsample = UINT_MAX;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,b,\n0,0.000000,\n");
}

TEST_F(Output, ReachesTheLargestIndex)
{
    add("a", UINT_MAX - 1, 1, {0, 0});
    info_.subsample = 2;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,\n4294967294,1.000000,\n");
    EXPECT_EQ(text(OutputFormat::sub), "{4294967294}{4294967295}frame: 4294967294|a: 1.000000|\n");
    info_.subsample = 4;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,a,\n");
}

TEST_F(Output, PutsDelayedColumnsBehindFrameOutputs)
{
    add("VMAF_integer_feature_motion2_score", 0, 1, {kFlushCall, 0});
    add("VMAF_integer_feature_motion_sad_score", 0, 2, {0, 0});
    add("vmaf", 0, 3, {6, 0});
    info_.flush_call = 5;
    EXPECT_EQ(text(OutputFormat::csv), "Frame,VMAF_integer_feature_motion_sad_score,integer_motion2,vmaf,\n"
                                       "0,2.000000,1.000000,3.000000,\n");
}

// If no frame was read or no time passed, XML shows no speed, and JSON has no number.
TEST_F(Output, HasNoSpeedWithoutFramesOrTime)
{
    for (const double fps : {kNaN, -kNaN, kInfinity, -kInfinity}) {
        info_.fps = fps;
        EXPECT_NE(text(OutputFormat::xml).find("  <fyi fps=\"0.00\" />\n"), std::string::npos) << fps;
        EXPECT_NE(text(OutputFormat::json).find("  \"fps\": null,\n"), std::string::npos) << fps;
    }
}

TEST_F(Output, EscapesNames)
{
    const std::string name = "a&b<c\"d\\e\n\x1f";
    add(name.c_str(), 0, 1, {0, 0});
    ASSERT_TRUE(table_.append_aggregate(name, 2).ok());
    info_.frame_count = 1;
    const std::string xml = text(OutputFormat::xml);
    EXPECT_NE(xml.find("<frame frameNum=\"0\" a_b_c_d_e__=\"1.000000\" />"), std::string::npos) << xml;
    EXPECT_NE(xml.find("<metric name=\"a&amp;b&lt;c&quot;d\\e&#10;\xef\xbf\xbd\" min="), std::string::npos) << xml;
    EXPECT_NE(xml.find("<aggregate_metrics a_b_c_d_e__=\"2.000000\" />"), std::string::npos) << xml;
    const std::string json = text(OutputFormat::json);
    EXPECT_NE(json.find("        \"a&b<c\\\"d\\\\e\\u000a\\u001f\": 1.000000\n"), std::string::npos);
}

struct NameCase {
    std::string name;
    std::string attribute; ///< XML
    std::string text;      ///< XML and JSON, between the quotes
};

// Every file is well-formed with any names.
TEST_F(Output, ReplacesWhatNoFileMayHold)
{
    const std::string bad = "\xef\xbf\xbd";
    const NameCase cases[] = {
        {"vmaf_v0.6.1-x", "vmaf_v0.6.1-x", "vmaf_v0.6.1-x"}, // nothing to replace
        {"h\xc3\xa4user \xe6\xa8\xa1\xf0\x9f\x8e\xac", "h\xc3\xa4user_\xe6\xa8\xa1_",
         "h\xc3\xa4user \xe6\xa8\xa1\xf0\x9f\x8e\xac"}, // a camera is no letter
        {"4k", "_4k", "4k"},
        {"-x", "_-x", "-x"},
        {"a:b/c", "a_b_c", "a:b/c"},
        {"", "_", ""},
        {"frameNum", "frameNum_", "frameNum"},
        {"a_b:c", "a_b_c_", "a_b:c"}, // a:b/c already uses a_b_c
        {"byte\xff", "byte_", "byte" + bad},
        {"cut\xe6\xa8", "cut__", "cut" + bad + bad},
        {"long\xc0\xaf", "long__", "long" + bad + bad},
        {"half\xed\xa0\x80", "half___", "half" + bad + bad + bad},
        {"far\xf4\x90\x80\x80", "far____", "far" + bad + bad + bad + bad},
    };
    std::string attributes;
    unsigned place = 0;
    for (const NameCase &c : cases) {
        add(c.name.c_str(), 0, 1, {0, place++});
        attributes += c.attribute + "=\"1.000000\" ";
    }
    info_.frame_count = 1;
    const std::string xml = text(OutputFormat::xml), json = text(OutputFormat::json);
    EXPECT_NE(xml.find("<frame frameNum=\"0\" " + attributes + "/>"), std::string::npos) << xml;
    const auto parsed = nlohmann::json::parse(json);
    for (const NameCase &c : cases) {
        EXPECT_NE(xml.find("<metric name=\"" + c.text + "\" min="), std::string::npos) << c.attribute;
        EXPECT_EQ(parsed["frames"][0]["metrics"][c.text], 1.0) << c.attribute;
    }
}

// A JSON parser reads back the same table, whatever is in it.
TEST_F(Output, JsonIsValid)
{
    add("quote\"d", 1, kNaN, {1, 0});
    add("quote\"d", 2, 1e-9, {2, 0});
    add("b", 2, -1, {2, 1});
    ASSERT_TRUE(table_.append_aggregate("c", kNaN).ok());
    info_.frame_count = 3;
    const auto json = nlohmann::json::parse(text(OutputFormat::json));
    ASSERT_EQ(json["frames"].size(), 2U);
    EXPECT_EQ(json["frames"][0]["frameNum"], 1);
    EXPECT_TRUE(json["frames"][0]["metrics"]["quote\"d"].is_null());
    EXPECT_EQ(json["frames"][1]["metrics"]["quote\"d"], 1e-9);
    EXPECT_EQ(json["frames"][1]["metrics"]["b"], -1.0);
    EXPECT_TRUE(json["pooled_metrics"]["b"].empty());
    EXPECT_TRUE(json["aggregate_metrics"]["c"].is_null());
}

} // namespace
} // namespace vmaf
