#include "cli/options.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "cli/option_table.h"
#include "common/failure.h"
#include "manual/manual_page.h"

namespace vmaf::tool {
namespace {

bool knows_two_models(const std::string &version)
{
    return version == "vmaf_v0.6.1" || version == "vmaf_b_v0.6.3";
}

/// Arguments after "-r R -d D".
Options parse(std::initializer_list<const char *> arguments)
{
    std::vector<const char *> argv{"vmaf", "-r", "R", "-d", "D"};
    argv.insert(argv.end(), arguments);
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(argv.size()) - 1, argv.data(), knows_two_models);
}

/// The error message about the arguments; empty if there is none.
std::string complaint(std::initializer_list<const char *> arguments)
{
    try {
        parse(arguments);
    } catch (const UsageError &error) {
        return error.what();
    }
    return {};
}

std::vector<std::string> feature_names(const Options &options)
{
    std::vector<std::string> names;
    for (const FeatureSpec &feature : options.selection.features)
        names.push_back(feature.name);
    return names;
}

TEST(Options, ExactNameWinsOverPrefix)
{
    EXPECT_EQ(parse({"--sub"}).outputs.format, VMAF_OUTPUT_FORMAT_SUB);
}

TEST(Options, UniquePrefixIsAccepted)
{
    const Options options = parse({"--ref", "a", "--dist", "b", "--thr", "3", "--subs=4", "--q"});
    EXPECT_EQ(options.reading.reference, "a");
    EXPECT_EQ(options.reading.distorted, (std::vector<std::string>{"D", "b"}));
    EXPECT_EQ(options.sessions.threads, 3U);
    EXPECT_EQ(options.reading.subsample, 4U);
    EXPECT_TRUE(options.quiet);
}

TEST(Options, EstablishedPrefixesAreNotBrokenByNewNames)
{
    EXPECT_EQ(resolve_option("p").id, OptionId::pixel_format);
    EXPECT_EQ(resolve_option("h").id, OptionId::height);
    EXPECT_EQ(resolve_option("pro").id, OptionId::progress);
    EXPECT_EQ(resolve_option("hel").id, OptionId::help);
}

TEST(Options, DashStandsForUnderscore)
{
    EXPECT_EQ(parse({"--frame-cnt", "7"}).reading.count, 7U);
    EXPECT_EQ(parse({"--frame-skip-d=2"}).reading.skip_dist, 2U);
}

TEST(Options, UnknownAmbiguousAndIncompleteOptionsAreUsageErrors)
{
    EXPECT_NE(complaint({"--foo"}), "");
    EXPECT_NE(complaint({"--frame", "3"}).find("ambiguous"), std::string::npos);
    EXPECT_NE(complaint({"-z"}), "");
    EXPECT_NE(complaint({"--threads"}).find("needs an argument"), std::string::npos);
    EXPECT_NE(complaint({"-o"}).find("needs an argument"), std::string::npos);
    EXPECT_NE(complaint({"--quiet=1"}).find("takes no argument"), std::string::npos);
    EXPECT_NE(complaint({"extra"}).find("extra"), std::string::npos);
    EXPECT_NE(complaint({"--", "-q"}).find("-q"), std::string::npos);
}

TEST(Options, UnknownOptionSuggestsTheNearest)
{
    EXPECT_NE(complaint({"--subsampel", "2"}).find("did you mean --subsample?"), std::string::npos);
    EXPECT_EQ(complaint({"--zzzzzzzz"}).find("did you mean"), std::string::npos);
}

TEST(Options, BadWordSuggestsTheNearest)
{
    for (const auto &[name, typed, meant] : {std::tuple{"--progress", "plian", "plain"},
                                             {"--gpu", "nune", "none"},
                                             {"--backend", "cude", "cuda"},
                                             {"--precision", "ful", "full"},
                                             {"--ref_format", "medai", "media"},
                                             {"--scale", "non", "none"},
                                             {"--pix_fmt", "mnoo", "mono"},
                                             {"--list", "model", "models"},
                                             {"--completion", "bahs", "bash"},
                                             {"--aom_ctc", "v1", "v1.0"},
                                             {"--nflx_ctc", "v1.1", "v1.0"}}) {
        const std::string text = complaint({name, typed});
        EXPECT_NE(text.find(std::string("; did you mean ") + meant + "?"), std::string::npos) << text;
    }
    EXPECT_EQ(complaint({"--progress", "something"}).find("did you mean"), std::string::npos);
}

TEST(Options, SuffixIsTheFormatIfNoneIsAskedFor)
{
    for (const auto &[path, format] : {std::pair{"x.json", VMAF_OUTPUT_FORMAT_JSON},
                                       {"a.b/X.JSON", VMAF_OUTPUT_FORMAT_JSON},
                                       {"x.csv", VMAF_OUTPUT_FORMAT_CSV},
                                       {"x.Sub", VMAF_OUTPUT_FORMAT_SUB}}) {
        const Options options = parse({"-o", path});
        EXPECT_EQ(options.outputs.format, format) << path;
        EXPECT_EQ(options.notes.size(), 1U) << path;
        EXPECT_EQ(parse({"--xml", "-o", path}).outputs.format, VMAF_OUTPUT_FORMAT_XML) << path;
        EXPECT_TRUE(parse({"-o", path, "--xml"}).notes.empty()) << path;
    }
    for (const char *path : {"x.xml", "x", "json", ".json", "x.json.old", "-"}) {
        const Options options = parse({"-o", path});
        EXPECT_EQ(options.outputs.format, VMAF_OUTPUT_FORMAT_XML) << path;
        EXPECT_TRUE(options.notes.empty()) << path;
    }
}

TEST(Options, PrintAndAFileCannotShareStandardOutput)
{
    for (const char *path : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        EXPECT_NE(complaint({"--print", "-o", path}).find("standard output"), std::string::npos) << path;
        EXPECT_NE(complaint({"--print", "--html", path}).find("standard output"), std::string::npos) << path;
    }
    EXPECT_NE(complaint({"--print", "-"}).find("standard output"), std::string::npos);
    EXPECT_EQ(complaint({"--print", "-o", "x"}), "");
}

TEST(Options, PicturesAreOfAReport)
{
    EXPECT_FALSE(parse({"--html", "x.html"}).outputs.pictures);
    EXPECT_EQ(parse({"--html", "x.html", "--pictures", "0"}).outputs.pictures, 0U);
    EXPECT_EQ(parse({"--html", "x.html", "--pictures", "100"}).outputs.pictures, 100U);
    EXPECT_NE(complaint({"--html", "x.html", "--pictures", "101"}).find("0 to 100"), std::string::npos);
    EXPECT_NE(complaint({"--pictures", "5"}).find("--html PATH"), std::string::npos);
}

TEST(Options, ReportTakesScoreFilesInsteadOfVideos)
{
    const auto parsed = [](std::vector<const char *> arguments) {
        arguments.insert(arguments.begin(), "vmaf");
        return parse_options(static_cast<int>(arguments.size()), arguments.data(), knows_two_models);
    };
    const Options options = parsed({"--report", "a.json", "b.json", "--html", "x.html", "--report", "c.json", "-"});
    EXPECT_EQ(options.action, Action::report);
    EXPECT_EQ(options.outputs.saved, (std::vector<std::string>{"a.json", "b.json", "c.json", "-"}));
    EXPECT_EQ(options.outputs.html, "x.html");
    EXPECT_THROW(parsed({"--report", "a.json"}), UsageError);
    EXPECT_THROW(parsed({"a.json", "--report", "b.json", "--html", "x.html"}), UsageError);
    EXPECT_THROW(parsed({"--report", "b.json", "--html", "x.html", "--pictures", "3"}), UsageError);
    EXPECT_NE(complaint({"--report", "a.json", "--html", "x.html"}).find("saved scores"), std::string::npos);
}

TEST(Options, OfOtherBackendsAreWithoutEffect)
{
    const Options options = parse({"--no_sycl", "--no_hip", "--no_metal"});
    EXPECT_EQ(options.sessions.gpu.use, GpuUse::if_possible);
    EXPECT_TRUE(options.warnings.empty());
    EXPECT_EQ(parse({"--list-backends"}).action, Action::list_backends);
}

TEST(Options, SelfTestTakesADeviceAndNoVideos)
{
    const std::vector<const char *> arguments{"vmaf", "--self_test", "--gpu", "vk1"};
    const Options options = parse_options(4, arguments.data(), knows_two_models);
    EXPECT_EQ(options.action, Action::self_test);
    EXPECT_EQ(options.sessions.gpu.kind, GpuKind::vulkan);
    EXPECT_EQ(options.sessions.gpu.device, 1U);
}

TEST(Options, AttachedValuesAndBundlesWork)
{
    const Options options = parse({"-rX", "-nq", "-oscores", "--feature=psnr"});
    EXPECT_EQ(options.reading.reference, "X");
    EXPECT_TRUE(options.no_prediction);
    EXPECT_TRUE(options.quiet);
    EXPECT_EQ(options.outputs.path, "scores");
    EXPECT_EQ(feature_names(options), std::vector<std::string>{"psnr"});
}

TEST(Options, ArgumentThatLooksLikeAnOptionIsAnArgument)
{
    EXPECT_EQ(parse({"-o", "--foo"}).outputs.path, "--foo");
    EXPECT_EQ(parse({"--output", "--sub"}).outputs.path, "--sub");
}

TEST(Options, LastOfSingleValuedOptionsWins)
{
    EXPECT_EQ(parse({"-r", "a", "-r", "b"}).reading.reference, "b");
    EXPECT_EQ(parse({"--json", "--csv"}).outputs.format, VMAF_OUTPUT_FORMAT_CSV);
    EXPECT_EQ(parse({}).outputs.format, VMAF_OUTPUT_FORMAT_XML);
}

TEST(Options, UnsignedIsStrtoulBaseZeroIn32Bits)
{
    EXPECT_EQ(parse({"--gpumask", "-1"}).sessions.gpumask, 4294967295U);
    EXPECT_EQ(parse({"--cpumask=0x10"}).sessions.cpumask, 16U);
    EXPECT_EQ(parse({"-c", "010"}).sessions.cpumask, 8U);
    EXPECT_EQ(parse({"--threads", " +3"}).sessions.threads, 3U);
    EXPECT_EQ(parse({"--frame_cnt", "4294967297"}).reading.count, 1U);
    for (const char *bad : {"", " ", "1x", "abc", "3 "}) {
        EXPECT_NE(complaint({"--gpumask", bad}).find("gpumask"), std::string::npos) << bad;
        EXPECT_NE(complaint({"--threads", bad}).find("threads"), std::string::npos) << bad;
    }
}

TEST(Options, NumbersThatAreReadAsOthersAreWarnedOf)
{
    for (const auto &[option, number, read_as] :
         {std::tuple{"--frame_cnt", "4294967296", "0"}, std::tuple{"--frame_cnt", "-5", "4294967291"},
          std::tuple{"--frame_cnt", "99999999999999999999", "4294967295"}, std::tuple{"--threads", "-1", "4294967295"},
          std::tuple{"--subsample", "4294967298", "2"}, std::tuple{"--frame_skip_ref", "-1", "4294967295"},
          std::tuple{"--frame_skip_dist", " -2", "4294967294"}, std::tuple{"--frame_cnt", "-18446744073709551615", "1"},
          std::tuple{"--cpumask", "0x1ffffffff", "4294967295"}, std::tuple{"--gpumask", "-4294967295", "1"}}) {
        const std::string said = std::string(option) + " " + number + " is out of range and read as " + read_as;
        EXPECT_EQ(parse({option, number}).warnings, std::vector<std::string>{said});
    }
    EXPECT_EQ(parse({"-w", "4294967376", "-h", "-5", "-p", "420", "-b", "4294967304"}).warnings.size(), 3U);
    EXPECT_EQ(parse({"--subsample", "0"}).warnings.size(), 1U);
}

TEST(Options, OrdinaryNumbersAreNotWarnedOf)
{
    for (const char *option : {"--frame_cnt", "--frame_skip_ref", "--frame_skip_dist", "--threads", "--cpumask"})
        for (const char *number : {"0", "-0", "7", "0x7f", "4294967295"})
            EXPECT_TRUE(parse({option, number}).warnings.empty()) << option << " " << number;
    for (const char *option : {"--cpumask", "--gpumask", "-c"})
        for (const char *number : {"-1", " -1", "-2147483648"})
            EXPECT_TRUE(parse({option, number}).warnings.empty()) << option << " " << number;
    EXPECT_TRUE(parse({"--subsample", "1"}).warnings.empty());
}

TEST(Options, ThreadsAreUnsetByDefault)
{
    EXPECT_FALSE(parse({}).sessions.threads.has_value());
    EXPECT_EQ(parse({"--threads", "0"}).sessions.threads, 0U);
}

TEST(Options, RawNeedsAllFour)
{
    const Options options = parse({"-w", "352", "-h", "288", "-p", "422", "-b", "10"});
    EXPECT_EQ(options.reading.input.raw, (VideoFormat{352, 288, VMAF_PIX_FMT_YUV422P, 10}));
    EXPECT_NE(complaint({"-w", "352"}), "");
    EXPECT_NE(complaint({"-w", "0", "-h", "288", "-p", "420", "-b", "8"}), "");
    EXPECT_NE(complaint({"-w", "352", "-h", "288", "-p", "420"}), "");
    EXPECT_NE(complaint({"-p", "400"}).find("420, 422 or 444"), std::string::npos);
    EXPECT_NE(complaint({"-b", "9"}).find("8, 10, 12 or 16"), std::string::npos);
}

TEST(Options, ReferenceAndDistortedAreRequired)
{
    const char *argv[] = {"vmaf", "-r", "R", nullptr};
    EXPECT_THROW(parse_options(1, argv, knows_two_models), UsageError);
    EXPECT_THROW(parse_options(3, argv, knows_two_models), UsageError);
}

TEST(Options, DefaultModelUnlessModelPresetOrNoPrediction)
{
    EXPECT_EQ(parse({}).selection.models.at(0).version, "vmaf_v0.6.1");
    EXPECT_TRUE(parse({"-n"}).selection.models.empty());
    EXPECT_EQ(parse({"-n", "-m", "path=x"}).selection.models.size(), 1U);
    EXPECT_EQ(parse({"--nflx_ctc", "v1.0"}).selection.models.size(), 2U);
}

TEST(Options, ModelNamesMustDiffer)
{
    EXPECT_NE(complaint({"-m", "path=a", "-m", "path=b"}).find("uniquely named"), std::string::npos);
    EXPECT_EQ(complaint({"-m", "path=a", "-m", "path=b:name=second"}), "");
    EXPECT_NE(complaint({"--aom_ctc", "v1.0", "-m", "version=vmaf_v0.6.1"}).find("uniquely named"), std::string::npos);
    EXPECT_EQ(complaint({"--aom_ctc", "v1.0", "-m", "version=vmaf_v0.6.1:name=third"}), "");
    EXPECT_NE(complaint({"--aom_ctc", "v1.0", "--nflx_ctc", "v1.0"}).find("uniquely named"), std::string::npos);
}

TEST(Options, AtMost32OfModelsAndFeatures)
{
    std::vector<const char *> argv{"vmaf", "-r", "R", "-d", "D"};
    for (int i = 0; i < 32; ++i)
        argv.insert(argv.end(), {"--feature", "psnr"});
    EXPECT_NO_THROW(parse_options(static_cast<int>(argv.size()), argv.data(), knows_two_models));
    argv.insert(argv.end(), {"--feature", "psnr"});
    EXPECT_THROW(parse_options(static_cast<int>(argv.size()), argv.data(), knows_two_models), UsageError);
}

TEST(Options, VersionAndHelpActAtOnce)
{
    EXPECT_EQ(parse({"-v", "--foo"}).action, Action::print_version);
    EXPECT_EQ(parse({"--help", "--foo"}).action, Action::print_help);
    EXPECT_NE(complaint({"--foo", "-v"}), "");
}

TEST(Options, LoneDashIsStandardOutput)
{
    EXPECT_EQ(parse({"--json", "-"}).outputs.path, "-");
    EXPECT_EQ(parse({"-o", "-"}).outputs.path, "-");
    EXPECT_NE(complaint({"-", "-"}), "");
    EXPECT_NE(complaint({"-", "-o", "x"}), "");
    EXPECT_FALSE(parse({}).outputs.path.has_value());
}

TEST(Options, AomPresetsAddTheirFeaturesInOrder)
{
    const std::vector<std::string> v1{"psnr", "ciede", "float_ssim", "float_ms_ssim", "psnr_hvs"};
    EXPECT_EQ(feature_names(parse({"--aom_ctc", "v2.0"})), v1);
    std::vector<std::string> v3 = v1;
    v3.push_back("cambi");
    EXPECT_EQ(feature_names(parse({"--aom_ctc", "v5.0"})), v3);
    EXPECT_FALSE(parse({"--aom_ctc", "v5.0"}).reading.input.unequal_depths_allowed);
    EXPECT_TRUE(parse({"--aom_ctc", "v6.0"}).reading.input.unequal_depths_allowed);
    const Options v7 = parse({"--aom_ctc", "v7.0"});
    EXPECT_EQ(feature_names(v7), v3);
    EXPECT_EQ(v7.selection.features[2].options.at(0), (std::pair<std::string, std::string>{"scale", "1"}));
    EXPECT_EQ(v7.selection.models.at(1).name, "vmaf_neg");
}

TEST(Options, Aom7ReplacesTheFirstSsimOfTheList)
{
    const Options options = parse({"--feature", "float_ssim", "--aom_ctc", "v7.0"});
    ASSERT_EQ(feature_names(options).at(0), "float_ssim");
    EXPECT_EQ(options.selection.features[0].options.at(0).first, "scale");
    EXPECT_EQ(options.selection.features[3].options.at(0).first, "enable_db");
}

TEST(Options, UnknownPresetsAreUsageErrors)
{
    EXPECT_NE(complaint({"--aom_ctc", "v8.0"}), "");
    EXPECT_NE(complaint({"--aom_ctc", "proposed"}).find("deprecated"), std::string::npos);
    EXPECT_NE(complaint({"--nflx_ctc", "v2.0"}), "");
}

TEST(Options, GpuIsUsedIfPossibleUnlessTurnedOff)
{
    EXPECT_EQ(parse({}).sessions.gpu.use, GpuUse::if_possible);
    EXPECT_EQ(parse({"--gpu", "auto"}).sessions.gpu.use, GpuUse::if_possible);
    EXPECT_EQ(parse({"--backend", "auto"}).sessions.gpu.use, GpuUse::if_possible);
    EXPECT_EQ(parse({"--gpumask", "1"}).sessions.gpu.use, GpuUse::if_possible);
    EXPECT_EQ(parse({"--gpu", "none"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--no-cuda"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--backend", "cpu"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--gpumask", "-1"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--gpum", "4294967295"}).sessions.gpu.use, GpuUse::none);
}

TEST(Options, GpuNumberAndCudaBackendDemandIt)
{
    const GpuSelection third = parse({"--gpu", "2"}).sessions.gpu;
    EXPECT_EQ(third.use, GpuUse::demanded);
    EXPECT_EQ(third.device, 2U);
    const GpuSelection first = parse({"--backend=cuda"}).sessions.gpu;
    EXPECT_EQ(first.use, GpuUse::demanded);
    EXPECT_FALSE(first.device.has_value());
    const GpuSelection several = parse({"--gpu", "2,0,11"}).sessions.gpu;
    EXPECT_EQ(several.use, GpuUse::demanded);
    EXPECT_EQ(several.devices, (std::vector{2U, 0U, 11U}));
    EXPECT_TRUE(several.wants_several());
    EXPECT_TRUE(parse({"--gpu", "all"}).sessions.gpu.wants_several());
    EXPECT_FALSE(parse({"--gpu", "all", "--gpu", "1"}).sessions.gpu.wants_several());
    EXPECT_FALSE(third.wants_several() || first.wants_several() || parse({}).sessions.gpu.wants_several());
    EXPECT_EQ(parse({"--backend", "cuda", "--gpu", "auto"}).sessions.gpu.use, GpuUse::demanded);
    EXPECT_EQ(parse({"--backend", "auto", "--gpu", "1"}).sessions.gpu.device, 1U);
    EXPECT_EQ(parse({"--backend", "cuda", "--gpu", "0"}).sessions.gpu.device, 0U);
}

TEST(Options, VulkanDevicesAreNamedOrDemandedByTheBackend)
{
    const GpuSelection second = parse({"--gpu", "vk1"}).sessions.gpu;
    EXPECT_EQ(second.use, GpuUse::demanded);
    EXPECT_EQ(second.kind, GpuKind::vulkan);
    EXPECT_EQ(second.device, 1U);
    const GpuSelection first = parse({"--backend", "vulkan"}).sessions.gpu;
    EXPECT_EQ(first.use, GpuUse::demanded);
    EXPECT_EQ(first.kind, GpuKind::vulkan);
    EXPECT_EQ(parse({"--backend", "vulkan", "--gpu", "vk1"}).sessions.gpu.device, 1U);
    EXPECT_EQ(parse({"--backend", "vulkan", "--gpu", "auto"}).sessions.gpu.kind, GpuKind::vulkan);
    EXPECT_EQ(parse({}).sessions.gpu.kind, GpuKind::either);
    EXPECT_EQ(parse({"--gpu", "0"}).sessions.gpu.kind, GpuKind::cuda);
    for (const char *no_device : {"vk", "vk0,vk1", "vk0,1", "vkx", "0,vk1"})
        EXPECT_NE(complaint({"--gpu", no_device}).find("should be "), std::string::npos) << no_device;
    EXPECT_NE(complaint({"--backend", "cuda", "--gpu", "vk0"}), "");
    EXPECT_NE(complaint({"--backend", "vulkan", "--gpu", "0"}), "");
    EXPECT_NE(complaint({"--backend", "vulkan", "--gpu", "all"}), "");
    EXPECT_NE(complaint({"--backend", "vulkan", "--no_cuda"}), "");
    EXPECT_NE(complaint({"--backend", "vulkan", "--decoder", "cuda"}), "");
}

TEST(Options, LastGpuWins)
{
    EXPECT_EQ(parse({"--gpu", "1", "--gpu", "none"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--backend", "cpu", "--backend", "cuda"}).sessions.gpu.use, GpuUse::demanded);
    EXPECT_EQ(parse({"--gpumask", "-1", "--gpumask", "0", "--gpu", "1"}).sessions.gpu.device, 1U);
}

TEST(Options, AutoAgreesWithWhatTurnsTheGpuOff)
{
    EXPECT_EQ(parse({"--gpu", "auto", "--no_cuda"}).sessions.gpu.use, GpuUse::none);
    EXPECT_EQ(parse({"--gpu", "none", "--backend", "auto"}).sessions.gpu.use, GpuUse::none);
}

TEST(Options, ContradictionsAboutTheGpuAreUsageErrors)
{
    EXPECT_NE(complaint({"--gpu", "0", "--no_cuda"}), "");
    EXPECT_NE(complaint({"--gpu", "0,1", "--no_cuda"}), "");
    EXPECT_NE(complaint({"--gpu", "all", "--gpumask", "-1"}), "");
    EXPECT_NE(complaint({"--gpu", "0,1", "--backend", "cuda"}), "");
    EXPECT_NE(complaint({"--gpu", "all", "--backend", "cuda"}), "");
    EXPECT_EQ(complaint({"--gpu", "0,1", "--decoder", "cuda"}), "");
    EXPECT_NE(complaint({"--gpu", "0,1", "--decoder", "cuda", "-d", "other.mp4"}), "");
    for (const char *no_list : {"0,", ",0", "0,,1", "0,all", "0;1", "1,0,1", "0 ,1"})
        EXPECT_NE(complaint({"--gpu", no_list}).find("should be "), std::string::npos) << no_list;
    EXPECT_NE(complaint({"--gpu", "0", "--gpumask", "-1"}), "");
    EXPECT_NE(complaint({"--gpu", "1", "--backend", "cpu"}), "");
    EXPECT_NE(complaint({"--backend", "cuda", "--gpu", "none"}), "");
    EXPECT_NE(complaint({"--backend", "cuda", "--no_cuda"}), "");
    EXPECT_NE(complaint({"--gpumask", "-1", "--backend", "cuda"}), "");
    EXPECT_NE(complaint({"--backend", "cuda", "--gpu", "1"}), "");
}

TEST(Options, GpuIsAutoNoneOrANumber)
{
    for (const char *bad : {"", "-1", "1x", " 1", "first", "4294967296"})
        EXPECT_NE(complaint({"--gpu", bad}).find("--gpu"), std::string::npos) << bad;
    EXPECT_NE(complaint({"--backend", "opencl"}).find("--backend"), std::string::npos);
}

TEST(Options, ProgressKinds)
{
    EXPECT_EQ(parse({"--progress", "plain"}).progress, ProgressKind::plain);
    EXPECT_NE(complaint({"--progress", "loud"}), "");
}

TEST(Usage, NamesEveryOption)
{
    const std::string text = usage_text();
    for (const OptionRow &row : option_table())
        EXPECT_NE(text.find(std::string("--") + row.name), std::string::npos) << row.name;
}

TEST(Options, TakeEveryWordThatIsCompleted)
{
    for (const OptionRow &row : option_table()) {
        std::istringstream words(row.words);
        for (std::string word; words >> word;) {
            const std::string argument = std::string("--") + row.name + "=" + word;
            EXPECT_EQ(complaint({"-w", "1", "-h", "1", "-p", "420", "-b", "8", "--feature", "psnr", "--maps", "maps",
                                 argument.c_str()}),
                      "");
        }
        EXPECT_TRUE(!*row.words || row.value) << row.name << ": a flag has no argument";
    }
}

TEST(Options, AllHaveAPlaceInTheManual)
{
    const std::string page = manual_page();
    for (const OptionRow &row : option_table())
        EXPECT_NE(page.find(std::string("\\-\\-") + row.name + "\\fR"), std::string::npos) << row.name;
}

TEST(Options, WhoseArgumentMayBeLeftOutTakeItAfterEqualsOnly)
{
    EXPECT_EQ(parse({"--summary"}).answers.summary, SummaryKind::brief);
    EXPECT_EQ(parse({"--summary=full"}).answers.summary, SummaryKind::full);
    EXPECT_EQ(parse({"--summ=full"}).answers.summary, SummaryKind::full);
    EXPECT_NE(complaint({"--summary", "full"}).find("unexpected argument \"full\""), std::string::npos);
    EXPECT_NE(complaint({"ref.mp4"}).find("-r REFERENCE -d DISTORTED"), std::string::npos);
    EXPECT_NE(complaint({"-d", "a", "ref.mp4", "b"}).find("-r REFERENCE -d DISTORTED"), std::string::npos);
    EXPECT_NE(usage_text().find("--summary[=full]"), std::string::npos);
    EXPECT_LT(usage_text().find("-d encode.mp4"), usage_text().find("--reference")) << "help begins with mp4";
}

TEST(Options, VideosWithoutOptionsAreToldTheirOptions)
{
    const char *const argv[] = {"vmaf", "ref.mp4", "-q", "a.mp4", "b.mp4", nullptr};
    try {
        parse_options(5, argv, knows_two_models);
        FAIL();
    } catch (const UsageError &error) {
        EXPECT_STREQ(error.what(), "unexpected argument \"ref.mp4\": did you mean -r ref.mp4 -d a.mp4 -d b.mp4?");
    }
}

} // namespace
} // namespace vmaf::tool
