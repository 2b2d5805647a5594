#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "cli/specs.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

TEST(GateSpec, LastEqualsAndAtCount)
{
    EXPECT_EQ(parse_gate_spec("93").metric, "");
    EXPECT_EQ(parse_gate_spec("93").statistic, "mean");
    EXPECT_EQ(parse_gate_spec("-0.5").least, -0.5);
    const GateSpec gate = parse_gate_spec("a=b@c@p5=80.25");
    EXPECT_EQ(gate.metric, "a=b@c");
    EXPECT_EQ(gate.statistic, "p5");
    EXPECT_EQ(gate.least, 80.25);
}

TEST(GateSpec, EveryStatisticIsThereToBeLookedUp)
{
    for (const std::string_view statistic : kGateStatistics)
        EXPECT_TRUE(std::ranges::any_of(kStatisticNames, [statistic](const StatisticName &name) {
            return statistic == name.name;
        })) << statistic;
}

} // namespace
} // namespace vmaf::tool
