#include <algorithm>

#include <gtest/gtest.h>

#include "tool_test.h"
#include "unit/model_json_text.h"

/// Model files (spec cli 4.1).
namespace vmaf::test {
namespace {

class ModelFiles : public ToolTest {
  protected:
    ModelFiles()
    {
        write("model.json", single_text(small_model()));
        const std::string member = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
        write("collection.json", object_text({{"0", member}, {"1", member}, {"2", member}}));
    }

    ToolResult score_with(const std::string &model) const
    {
        return run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-m", "path=" + model}));
    }
};

TEST_F(ModelFiles, ACollectionIsNotCalledABadModel)
{
    const ToolResult result = score_with("collection.json");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err.find("collection.json: "), 0U) << result.err;
    EXPECT_NE(result.err.find("\ncollection.json: "), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("libvmaf"), std::string::npos) << result.err;
}

TEST_F(ModelFiles, WhatIsNeitherIsReportedWithBothReasons)
{
    write("one.json", object_text({{"0", single_text(small_model())}}));
    const ToolResult result = score_with("one.json");
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 3) << result.err;
    EXPECT_NE(result.err.find("\nproblem loading model: one.json\n"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
