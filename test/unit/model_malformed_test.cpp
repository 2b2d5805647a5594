#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/loader.h"
#include "unit/model_json_text.h"

// Every case of spec models 3, "Ours": -EINVAL, with one error line that names the case.

namespace vmaf {
namespace {

using namespace test;

struct Case {
    std::string name;
    std::string json;
    std::string reason; ///< part of the error line
};

void expect_one_error_line(const std::string &log, const std::string &path, const std::string &reason)
{
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
    EXPECT_NE(log.find("ERROR"), std::string::npos) << log;
    EXPECT_NE(log.find(path), std::string::npos) << log;
    EXPECT_NE(log.find(reason), std::string::npos) << log << " should hold: " << reason;
}

template <class Load> void expect_refused(const Case &bad, Load load_file)
{
    SCOPED_TRACE(bad.name);
    const TemporaryFile file(bad.json);
    testing::internal::CaptureStderr();
    const int code = load_file(file.path(), ModelConfig{"vmaf"}).status().code();
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, -EINVAL);
    expect_one_error_line(log, file.path(), bad.reason);
}

void expect_refused(const std::vector<Case> &cases)
{
    for (const Case &bad : cases)
        expect_refused(bad, load_model_file);
}

Case changed(const std::string &key, const std::string &value, const std::string &reason)
{
    return {key + " = " + value, single_text(with(small_model(), key, value)), reason};
}

TEST(MalformedModel, NotJson)
{
    const std::string model = single_text(small_model());
    const std::string nested = std::string(63, '[') + std::string(63, ']');
    expect_refused({
        {"empty", "", "not JSON"},
        {"blank", " \n", "not JSON"},
        {"text", "svm_type nu_svr", "not JSON"},
        {"trailing comma", R"({"model_dict": {},})", ""},
        {"no closing brace", model.substr(0, model.size() - 1), "cut short"},
        {"bad UTF-8", "{\"\xff\": 1}", "not JSON"},
        {"array", "[]", "top level"},
        {"number", "5", "top level"},
        {"null", "null", "top level"},
        {"too deep", single_text(with(small_model(), "other", nested)), "deeper than 64"},
        changed("chroma_correction_parameter", "1e999", "not finite"),
    });
}

TEST(MalformedModel, TruncatedAnywhere)
{
    const std::string model = single_text(small_model());
    for (std::size_t length = 0; length < model.size(); ++length)
        expect_refused({"first " + std::to_string(length) + " bytes", model.substr(0, length), ""}, load_model_file);
}

TEST(MalformedModel, MissingOrDoubled)
{
    const JsonMembers model = small_model();
    std::vector<Case> cases{{"no model_dict", R"({"other": 1})", "no model_dict"}};
    for (const auto &[key, value] : model) {
        cases.push_back({"no " + key, single_text(without(model, key)), "no " + key});
        JsonMembers twice = model;
        twice.emplace_back(key, value);
        cases.push_back({key + " twice", single_text(twice), key + " twice"});
    }
    for (const char *key : {"feature_opts_dicts", "score_clip", "score_transform", "chroma_correction_parameter"}) {
        JsonMembers twice = with(model, key, "null");
        twice.emplace_back(key, "null");
        cases.push_back({std::string(key) + " twice", single_text(twice), std::string(key) + " twice"});
    }
    const std::string dict = object_text(model);
    cases.push_back(
        {"model_dict twice", object_text({{"model_dict", dict}, {"model_dict", dict}}), "model_dict twice"});
    cases.push_back(changed("score_transform", R"({"p0": 1, "p0": 1})", "p0 twice"));
    cases.push_back(changed("slopes", "null", "no slopes"));
    cases.push_back(changed("intercepts", "null", "no intercepts"));
    expect_refused(cases);
}

TEST(MalformedModel, WrongTypes)
{
    std::vector<Case> cases{{"model_dict", R"({"model_dict": []})", "model_dict is of the wrong type"},
                            {"model_dict null", R"({"model_dict": null})", "model_dict is of the wrong type"}};
    const std::vector<std::pair<const char *, std::vector<const char *>>> wrong{
        {"model_type", {"1", "null", "[]", "true"}},
        {"norm_type", {"1", "null", "{}"}},
        {"feature_names", {"\"a\"", "null", "{}", "[1, 2]", "[\"a\", null]", "[[\"a\"], \"b\"]"}},
        {"slopes", {"1", "{}", "[1, 1, \"1\"]", "[1, 1, null]", "[1, 1, true]", "[[1], 1, 1]"}},
        {"intercepts", {"\"1\"", "[1, 1, {}]"}},
        {"feature_opts_dicts", {"{}", "1", "[1]", "[null]", "[{\"a\": null}]", "[{\"a\": []}]", "[{\"a\": {}}]"}},
        {"score_clip", {"100", "[0, \"100\"]", "[0, null]"}},
        {"score_transform", {"true", "[]"}},
        {"chroma_correction_parameter", {"\"1\"", "[1]", "true"}},
        {"model", {"1", "null", "[\"a\"]"}},
    };
    for (const auto &[key, values] : wrong)
        for (const char *value : values)
            cases.push_back(changed(key, value, "wrong type"));
    for (const char *member : {"\"enabled\": 1", "\"enabled\": \"true\"", "\"p0\": \"1\"", "\"p1\": true", "\"p2\": []",
                               "\"knots\": 1", "\"knots\": [1, 2]", "\"knots\": [[1, \"2\"]]", "\"knots\": [[1, null]]",
                               "\"out_lte_in\": 1", "\"out_gte_in\": []"})
        cases.push_back(changed("score_transform", std::string("{") + member + "}", "wrong type"));
    expect_refused(cases);
}

TEST(MalformedModel, UnsupportedValues)
{
    expect_refused({
        changed("model_type", "\"LIBSVMNUSVR2\"", "model_type"),
        changed("norm_type", "\"linear\"", "norm_type"),
        changed("slopes", "[0, 1, 1]", "slope is 0"),
        changed("feature_opts_dicts", R"([{}, {"a": 1, "a": 2}])", "two values"),
        {"a collection", object_text({{"0", single_text(small_model())}, {"1", single_text(small_model())}}),
         "no model_dict"},
    });
}

TEST(MalformedModel, CountsThatDoNotFit)
{
    std::string many_names;
    for (int i = 0; i < 65; ++i)
        many_names += (i == 0 ? "\"a\"" : ", \"a\"");
    std::string many_knots;
    for (int i = 0; i < 11; ++i)
        many_knots += (i == 0 ? "[" : ", [") + std::to_string(i) + ", 0]";
    expect_refused({
        changed("feature_names", "[]", "empty"),
        changed("feature_names", "[\"a\"]", "slopes"),
        changed("feature_names", "[" + many_names + "]", "more than 64"),
        changed("slopes", "[1, 1]", "2 slopes"),
        changed("slopes", "[1, 1, 1, 1]", "4 slopes"),
        changed("slopes", "[]", "0 slopes"),
        changed("intercepts", "[1, 1]", "2 intercepts"),
        changed("feature_opts_dicts", "[{}, {}, {}]", "3 feature_opts_dicts"),
        changed("score_clip", "[]", "score_clip"),
        changed("score_clip", "[1]", "score_clip"),
        changed("score_clip", "[1, 2, 3]", "score_clip"),
        changed("score_transform", "{\"knots\": [" + many_knots + "]}", "more than 10"),
        changed("score_transform", "{\"knots\": [[1]]}", "knot"),
        changed("score_transform", "{\"knots\": [[]]}", "knot"),
        changed("score_transform", "{\"knots\": [[1, 2, 3]]}", "knot"),
    });
}

TEST(MalformedModel, KnotsThatDoNotRise)
{
    for (const char *knots : {"[[1, 1], [1, 2]]", "[[2, 1], [1, 2]]", "[[1, 2], [2, 1]]", "[[1, 1], [2, 2], [2, 3]]"})
        expect_refused({changed("score_transform", std::string("{\"knots\": ") + knots + "}", "does not rise")});
}

TEST(MalformedModel, ChromaCorrectionWithoutItsFeatures)
{
    const JsonMembers model = with(small_model(), "chroma_correction_parameter", "120");
    const auto named = [&](const char *names) {
        return Case{names, single_text(with(model, "feature_names", names)), "chroma correction"};
    };
    const JsonMembers fitting = with(model, "feature_names", R"(["x_adm3", "speed_chroma_y"])");
    expect_refused({named(R"(["adm2", "speed_chroma"])"),
                    named(R"(["adm3", "speed"])"),
                    named(R"(["adm3", "adm3_speed_chroma"])"),
                    named(R"(["adm3_speed_chroma", "speed_chroma"])"),
                    {"adm3 slope", single_text(with(fitting, "slopes", "[1, 0, 1]")), "slope 0"},
                    {"chroma slope", single_text(with(fitting, "slopes", "[1, 1, 0]")), "slope 0"}});
    const TemporaryFile file(single_text(fitting));
    EXPECT_TRUE(load_model_file(file.path(), {"vmaf"}).ok());
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    return text.replace(text.find(from), from.size(), to);
}

TEST(MalformedModel, SvmText)
{
    const std::string text = small_svm_text();
    std::vector<Case> cases;
    const auto add = [&](const std::string &name, const std::string &svm, const std::string &reason) {
        cases.push_back({name, single_text(with(small_model(), "model", json_string(svm))), reason});
    };
    const auto add_changed = [&](const std::string &from, const std::string &to, const std::string &reason) {
        add(from + " -> " + to, replaced(text, from, to), reason);
    };
    add("empty", "", "no SV");
    add("text", "hello", "unknown header key");
    add("no SV", text.substr(0, text.find("SV\n")), "no SV");
    add_changed("gamma", "gamma2", "unknown header key");
    add_changed("nu_svr", "c_svc", "svm_type");
    add_changed("rbf", "linear", "kernel_type");
    add_changed("nr_class 2", "nr_class 3", "nr_class");
    add_changed("svm_type nu_svr\n", "", "svm_type");
    add_changed("kernel_type rbf\n", "", "kernel_type");
    add_changed("gamma 0.5\n", "", "no gamma");
    add_changed("total_sv 3\n", "", "no total_sv");
    add_changed("rho -0.25\n", "", "no rho");
    add_changed("nr_class 2\n", "", "rho before nr_class");
    add_changed("gamma 0.5", "gamma 0.5\ngamma 0.5", "gamma twice");
    for (const char *number : {"nan", "inf", "1e999", "0x1", "1,5", "x", ".", "1e", "--1", "1 2"})
        add_changed("gamma 0.5", std::string("gamma ") + number, "SVM text");
    for (const char *number : {"0", "1000001", "-1", "3.0", "x", "99999999999999999999999"})
        add_changed("total_sv 3", std::string("total_sv ") + number, "total_sv");
    add_changed("total_sv 3", "total_sv 4", "total_sv");
    add_changed("total_sv 3", "total_sv 1000000", "total_sv");
    add_changed("SV\n1.5 ", "SV 1.5 ", "line of SV");
    add_changed("1.5 1:0.25", "1.5 0:0.25", "ascend");
    add_changed("1.5 1:0.25", "1.5 -1:0.25", "INDEX:VALUE");
    add_changed("1:0.25 2:0.5", "2:0.5 1:0.25", "ascend");
    add_changed("1:0.25 2:0.5", "1:0.25 1:0.5", "ascend");
    add_changed("1:0.25 2:0.5", "1:0.25 3:0.5", "ascend");
    add_changed("-0.75 1:0.9", "1:0.9", "vector 2 has no coefficient");
    add_changed("-0.75 1:0.9", "", "vector 2 has no coefficient");
    add_changed("-0.75 1:0.9", "-0.75 1:0.9 # text", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75 1:0.9 2", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75 1:", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75 :0.9", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75 1:nan", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75 1:0.9x", "INDEX:VALUE");
    add_changed("-0.75 1:0.9", "-0.75\t1:0.9", "coefficient");
    add_changed("-0.75 1:0.9", "1e999 1:0.9", "coefficient");
    expect_refused(cases);
}

TEST(MalformedModel, Collections)
{
    const std::string plain = single_text(small_model());
    const std::string bagged = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
    const std::string residue = single_text(with(small_model(), "model_type", "\"RESIDUEBOOTSTRAP_LIBSVMNUSVR\""));
    const Case cases[] = {
        {"empty", "{}", "at least"},
        {"single", plain, "at least"},
        {"main only", object_text({{"0", bagged}}), "at least"},
        {"starts at 1", object_text({{"1", bagged}, {"2", bagged}}), "at least"},
        {"plain member", object_text({{"0", bagged}, {"1", plain}}), "model 1 of the collection"},
        {"mixed types", object_text({{"0", plain}, {"1", bagged}, {"2", residue}}), "model 2 of the collection"},
        {"no object", object_text({{"0", bagged}, {"1", "[]"}}), "wrong type"},
        {"no model_dict", object_text({{"0", bagged}, {"1", "{}"}}), "no model_dict"},
        {"top level", "[]", "top level"},
        {"bad second", object_text({{"0", bagged}, {"1", R"({"model_dict": {}})"}}), "no model_type"},
    };
    for (const Case &bad : cases)
        expect_refused(bad, load_collection_file);
}

TEST(MalformedModel, MoreSubmodelsThanNumbers)
{
    const std::string model = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
    JsonMembers members;
    for (int i = 0; i <= 9999; ++i)
        members.emplace_back(std::to_string(i), model);
    {
        const TemporaryFile file(object_text(members));
        const LoadedCollection loaded = load_collection_file(file.path(), {"n"}).value();
        EXPECT_EQ(loaded.collection.members.back().name(), "n_9999");
    }
    members.emplace_back("10000", model);
    expect_refused({"10000 members", object_text(members), "9999"}, load_collection_file);
}

TEST(MalformedModel, UnreadableFiles)
{
    const auto expect_path_refused = [](const std::string &path, const std::string &reason) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(load_model_file(path, {"vmaf"}).status().code(), -EINVAL) << path;
        expect_one_error_line(testing::internal::GetCapturedStderr(), path, reason);
    };
    expect_path_refused(testing::TempDir() + "no_such_file.json", "opened");
    expect_path_refused(testing::TempDir() + "no_such_file.pkl", "only JSON");
    expect_path_refused(testing::TempDir(), "");
    expect_path_refused("", "");
    expect_path_refused("/dev/null", "not JSON");

    const TemporaryFile file(single_text(small_model()));
    constexpr std::uintmax_t kLimit = 64 << 20;
    std::filesystem::resize_file(file.path(), kLimit);
    EXPECT_TRUE(load_model_file(file.path(), {"vmaf"}).ok());
    std::filesystem::resize_file(file.path(), kLimit + 1);
    expect_path_refused(file.path(), "larger than 64 MiB");
}

TEST(MalformedModel, TooManyValuesEndEarly)
{
    std::string numbers = "[0";
    std::string options = "[{\"a\": 0";
    for (int i = 0; i < 1000000; ++i)
        numbers += ",0";
    for (int i = 0; i < 100000; ++i)
        options += ", \"" + std::to_string(i) + "\": 0";
    expect_refused({changed("slopes", numbers + "]", "more than 65"),
                    changed("feature_opts_dicts", options + "}]", "more than 256")});
}

} // namespace
} // namespace vmaf
