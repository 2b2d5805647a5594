#include <gtest/gtest.h>

#include "tool_test.h"

/// --list (spec cli 10.5).
namespace vmaf::test {
namespace {

class Lists : public ToolTest {
  protected:
    std::vector<std::string> lines_of(const std::string &what) const
    {
        const ToolResult result = run({"--list", what});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        std::istringstream text(result.out);
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);)
            lines.push_back(line);
        return lines;
    }
};

TEST_F(Lists, EveryModelThatIsListedCanBeUsed)
{
    std::vector<std::string> models;
    for (const std::string &line : lines_of("models")) {
        models.push_back(line.substr(0, line.find(' ')));
        const std::size_t help = line.find_first_not_of(' ', models.back().size());
        ASSERT_NE(help, line.npos) << "what it is for is missing: " << line;
        EXPECT_EQ(help, lines_of("models").front().find_first_not_of(' ', std::string("vmaf_v0.6.1").size())) << line;
    }
    EXPECT_EQ(models.size(), 17U);
    EXPECT_EQ(models.front(), "vmaf_v0.6.1");
    EXPECT_NE(std::ranges::find(models, "vmaf_b_v0.6.3"), models.end());
    for (const std::string &model : models) {
        // A missing raw file is noticed before models are loaded. A name that does not exist is a
        // usage error even before that.
        EXPECT_EQ(run({"-r", "nope.y4m", "-d", "nope.y4m", "-m", model}).exit_code, 255) << model;
    }
}

TEST_F(Lists, EveryFeatureThatIsListedCanBeUsedWithItsDefaults)
{
    std::string feature;
    std::string options;
    unsigned tried = 0;
    const auto use = [&] {
        if (feature.empty())
            return;
        // Some features refuse so small a picture, and say so. None says that it does not know its
        // name or its options.
        const ToolResult result =
            run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-n", "--frame_cnt", "1", "--feature", feature + options}));
        EXPECT_EQ(result.err.find("problem loading"), std::string::npos) << feature << options << '\n' << result.err;
        EXPECT_EQ(result.err.find("unknown"), std::string::npos) << feature << options << '\n' << result.err;
        ++tried;
    };
    for (const std::string &line : lines_of("features")) {
        std::istringstream words(line);
        std::string name, type, value;
        words >> name >> type >> value;
        if (!line.starts_with(' ')) {
            use();
            feature = line;
            options.clear();
            EXPECT_EQ(line, name) << "one name a line";
        } else if (value != "-") {
            EXPECT_TRUE(type == "bool" || type == "int" || type == "real" || type == "text") << line;
            options += (options.empty() ? "=" : ":") + name + "=" + value;
        }
    }
    use();
    EXPECT_GE(tried, 19U);
}

TEST_F(Lists, NeedNoInputAndEndTheProgramAtOnce)
{
    EXPECT_EQ(run({"--list", "models", "--frobnicate"}).exit_code, 0);
    EXPECT_EQ(run({"--list=models"}).exit_code, 0);
}

TEST_F(Lists, OfSomethingElseAreAUsageError)
{
    for (const std::vector<std::string> &bad :
         {std::vector<std::string>{"--list"}, {"--list", "codecs"}, {"--list", ""}, {"--list=model"}}) {
        const ToolResult result = run(bad);
        EXPECT_EQ(result.exit_code, 1) << result.err;
        EXPECT_EQ(result.out, "");
    }
}

TEST_F(Lists, ThatCannotBeWrittenAre255)
{
    ToolSetting full;
    full.full_stdout = true;
    EXPECT_EQ(run({"--list", "features"}, full).exit_code, 255);
}

} // namespace
} // namespace vmaf::test
