#include "feature/common/colour.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "feature/common/colour_options.h"
#include "feature/common/light.h"
#include "feature/common/rgb_loops.h"
#include "feature/stored_rgb.h"
#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

void expect_near(double actual, double expected, double relative, const std::string &what)
{
    EXPECT_NEAR(actual, expected, relative * std::abs(expected)) << what;
}

/// Light of one colour, computed by the loops of a target.
Colour light_by_loops(const Light &light, const Colour &encoded, CpuTarget target)
{
    const RgbLoops &loops = select_kRgbLoops(target);
    const LightParams params = light.params(light.table().data());
    float r = static_cast<float>(encoded[0]), g = static_cast<float>(encoded[1]), b = static_cast<float>(encoded[2]);
    for (float *channel : {&r, &g, &b})
        loops.look_up(params, 1, channel);
    if (params.system_power != 0)
        loops.apply_system(params, 1, {{&r, &g, &b}});
    if (params.converts)
        loops.convert(params, 1, {{&r, &g, &b}});
    return {r, g, b};
}

// The table of spec hdr 1.
TEST(Colour, HlgGivesTheChaptersLight)
{
    struct Row {
        Colour encoded, at_1000, at_1500;
    };
    for (const Row &row :
         {Row{{0.5, 0.5, 0.5}, {50.6970285, 50.6970285, 50.6970285}, {66.9921401, 66.9921401, 66.9921401}},
          Row{{0.75, 0.75, 0.75}, {203.152146, 203.152146, 203.152146}, {284.766467, 284.766467, 284.766467}},
          Row{{0.9, 0.4, 0.2}, {417.311876, 38.2523126, 9.56307814}, {575.091882, 52.7149973, 13.1787493}}})
        for (const auto &[peak, ambient, expected] :
             {std::tuple{1000.0, 0.0, row.at_1000}, {1500.0, 10.0, row.at_1500}})
            for (const CpuTarget target : targets()) {
                const Light light({.transfer = Transfer::hlg, .scale = peak, .hlg_gamma = hlg_gamma(peak, ambient)});
                const Colour actual = light_by_loops(light, row.encoded, target);
                for (unsigned i = 0; i < 3; ++i)
                    expect_near(actual[i], expected[i], 3e-6, "channel " + std::to_string(i));
            }
    expect_near(hlg_gamma(1500, 10), 1.25101081, 1e-8, "gamma");
    EXPECT_EQ(hlg_gamma(1000, 0), 1.2);
}

// Components of some lights (SMPTE ST 2084).
TEST(Colour, PqIsThatOfTheStandard)
{
    for (const auto &[light, component] : {std::pair{0.005, 0.015076399042},
                                           {1.0, 0.149945732100},
                                           {100.0, 0.508078421517},
                                           {203.0, 0.580688881042},
                                           {1000.0, 0.751827096247},
                                           {4000.0, 0.902572393311},
                                           {10000.0, 1.0}}) {
        EXPECT_NEAR(pq_component(light), component, 1e-11) << light;
        expect_near(light_of(Transfer::pq, component), light, 1e-9, "light");
    }
    EXPECT_EQ(light_of(Transfer::pq, 0), 0);
}

TEST(Colour, CurvesOfStandardDynamicRange)
{
    EXPECT_NEAR(light_of(Transfer::srgb, 0.5), 0.214041140482, 1e-12);
    EXPECT_NEAR(light_of(Transfer::srgb, 0.04), 0.04 / 12.92, 1e-15);
    EXPECT_NEAR(light_of(Transfer::bt1886, 0.5), 0.189464570814, 1e-12);
    EXPECT_EQ(light_of(Transfer::linear, 0.3), 0.3);
}

void expect_matrix(const ColourMatrix &actual, const double (&expected)[3][3])
{
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j)
            EXPECT_NEAR(actual[i][j], expected[i][j], 1e-11) << i << ", " << j;
}

TEST(Colour, PrimariesFollowFromTheirChromaticities)
{
    expect_matrix(conversion(Primaries::bt2020, Primaries::bt709), kBt2020ToBt709);
    expect_matrix(conversion(Primaries::bt709, Primaries::bt2020), kBt709ToBt2020);
    expect_matrix(conversion(Primaries::p3, Primaries::bt709), kP3ToBt709);
    expect_matrix(conversion(Primaries::bt709, Primaries::bt709), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    expect_matrix(rgb_to_xyz(Primaries::p3), {{0.486570948648, 0.265667693169, 0.198217285234},
                                              {0.228974564070, 0.691738521837, 0.079286914094},
                                              {0, 0.045113381859, 1.043944368901}});
}

TEST(Colour, LightIsBoundedBeforeItIsConverted)
{
    const Light light({.transfer = Transfer::pq, .least = 0.005F, .most = 300});
    EXPECT_FALSE(light.is_plain());
    const Colour actual = light_by_loops(light, {0, pq_encoded(100), 1}, cpu_target(0));
    expect_near(actual[0], 0.005, 1e-6, "least");
    expect_near(actual[1], 100, 1e-6, "between");
    expect_near(actual[2], 300, 1e-6, "most");
    EXPECT_TRUE(Light(LightSignal()).is_plain());
    EXPECT_FALSE(Light({.primaries = Primaries::p3}).is_plain());
    EXPECT_FALSE(Light({.scale = 2}).is_plain());
}

TEST(Colour, RelativeLightIsOneAtReferenceWhite)
{
    for (const auto &[transfer, white] : {std::pair{"sdr", Colour{1, 1, 1}},
                                          {"srgb", {1, 1, 1}},
                                          {"bt1886", {1, 1, 1}},
                                          {"linear", {1, 1, 1}},
                                          {"pq", {pq_encoded(203), pq_encoded(203), pq_encoded(203)}},
                                          {"hlg", hlg_encoded({0.203, 0.203, 0.203}, 1.2)}})
        for (const char *primaries : {"bt709", "bt2020", "p3"}) {
            const LightSignal signal = relative_light(transfer, primaries);
            if (signal.transfer == Transfer::srgb)
                continue; // has no table
            for (const double channel : light_by_loops(Light(signal), white, cpu_target(0)))
                expect_near(channel, 1, 5e-6, std::string(transfer) + " " + primaries);
        }
}

TEST(Colour, UnknownNamesAreRefused)
{
    EXPECT_EQ(check_transfer("x", "gamma22").code(), -EINVAL);
    EXPECT_EQ(check_primaries("x", "BT.709").code(), -EINVAL);
    EXPECT_EQ(check_transfer("x", "").code(), -EINVAL);
    EXPECT_TRUE(check_transfer("x", "hlg").ok());
    EXPECT_TRUE(check_primaries("x", "p3").ok());
}

} // namespace
} // namespace vmaf::test
