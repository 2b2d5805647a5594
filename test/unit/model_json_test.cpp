#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.h"
#include "model/builtin/builtin_table.h"
#include "model/json_model.h"
#include "model/loader.h"
#include "unit/model_json_text.h"

namespace vmaf {
namespace {

using namespace test;

Model load(const std::string &text, const ModelConfig &config = {"vmaf"})
{
    const TemporaryFile file(text);
    return load_model_file(file.path(), config).value();
}

bool loads(const JsonMembers &model_dict)
{
    const TemporaryFile file(single_text(model_dict));
    return load_model_file(file.path(), {"vmaf"}).ok();
}

/// The support vectors with every value, including those that a file leaves out.
std::vector<double> all_values(const Svr &svr)
{
    std::vector<double> values;
    const double *next = svr.rows.data(), *const end = next + svr.rows.size();
    for (std::size_t row = 0; next < end; ++row) {
        values.push_back(*next++);
        for (std::size_t i = 0; i < svr.dimensions; ++i)
            values.push_back(svr.present.empty() || (svr.present[row] >> i & 1) != 0 ? *next++ : 0.0);
    }
    EXPECT_EQ(next, end);
    return values;
}

void expect_equal(const ModelParameters &a, const ModelParameters &b)
{
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.slope, b.slope);
    EXPECT_EQ(a.intercept, b.intercept);
    ASSERT_EQ(a.features.size(), b.features.size());
    for (std::size_t i = 0; i < a.features.size(); ++i) {
        EXPECT_EQ(a.features[i].name, b.features[i].name);
        EXPECT_EQ(a.features[i].slope, b.features[i].slope);
        EXPECT_EQ(a.features[i].intercept, b.features[i].intercept);
        EXPECT_TRUE(std::ranges::equal(a.features[i].options.entries(), b.features[i].options.entries())) << i;
    }
    EXPECT_EQ(a.svr.gamma, b.svr.gamma);
    EXPECT_EQ(a.svr.rho, b.svr.rho);
    EXPECT_EQ(all_values(a.svr), all_values(b.svr));
    ASSERT_EQ(a.transform.has_value(), b.transform.has_value());
    if (a.transform) {
        EXPECT_EQ(a.transform->enabled, b.transform->enabled);
        EXPECT_EQ(a.transform->p0, b.transform->p0);
        EXPECT_EQ(a.transform->p1, b.transform->p1);
        EXPECT_EQ(a.transform->p2, b.transform->p2);
        EXPECT_EQ(a.transform->out_lte_in, b.transform->out_lte_in);
        EXPECT_EQ(a.transform->out_gte_in, b.transform->out_gte_in);
    }
    ASSERT_EQ(a.clip.has_value(), b.clip.has_value());
    if (a.clip) {
        EXPECT_EQ(a.clip->min, b.clip->min);
        EXPECT_EQ(a.clip->max, b.clip->max);
    }
    EXPECT_EQ(a.chroma_correction, b.chroma_correction);
}

TEST(ModelJson, EqualsEveryBuiltinSingleModel)
{
    std::size_t compared = 0;
    for (const BuiltinModel &builtin : builtin_models()) {
        if (builtin.regressions.size() != 1)
            continue;
        SCOPED_TRACE(std::string(builtin.version));
        const Model model = load_builtin_model(builtin.version, {"vmaf"}).value();
        for (const Zeros zeros : {Zeros::written, Zeros::left_out})
            expect_equal(load(single_text(model_dict_of(model.parameters(), zeros))).parameters(), model.parameters());
        ++compared;
    }
    EXPECT_EQ(compared, 15U);
}

TEST(ModelJson, EqualsBuiltinCollection)
{
    const LoadedCollection builtin = load_builtin_collection("vmaf_b_v0.6.3", {"name"}).value();
    JsonMembers submodels{{"param_dict", "{\"a\": [1e5, {}, null, \"\\u00e4\"]}"}};
    const auto add = [&](const Model &model) {
        const std::string number = std::to_string(submodels.size() - 1);
        submodels.emplace_back(number, single_text(model_dict_of(model.parameters())));
    };
    add(builtin.main);
    for (const Model &member : builtin.collection.members)
        add(member);
    const TemporaryFile file(object_text(submodels));
    const LoadedCollection loaded = load_collection_file(file.path(), {"name"}).value();
    expect_equal(loaded.main.parameters(), builtin.main.parameters());
    ASSERT_EQ(loaded.collection.members.size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(loaded.collection.members[i].name(), builtin.collection.members[i].name());
        expect_equal(loaded.collection.members[i].parameters(), builtin.collection.members[i].parameters());
    }
}

TEST(ModelJson, MembersOutOfSequenceAreSkipped)
{
    const std::string model = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
    const auto member_count = [&](const JsonMembers &members) {
        const TemporaryFile file(object_text(members));
        return load_collection_file(file.path(), {"name"}).value().collection.members.size();
    };
    EXPECT_EQ(member_count({{"0", model}, {"2", "17"}, {"1", model}, {"3", "[]"}}), 1U);
    EXPECT_EQ(member_count({{"0", model}, {"1", model}, {"1", "0"}, {"2", model}}), 2U);
    EXPECT_EQ(member_count({{"model_dict", "5"}, {"0", model}, {"01", "5"}, {"1", model}}), 1U);
}

// Spec models 7.3.
TEST(ModelJson, KnotsTable)
{
    const std::string k2 = R"("enabled": true, "knots": [[0,-36.66], [90,83.04], [95,95], [100,100]])";
    const struct {
        std::string transform;
        double p;
        double q;
        double r;
    } rows[] = {
        {"null", 45.840508991437275, 41.629098309148759, 9.9999817243367879},
        {R"({"p0": 3, "p1": 1})", 45.840508991437275, 41.629098309148759, 9.9999817243367879},
        {R"({"enabled": true, "p0": 1.5, "p1": 1.25, "p2": -0.001, "knots": [[10,5], [40,45.5], [80,80], [90,80]]})",
         59.903132428180953, 55.680424789597744, 10.264969653260788},
        {"{" + k2 + "}", 24.30787695861158, 18.706700751167858, -23.36002430663207},
        {"{" + k2 + R"(, "out_gte_in": "true"})", 45.840508991437275, 41.629098309148759, 9.9999817243367879},
        {"{" + k2 + R"(, "p0": 3, "p1": 1, "out_lte_in": "true"})", 28.297876958611582, 22.696700751167853,
         -19.370024306632068},
        {R"({"enabled": true, "knots": [[20,10], [30,30], [40,35]]})", 37.920254495718638, 35.814549154574379,
         -10.000036551326424},
    };
    for (const auto &row : rows) {
        SCOPED_TRACE(row.transform);
        const Model model = load(single_text(with(small_model(), "score_transform", row.transform)));
        EXPECT_EQ(model.predict(std::vector{0.9, 6.5}), row.p);
        EXPECT_EQ(model.predict(std::vector{0.1, 29.0}), row.q);
        EXPECT_EQ(model.predict(std::vector{5.0, 60.0}), row.r);
    }
}

TEST(ModelJson, FlagEnablesATransformThatIsThere)
{
    const std::string transform = R"({"p0": 3, "p1": 1})";
    const ModelConfig enable{"vmaf", false, true};
    const Model model = load(single_text(with(small_model(), "score_transform", transform)), enable);
    EXPECT_EQ(model.predict(std::vector{0.9, 6.5}), 3 + 45.840508991437275);
    EXPECT_EQ(load(single_text(small_model()), enable).predict(std::vector{0.9, 6.5}), 45.840508991437275);
}

TEST(ModelJson, WithoutNormalisationScoresGoInAndOutAsTheyAre)
{
    JsonMembers members = with(small_model(), "norm_type", "\"none\"");
    const Model rescaled = load(single_text(small_model()));
    const Model plain = load(single_text(without(without(members, "slopes"), "intercepts")));
    const std::vector<double> inputs{0.9, 0.325};
    EXPECT_EQ(plain.predict(inputs), rescaled.parameters().svr.predict(inputs));
}

TEST(ModelJson, OptionValuesBecomeTexts)
{
    const std::string options = R"({"a": 1.0, "b": 0.06, "c": 1.2345678, "d": 1000000, "e": true, "f": false,
                                    "g": "1.0", "h": -0, "i": -3, "a": 1})";
    const Model model = load(single_text(with(small_model(), "feature_opts_dicts", "[" + options + "]")));
    const std::vector<OptionDict::Entry> expected{{"a", "1"},     {"b", "0.06"}, {"c", "1.23457"},
                                                  {"d", "1e+06"}, {"e", "true"}, {"f", "false"},
                                                  {"g", "1.0"},   {"h", "-0"},   {"i", "-3"}};
    EXPECT_TRUE(std::ranges::equal(model.features()[0].options.entries(), expected));
    EXPECT_TRUE(model.features()[1].options.entries().empty());
}

TEST(ModelJson, AcceptsWhatTheLayoutAllows)
{
    const JsonMembers model = small_model();
    for (const char *key : {"feature_opts_dicts", "score_clip", "score_transform", "chroma_correction_parameter"})
        EXPECT_TRUE(loads(with(model, key, "null"))) << key;
    for (const char *key : {"enabled", "p0", "p1", "p2", "knots", "out_lte_in", "out_gte_in"})
        EXPECT_TRUE(loads(with(model, "score_transform", object_text({{key, "null"}})))) << key;
    EXPECT_TRUE(loads(with(model, "score_transform", R"({"out_lte_in": true, "out_gte_in": false, "other": [{}]})")));
    EXPECT_TRUE(loads(with(model, "score_transform", R"({"knots": [[5, 1]], "out_lte_in": "no"})")));
    EXPECT_TRUE(loads(with(model, "feature_dict", R"({"model": 1, "model": 2})")));
    EXPECT_TRUE(loads(with(model, "model_type", "\"RESIDUEBOOTSTRAP_LIBSVMNUSVR\"")));
    EXPECT_TRUE(loads(JsonMembers(model.rbegin(), model.rend())));
}

TEST(ModelJson, TextAfterTheTopLevelObjectIsIgnored)
{
    const Model model = load(" \n" + single_text(small_model()) + "} not JSON \xff");
    EXPECT_EQ(model.predict(std::vector{0.9, 6.5}), 45.840508991437275);
}

TEST(ModelJson, SvmTextAllowsOtherOrderAndUnusedKeys)
{
    const std::string text = "nr_class 2 rho -2.5e-1\nprobA 1\ngamma +.5\ndegree 3\ntotal_sv 3\nkernel_type rbf\n"
                             "coef0 0\nsvm_type epsilon_svr\nSV \n1.5 1:0.25 2:0.5 \n-0.75 1:0.9 \n2 2:12.5E-2 \nrest";
    EXPECT_EQ(load(single_text(with(small_model(), "model", json_string(text)))).predict(std::vector{0.9, 6.5}),
              45.840508991437275);
}

TEST(ModelJson, LargestCounts)
{
    std::string names;
    std::string numbers = "1";
    for (std::size_t i = 0; i < kMaxModelFeatures; ++i) {
        names += (i == 0 ? "" : ", ") + json_string("feature" + std::to_string(i));
        numbers += ", 1";
    }
    JsonMembers model = with(small_model(), "feature_names", "[" + names + "]");
    model = with(with(model, "slopes", "[" + numbers + "]"), "intercepts", "[" + numbers + "]");
    EXPECT_TRUE(loads(model));
    EXPECT_TRUE(loads(with(small_model(), "score_transform",
                           R"({"knots": [[0,0],[1,0],[2,0],[3,0],[4,0],[5,0],[6,0],[7,0],[8,0],[9,0]]})")));
    // The two other levels are the objects around the member.
    EXPECT_TRUE(loads(with(small_model(), "other", std::string(62, '[') + std::string(62, ']'))));
}

// Any bytes give a model that can predict, or an error.
TEST(ModelJson, SurvivesMutatedFiles)
{
    constexpr unsigned kSeed = 20240607;
    constexpr int kRounds = 6000;
    SCOPED_TRACE(kSeed);
    std::mt19937 random(kSeed);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    JsonMembers members = with(small_model(), "feature_opts_dicts", R"([{"a": 1, "b": "x"}, {"c": true}])");
    members = with(members, "score_transform", R"({"enabled": true, "p0": 1, "knots": [[0, 0], [1, 1]]})");
    const std::string model = single_text(with(members, "score_clip", "[0, 100]"));
    const std::string collection = object_text({{"0", model}, {"1", model}});
    const std::string_view likely = "0123456789{}[]\",:.eE+-\\n truefalsn";
    const ModelFile file("mutated");
    set_log_level(LogLevel::none);
    int loaded = 0;
    for (int round = 0; round < kRounds; ++round) {
        const JsonLayout layout = round % 2 == 0 ? JsonLayout::single : JsonLayout::collection;
        std::string text = layout == JsonLayout::single ? model : collection;
        for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
            const std::size_t at = below(text.size());
            switch (below(5)) {
            case 0:
                text[at] = static_cast<char>(below(256));
                break;
            case 1:
                text[at] = likely[below(likely.size())];
                break;
            case 2:
                text.erase(at, 1 + below(4));
                break;
            case 3:
                text.insert(at, 1, likely[below(likely.size())]);
                break;
            default:
                text.resize(text.size() - (round % 7 == 0 ? at : 0));
                break;
            }
        }
        const Result<std::vector<ModelParameters>> result = parse_model_json(file, text, layout);
        if (!result.ok()) {
            ASSERT_EQ(result.status().code(), -EINVAL);
            continue;
        }
        ++loaded;
        for (const ModelParameters &parameters : result.value()) {
            const Model made({"vmaf"}, parameters);
            (void)made.predict(std::vector<double>(kMaxModelFeatures, 0.5));
        }
    }
    set_log_level(LogLevel::info);
    EXPECT_GT(loaded, 0);
    EXPECT_LT(loaded, kRounds);
}

} // namespace
} // namespace vmaf
