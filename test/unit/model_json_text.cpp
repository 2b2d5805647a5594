#include "unit/model_json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

namespace vmaf::test {
namespace {

std::string shortest(double value)
{
    std::array<char, 40> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class Range, class ToText> std::string array_text(const Range &range, ToText to_text)
{
    std::string text;
    for (const auto &value : range)
        text += (text.empty() ? "" : ", ") + to_text(value);
    return "[" + text + "]";
}

std::string options_text(const ModelFeature &feature)
{
    JsonMembers members;
    for (const auto &[key, value] : feature.options.entries())
        members.emplace_back(key, value == "true" || value == "false" ? value : json_string(value));
    return object_text(members);
}

std::string transform_text(const ScoreTransform &transform)
{
    JsonMembers members{{"enabled", transform.enabled ? "true" : "false"}};
    for (const auto &[key, value] : {std::pair{"p0", transform.p0}, {"p1", transform.p1}, {"p2", transform.p2}})
        if (value)
            members.emplace_back(key, shortest(*value));
    if (transform.out_gte_in)
        members.emplace_back("out_gte_in", "\"true\"");
    return object_text(members);
}

std::string svm_text(const Svr &svr, Zeros zeros)
{
    const std::size_t stride = svr.dimensions + 1;
    std::string text = "svm_type nu_svr\nkernel_type rbf\ngamma " + shortest(svr.gamma) + "\nnr_class 2\ntotal_sv " +
                       std::to_string(svr.rows.size() / stride) + "\nrho " + shortest(svr.rho) + "\nSV\n";
    for (std::size_t i = 0; i < svr.rows.size(); ++i) {
        const std::size_t column = i % stride;
        if (column == 0)
            text += shortest(svr.rows[i]) + " ";
        else if (svr.rows[i] != 0 || zeros == Zeros::written)
            text += std::to_string(column) + ":" + shortest(svr.rows[i]) + " ";
        if (column + 1 == stride)
            text += "\n";
    }
    return text;
}

const char *type_text(ModelType type)
{
    return type == ModelType::nu_svr             ? "\"LIBSVMNUSVR\""
           : type == ModelType::bootstrap_nu_svr ? "\"BOOTSTRAP_LIBSVMNUSVR\""
                                                 : "\"RESIDUEBOOTSTRAP_LIBSVMNUSVR\"";
}

} // namespace

std::string object_text(const JsonMembers &members)
{
    std::string text;
    for (const auto &[key, value] : members)
        text += (text.empty() ? "" : ", ") + json_string(key) + ": " + value;
    return "{" + text + "}";
}

std::string json_string(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
    }
    return out + '"';
}

std::string small_svm_text()
{
    return "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 3\nrho -0.25\nSV\n"
           "1.5 1:0.25 2:0.5\n-0.75 1:0.9\n2 2:0.125\n";
}

JsonMembers small_model()
{
    return {{"model_type", "\"LIBSVMNUSVR\""},
            {"norm_type", "\"linear_rescale\""},
            {"feature_names", "[\"VMAF_integer_feature_adm2_score\", \"VMAF_integer_feature_motion2_score\"]"},
            {"slopes", "[0.05, 1, 0.05]"},
            {"intercepts", "[-0.25, 0, 0]"},
            {"model", json_string(small_svm_text())}};
}

JsonMembers with(JsonMembers members, const std::string &key, const std::string &value)
{
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto &m) { return m.first == key; });
    if (found == members.end())
        members.emplace_back(key, value);
    else
        found->second = value;
    return members;
}

JsonMembers without(JsonMembers members, const std::string &key)
{
    std::erase_if(members, [&](const auto &m) { return m.first == key; });
    return members;
}

std::string single_text(const JsonMembers &model_dict)
{
    return object_text({{"model_dict", object_text(model_dict)}});
}

JsonMembers model_dict_of(const ModelParameters &p, Zeros zeros)
{
    std::vector<double> slopes{p.slope};
    std::vector<double> intercepts{p.intercept};
    for (const ModelFeature &feature : p.features) {
        slopes.push_back(feature.slope);
        intercepts.push_back(feature.intercept);
    }
    JsonMembers members{
        {"model_type", type_text(p.type)},
        {"norm_type", "\"linear_rescale\""},
        {"feature_names", array_text(p.features, [](const ModelFeature &f) { return json_string(f.name); })},
        {"slopes", array_text(slopes, shortest)},
        {"intercepts", array_text(intercepts, shortest)},
        {"feature_opts_dicts", array_text(p.features, options_text)},
        {"model", json_string(svm_text(p.svr, zeros))},
    };
    if (p.clip)
        members.emplace_back("score_clip", "[" + shortest(p.clip->min) + ", " + shortest(p.clip->max) + "]");
    if (p.transform)
        members.emplace_back("score_transform", transform_text(*p.transform));
    if (p.chroma_correction != 0)
        members.emplace_back("chroma_correction_parameter", shortest(p.chroma_correction));
    return members;
}

TemporaryFile::TemporaryFile(std::string_view content, const std::string &suffix)
{
    static int count = 0;
    path_ =
        testing::TempDir() + "model_" + std::to_string(std::random_device()()) + "_" + std::to_string(count++) + suffix;
    std::ofstream(path_, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

TemporaryFile::~TemporaryFile()
{
    std::remove(path_.c_str());
}

} // namespace vmaf::test
