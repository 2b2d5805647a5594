#include <gtest/gtest.h>

#include <string>

#include "cli/specs.h"
#include "common/failure.h"
#include "common/format.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

TEST(GateSpec, LastEqualsAndAtCount)
{
    const auto parsed = [](const char *text) { return parse_gate_spec(text, GateKind::under); };
    EXPECT_EQ(parsed("93").metric, "");
    EXPECT_EQ(parsed("93").statistic, "mean");
    EXPECT_EQ(parsed("-0.5").limit, -0.5);
    const GateSpec gate = parsed("a=b@c@p5=80.25");
    EXPECT_EQ(gate.metric, "a=b@c");
    EXPECT_EQ(gate.statistic, "p5");
    EXPECT_EQ(gate.limit, 80.25);
}

TEST(GateSpec, TakesEveryStatisticOnTheScaleOfScores)
{
    for (const StatisticName &statistic : kStatisticNames) {
        const std::string text = formatted("vmaf@{}=1", statistic.name);
        if (statistic.is_score) {
            EXPECT_EQ(parse_gate_spec(text, GateKind::over).statistic, statistic.name);
        } else {
            EXPECT_THROW(parse_gate_spec(text, GateKind::over), UsageError) << statistic.name;
        }
    }
    EXPECT_EQ(find_statistic("p2"), nullptr);
}

TEST(GateSpec, CanBeCopiedFromItsText)
{
    EXPECT_EQ(parse_gate_spec("93.50", GateKind::under).text(), "--fail_under 93.5");
    EXPECT_EQ(parse_gate_spec("cambi@p99=5", GateKind::over).text(), "--fail_over cambi@p99=5");
    EXPECT_EQ(parse_gate_spec("cambi@mean=5", GateKind::over).text(), "--fail_over cambi=5");
}

} // namespace
} // namespace vmaf::tool
