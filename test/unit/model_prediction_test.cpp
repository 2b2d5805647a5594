#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/loader.h"
#include "support/same_scores.h"

namespace vmaf {
namespace {

using test::is_the_score;

// Values of spec models 7.1.

using Inputs = std::vector<double>;

const Inputs kA{0.9, 5, 0.5, 0.8, 0.9, 0.95};
const Inputs kB{1, 0, 1, 1, 1, 1};
const Inputs kC{0.5, 20, 0.1, 0.3, 0.4, 0.5};
const Inputs kD{0.35, 2, 0.02, 0.05, 0.1, 0.2};
const Inputs kE{0.5, 2.5, 0.93, 5};
const Inputs kF{0, 0, 1, 0};
const Inputs kG{3, 0, 0.9, 10};
const Inputs kH{8, 20, 0.7, 15};
const Inputs kI{12, 40, 0.55, 18};

ModelConfig config_of(unsigned flags)
{
    return {"vmaf", (flags & 1) != 0, (flags & 2) != 0};
}

/// A single model, or the main model of a collection.
Model load(const std::string &version, unsigned flags)
{
    Result<Model> single = load_builtin_model(version, config_of(flags));
    if (single.ok())
        return std::move(single).value();
    return load_builtin_collection(version, config_of(flags)).value().main;
}

struct Row {
    const Inputs &inputs;
    double by_flags[4];
};

void expect_rows(const std::vector<std::string> &versions, const std::vector<Row> &rows)
{
    for (const std::string &version : versions)
        for (unsigned flags = 0; flags < 4; ++flags)
            for (std::size_t i = 0; i < rows.size(); ++i)
                EXPECT_PRED2(is_the_score, load(version, flags).predict(rows[i].inputs), rows[i].by_flags[flags])
                    << version << " flags " << flags << " row " << i;
}

Row same(const Inputs &inputs, double value)
{
    return {inputs, {value, value, value, value}};
}

TEST(ModelPrediction, V061AndTwins)
{
    expect_rows({"vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_float_v0.6.1", "vmaf_float_v0.6.1neg"},
                {{kA, {74.192415110802997, 74.192415110802997, 90.97176861180958, 90.97176861180958}},
                 {kB, {97.428042642610308, 97.428042642610308, 100, 102.96113796365687}},
                 {kC, {4.2894266283297577, 4.2894266283297577, 8.982407594567885, 8.982407594567885}},
                 {kD, {0, -0.97545343760899661, 0.015975565444939714, 0.015975565444939714}}});
}

TEST(ModelPrediction, Model4kV061AndTwins)
{
    expect_rows({"vmaf_4k_v0.6.1", "vmaf_4k_v0.6.1neg", "vmaf_float_4k_v0.6.1"},
                {same(kA, 81.549674125499763),
                 {kB, {100, 100.8937736628905, 100, 100.8937736628905}},
                 same(kC, 38.604389518014145),
                 same(kD, 18.826199197800456)});
}

TEST(ModelPrediction, MainModelOfCollection)
{
    expect_rows({"vmaf_b_v0.6.3", "vmaf_float_b_v0.6.3"},
                {{kA, {73.094825699167714, 73.094825699167714, 90.217050583692298, 90.217050583692298}},
                 {kB, {97.986393147932304, 97.986393147932304, 100, 103.15553922405925}}});
}

TEST(ModelPrediction, V1016At1080)
{
    expect_rows({"vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_5d0h", "vmaf_v1.0.16_hfr_3d0h", "vmaf_v1.0.16_hfr_5d0h"},
                {same(kE, 81.654074103830695),
                 {kF, {100, 100.54849808402878, 100, 100.54849808402878}},
                 same(kG, 66.765205350413567),
                 same(kH, 13.197275085468313),
                 {kI, {0, -17.174130961345035, 0, -17.174130961345035}}});
}

TEST(ModelPrediction, V1016At2160)
{
    expect_rows({"vmaf_v1.0.16_3d0h_2160", "vmaf_v1.0.16_hfr_3d0h_2160"},
                {same(kE, 86.13714929258343),
                 same(kF, 107.34910935976281),
                 same(kG, 69.761187339103699),
                 same(kH, 13.078231305230451),
                 {kI, {0, -17.663638408386873, 0, -17.663638408386873}}});
    expect_rows({"vmaf_v1.0.16_1d5h_2160", "vmaf_v1.0.16_hfr_1d5h_2160"},
                {same(kE, 81.13714929258343),
                 {kF, {100, 102.34910935976281, 100, 102.34910935976281}},
                 same(kG, 64.761187339103699),
                 same(kH, 8.0782313052304513),
                 {kI, {0, -22.663638408386873, 0, -22.663638408386873}}});
}

TEST(ModelPrediction, RawScoreIsTheOneBeforeTransformAndClip)
{
    for (const char *version : {"vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_hfr_5d0h", "vmaf_v1.0.16_3d0h_2160"}) {
        EXPECT_PRED2(is_the_score, load(version, 0).predict_raw(kF), 102.34910935976281) << version;
        EXPECT_PRED2(is_the_score, load(version, 0).predict_raw(kI), -22.663638408386873) << version;
    }
}

TEST(ModelPrediction, RegressionFollowsTheBisectionValues)
{
    const Model model = load("vmaf_v0.6.1", 0);
    const ModelParameters &p = model.parameters();
    const Inputs x{0.7294301155068128,  0.31020317524746893, 0.43856921858693004,
                   0.69939459587860964, 0.8281592703857229,  0.89880785117133977};
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_EQ(p.features[i].slope * kA[i] + p.features[i].intercept, x[i]);
    EXPECT_PRED2(is_the_score, p.svr.predict(x), 0.58255149294262365);

    Svr first_ten = p.svr;
    first_ten.rho = 0;
    first_ten.rows = p.svr.rows.first(std::size_t{10} * 7);
    EXPECT_PRED2(is_the_score, first_ten.predict(x), 31.018183388916512);
}

TEST(ModelPrediction, BuiltinVersionsAreTheSeventeen)
{
    const char *singles[] = {
        "vmaf_v0.6.1",
        "vmaf_v0.6.1neg",
        "vmaf_4k_v0.6.1",
        "vmaf_4k_v0.6.1neg",
        "vmaf_float_v0.6.1",
        "vmaf_float_v0.6.1neg",
        "vmaf_float_4k_v0.6.1",
        "vmaf_v1.0.16_3d0h",
        "vmaf_v1.0.16_5d0h",
        "vmaf_v1.0.16_3d0h_2160",
        "vmaf_v1.0.16_1d5h_2160",
        "vmaf_v1.0.16_hfr_3d0h",
        "vmaf_v1.0.16_hfr_5d0h",
        "vmaf_v1.0.16_hfr_3d0h_2160",
        "vmaf_v1.0.16_hfr_1d5h_2160",
    };
    for (const char *version : singles) {
        EXPECT_TRUE(load_builtin_model(version, config_of(0)).ok()) << version;
        EXPECT_FALSE(load_builtin_collection(version, config_of(0)).ok()) << version;
    }
    for (const char *version : {"vmaf_b_v0.6.3", "vmaf_float_b_v0.6.3"}) {
        EXPECT_FALSE(load_builtin_model(version, config_of(0)).ok()) << version;
        EXPECT_TRUE(load_builtin_collection(version, config_of(0)).ok()) << version;
    }
    for (const char *version : {"", "VMAF_v0.6.1", "vmaf_v0.6.1 ", "vmaf_v0.6"})
        EXPECT_FALSE(load_builtin_model(version, config_of(0)).ok()) << version;
}

struct CollectionRow {
    const Inputs &inputs;
    unsigned flags;
    BootstrapScore expected;
};

TEST(ModelCollection, BootstrapScores)
{
    const CollectionRow rows[] = {
        {kA, 0, {72.677129579941749, 1.1024279327310003, 70.036337416539666, 74.332542404266945}},
        {kA, 1, {72.677129579941749, 1.1024279327310003, 70.036337416539666, 74.332542404266945}},
        {kA, 2, {89.925372735865864, 0.77307492263330946, 88.024337173620339, 91.066898857743496}},
        {kA, 3, {89.925372735865864, 0.77307492263330946, 88.024337173620339, 91.066898857743496}},
        {kB, 0, {97.076021463042323, 4.7665892471769933, 85.118627473141004, 100}},
        {kB, 1, {97.076021463042323, 4.7665892471769933, 85.118627473141004, 103.52847845938101}},
        {kB, 2, {100, 0, 97.558195310879768, 100}},
        {kB, 3, {102.83631422772882, 1.7020268698358576, 97.558195310879768, 104.84667316473103}},
        {kC, 0, {6.2855962630626596, 9.6755956863017225, 0, 22.305394334846795}},
        {kD, 0, {0, 4.1624250923489354, 0, 24.476712012628425}},
        {kD, 1, {-0.0040839773052518073, 14.071700894738042, -18.854353506036553, 24.476712012628425}},
    };
    for (const char *version : {"vmaf_b_v0.6.3", "vmaf_float_b_v0.6.3"})
        for (const CollectionRow &row : rows) {
            SCOPED_TRACE(testing::Message() << version << " row " << &row - rows);
            const LoadedCollection loaded = load_builtin_collection(version, config_of(row.flags)).value();
            std::vector<double> raw;
            for (const Model &member : loaded.collection.members)
                raw.push_back(member.predict_raw(row.inputs));
            const BootstrapScore score = bootstrap(loaded.collection, raw);
            EXPECT_PRED2(is_the_score, score.bagging, row.expected.bagging);
            EXPECT_PRED2(is_the_score, score.stddev, row.expected.stddev);
            EXPECT_PRED2(is_the_score, score.ci_p95_lo, row.expected.ci_p95_lo);
            EXPECT_PRED2(is_the_score, score.ci_p95_hi, row.expected.ci_p95_hi);
        }
}

// The twenty scores of frame 0 of tiles_640x360_8 (spec models 7.2).
TEST(ModelCollection, MembersScoreInOrder)
{
    const Inputs inputs{0.92194495258023224, 0, 0.43755650520324707, 0.95502513647079468, 0.9798852801322937,
                        0.98993539810180664};
    const double expected[] = {81.857838841120028, 74.91989646517537,  76.304969038945771, 78.46635844521937,
                               78.965134005907856, 74.436262080314805, 76.452489585690103, 78.153486249267317,
                               75.010533540113286, 81.893735787638235, 72.593821499634231, 80.275062691213819,
                               77.709839303241864, 80.238622600320298, 75.436169811896718, 71.619545581305658,
                               76.49806731897398,  77.048519261223248, 83.903716410151802, 76.516238524080194};
    const LoadedCollection loaded = load_builtin_collection("vmaf_b_v0.6.3", config_of(0)).value();
    ASSERT_EQ(loaded.collection.members.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i)
        EXPECT_PRED2(is_the_score, loaded.collection.members[i].predict(inputs), expected[i]) << i;
    EXPECT_PRED2(is_the_score, loaded.main.predict(inputs), 78.219944617695504);
}

TEST(ModelCollection, MembersAreNumberedFromOne)
{
    const LoadedCollection loaded = load_builtin_collection("vmaf_b_v0.6.3", {"name"}).value();
    EXPECT_EQ(loaded.main.name(), "name");
    EXPECT_EQ(loaded.collection.name, "name");
    EXPECT_EQ(loaded.collection.members.front().name(), "name_0001");
    EXPECT_EQ(loaded.collection.members.back().name(), "name_0020");
}

} // namespace
} // namespace vmaf
