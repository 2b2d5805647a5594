/// Features and models behave as the lists of the C API say. Guards the static tables of
/// src/feature. Does not check whether a text reads well.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "feature/psnr/psnr.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf_ext.h"
#include "model/builtin/builtin_table.h"
#include "support/golden.h"

namespace vmaf::test {
namespace {

constexpr PictureFormat kFormat{VMAF_PIX_FMT_YUV420P, 8, 1920, 1080};

std::unique_ptr<Feature> make(const FeatureSpec &spec, const OptionDict &options)
{
    return spec.create(OptionValues::parse(spec, options).value());
}

/// Sets of options: none, every bool option alone with the value that is not its default, and all
/// bool options on.
std::vector<OptionDict> switchings(const FeatureSpec &spec)
{
    std::vector<OptionDict> list(1);
    OptionDict all;
    for (const VmafOptionInfo *option : listed(spec.options)) {
        if (option->type != VMAF_OPTION_BOOL)
            continue;
        list.emplace_back().set(option->name, option->default_number != 0 ? "false" : "true");
        all.set(option->name, "true");
    }
    list.push_back(all);
    return list;
}

bool is_on(const FeatureSpec &spec, const OptionDict &options, const char *name)
{
    if (const std::string *text = options.find(name))
        return *text == "true";
    for (const VmafOptionInfo *option : listed(spec.options))
        if (option->name == std::string(name))
            return option->default_number != 0;
    ADD_FAILURE() << spec.name << " has no option " << name;
    return false;
}

PlaneMask planes_read(const ReadingWindow &window)
{
    PairMask mask = read_later(window.earlier, 0);
    mask |= window.pair;
    return mask.ref | mask.dis;
}

bool reads_chroma(const ReadingWindow &window)
{
    return (planes_read(window) & kChroma) != kNoPlanes;
}

TEST(FeatureList, IsTheRegistry)
{
    const VmafFeatureInfo *info = nullptr;
    for (const FeatureSpec *spec : feature_registry()) {
        info = vmaf_feature_list(info);
        ASSERT_EQ(info, spec);
    }
    EXPECT_EQ(vmaf_feature_list(info), nullptr);
    const VmafFeatureInfo copy = *vmaf_feature_list(nullptr);
    EXPECT_EQ(vmaf_feature_list(&copy), nullptr);
}

TEST(FeatureList, OutputsAreThoseThatAreWritten)
{
    for (const FeatureSpec *spec : feature_registry())
        for (const OptionDict &options : switchings(*spec)) {
            std::set<std::string> expected, actual;
            for (const VmafOutputInfo *output : listed(spec->outputs))
                if (output->option == nullptr || is_on(*spec, options, output->option))
                    expected.insert(output->name);
            // These outputs need two options.
            if (spec == &kPsnr && !is_on(*spec, options, "enable_chroma"))
                std::erase_if(expected, [](const std::string &name) { return name.starts_with("mse_c"); });
            for (const OutputSpec &output : make(*spec, options)->outputs(kFormat))
                actual.insert(output.name);
            EXPECT_EQ(actual, expected) << spec->name;
        }
}

TEST(FeatureList, ChromaIsReadAsItSays)
{
    for (const FeatureSpec *spec : feature_registry())
        for (const OptionDict &options : switchings(*spec)) {
            const ReadingWindow window = make(*spec, options)->window(kFormat);
            if (planes_read(window) == kNoPlanes) // motion_force_zero
                continue;
            const bool expected =
                spec->chroma_option != nullptr ? is_on(*spec, options, spec->chroma_option) : spec->reads_chroma != 0;
            EXPECT_EQ(reads_chroma(window), expected) << spec->name;
            EXPECT_TRUE(!options.entries().empty() || expected == (spec->reads_chroma != 0)) << spec->name;
        }
}

TEST(FeatureList, FeaturesThatCompareFramesSeeEveryOne)
{
    for (const FeatureSpec *spec : feature_registry()) {
        const ReadingWindow window = make(*spec, {})->window(kFormat);
        EXPECT_TRUE(spec->sees_every_frame != 0 || (window.look_back() == 0 && window.frames_after == 0)) << spec->name;
    }
}

TEST(FeatureList, ARoleIsFilledByOneOption)
{
    for (const FeatureSpec *spec : feature_registry()) {
        std::set<VmafOptionRole> roles;
        for (const VmafOptionInfo *option : listed(spec->options))
            EXPECT_TRUE(option->role == VMAF_ROLE_NONE || roles.insert(option->role).second)
                << spec->name << " " << option->name;
    }
}

/// Whether the item's options only switch outputs on. Other options change the bounds.
bool is_at_defaults(const FeatureSpec &spec, const std::string &item)
{
    std::stringstream fields(item.substr(std::min(item.size(), item.find(':'))));
    std::string option;
    std::getline(fields, option, ':');
    while (std::getline(fields, option, ':'))
        if (std::ranges::none_of(listed(spec.outputs), [&](const VmafOutputInfo *output) {
                return output->option != nullptr && option == output->option + std::string("=true");
            }))
            return false;
    return true;
}

/// Calls check(output, value) for each reference score of a clip.
template <class Check> void for_each_score(const std::string &clip, Check check)
{
    for (const auto &[item, rows] : golden::read(clip)) {
        const FeatureSpec *spec = find_feature(item.substr(0, item.find(':')));
        if (spec == nullptr || !is_at_defaults(*spec, item))
            continue;
        for (const golden::Row &row : rows)
            for (const VmafOutputInfo *output : listed(spec->outputs))
                if (row.name == output->log_name && row.value != "error" && row.value != "none")
                    check(*output, std::stod(row.value));
    }
}

TEST(FeatureList, ReferenceScoresAreInTheirRanges)
{
    std::set<std::string> seen;
    for (const char *clip : {"tiles_352x288_10", "tiles_256x192_16", "tiles_640x360_8", "flat_176x144_8",
                             "noise_176x144_8", "same_640x360_8", "bands_640x360_8"})
        for_each_score(clip, [&](const VmafOutputInfo &output, double value) {
            seen.insert(output.name);
            EXPECT_FALSE(value < output.least || value > output.most) << clip << " " << output.name << " " << value;
        });
    EXPECT_GT(seen.size(), 100U);
}

/// Mean of each output's finite scores.
std::map<const VmafOutputInfo *, double> mean_scores(const std::string &clip)
{
    std::map<const VmafOutputInfo *, std::vector<double>> scores;
    for_each_score(clip, [&](const VmafOutputInfo &output, double value) { scores[&output].push_back(value); });
    std::map<const VmafOutputInfo *, double> means;
    for (const auto &[output, values] : scores)
        means[output] = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    return means;
}

TEST(FeatureList, IdenticalPicturesScoreBetter)
{
    const auto same = mean_scores("same_640x360_8"), other = mean_scores("noise_176x144_8");
    unsigned compared = 0;
    for (const auto &[output, value] : same) {
        const auto there = other.find(output);
        if (output->direction == VMAF_DIRECTION_NONE || there == other.end())
            continue;
        ++compared;
        const bool higher = output->direction == VMAF_DIRECTION_HIGHER;
        EXPECT_TRUE(higher ? value >= there->second : value <= there->second) << output->name;
    }
    EXPECT_GT(compared, 30U);
}

// --- Statements of the headers about all features.

/// Values of an option that may change what a feature reads: both values of a bool, the ends of a
/// number's range.
std::vector<OptionDict::Entry> settings(const FeatureSpec &spec)
{
    std::vector<OptionDict::Entry> list{{"", ""}};
    for (const VmafOptionInfo *option : listed(spec.options))
        if (option->type == VMAF_OPTION_BOOL)
            list.emplace_back(option->name, option->default_number != 0 ? "false" : "true");
        else if (option->type != VMAF_OPTION_TEXT)
            for (const double end : {option->least, option->most})
                list.emplace_back(option->name, golden::text(end));
    return list;
}

struct Neighbours {
    unsigned before = 0, after = 0, look_back = 0;
};

/// The largest value over all features, with any two options at such values.
Neighbours largest_neighbours()
{
    Neighbours most;
    for (const FeatureSpec *spec : feature_registry())
        for (const auto &[key, value] : settings(*spec))
            for (const auto &[other_key, other_value] : settings(*spec)) {
                OptionDict options;
                options.set(key, value);
                options.set(other_key, other_value);
                const auto values = OptionValues::parse(*spec, options);
                if (!values.ok() || (spec->check_options != nullptr && !spec->check_options(values.value()).ok()))
                    continue;
                const ReadingWindow window = spec->create(values.value())->window(kFormat);
                most.before = std::max(most.before, window.frames_before());
                most.after = std::max(most.after, window.frames_after);
                most.look_back = std::max(most.look_back, window.look_back());
            }
    return most;
}

/// The text of a header on one line, without the stars of its comments.
std::string header(const std::string &name)
{
    std::ifstream file(VMAF_TEST_GOLDEN_DIR "/../../include/libvmaf/" + name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return std::regex_replace(text, std::regex("\\s*\n \\* "), " ");
}

TEST(Headers, SayHowManyNeighboursAFrameNeeds)
{
    const Neighbours most = largest_neighbours();
    const std::string overlap = header("libvmaf_ext.h"), memory = header("libvmaf.h");
    std::smatch said;
    ASSERT_TRUE(std::regex_search(overlap, said, std::regex("need at most (\\d+) frames before and (\\d+) after")));
    EXPECT_EQ(said[1], std::to_string(most.before));
    EXPECT_EQ(said[2], std::to_string(most.after));
    ASSERT_TRUE(std::regex_search(memory, said, std::regex("the most are the (\\d+) of cvvdp")));
    EXPECT_EQ(said[1], std::to_string(most.look_back));
}

TEST(ModelList, IsThatOfTheBuiltInModels)
{
    const VmafModelInfo *info = nullptr;
    unsigned defaults = 0;
    for (const BuiltinModel &model : builtin_models()) {
        info = vmaf_model_list(info);
        ASSERT_NE(info, nullptr);
        EXPECT_STREQ(info->version, model.version);
        EXPECT_EQ(info->is_collection != 0, model.regressions.size() > 1) << model.version;
        defaults += info->is_default != 0 ? 1 : 0;

        std::set<const VmafFeatureInfo *> features;
        bool chroma = false;
        for (const BuiltinFeature &input : model.features) {
            const FeatureSpec &spec = *find_feature_providing(input.name);
            OptionDict options;
            for (const auto &[key, value] : input.options)
                options.set(key, value);
            features.insert(&spec);
            chroma = chroma || reads_chroma(make(spec, options)->window(kFormat));
        }
        EXPECT_EQ(info->reads_chroma != 0, chroma) << model.version;
        const auto list = listed(info->features);
        EXPECT_EQ(list.size(), features.size()) << model.version;
        EXPECT_EQ(std::set<const VmafFeatureInfo *>(list.begin(), list.end()), features) << model.version;
    }
    EXPECT_EQ(vmaf_model_list(info), nullptr);
    EXPECT_EQ(defaults, 1U);
    const VmafModelInfo copy = *vmaf_model_list(nullptr);
    EXPECT_EQ(vmaf_model_list(&copy), nullptr);
}

} // namespace
} // namespace vmaf::test
