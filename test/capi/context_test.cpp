// Contexts, dictionaries and logging (spec abi 3.1, 3.5, 7, 9).

#include <cerrno>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bad_enums.h"
#include "client.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::test {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStderr;
using ::testing::internal::GetCapturedStdout;

constexpr double kVifScale0OfFrame1 = 0.43339815735816956; // scores of tiles_176x144_8 from the published reference

/// Messages about a missing model file (an error) and an unknown built-in model (a warning).
std::string messages_of_failing_loads()
{
    VmafModel *model = nullptr;
    VmafModelConfig cfg{};
    CaptureStderr();
    EXPECT_EQ(vmaf_model_load_from_path(&model, &cfg, "/nonexistent/model.json"), -EINVAL);
    EXPECT_EQ(vmaf_model_load(&model, &cfg, "no_such_version"), -EINVAL);
    return GetCapturedStderr();
}

bool says_error(const std::string &text)
{
    return text.find("libvmaf ERROR ") != text.npos && text.find("/nonexistent/model.json") != text.npos;
}

bool says_warning(const std::string &text)
{
    return text.find("libvmaf WARNING ") != text.npos && text.find("no_such_version") != text.npos;
}

TEST(ContextContract, NullIsRefused)
{
    EXPECT_EQ(vmaf_init(nullptr, VmafConfiguration{}), -EINVAL);
    EXPECT_EQ(vmaf_close(nullptr), -EINVAL);
}

TEST(ContextContract, AllZeroConfigurationIsValid)
{
    VmafContext *vmaf = nullptr;
    ASSERT_EQ(vmaf_init(&vmaf, VmafConfiguration{}), 0);
    ASSERT_NE(vmaf, nullptr);
    EXPECT_EQ(vmaf_close(vmaf), 0);
}

TEST(ContextContract, AnyThreadCountOpensOrFailsCleanly)
{
    static int storage;
    auto *vmaf = reinterpret_cast<VmafContext *>(&storage);
    VmafConfiguration cfg{};
    cfg.n_threads = std::numeric_limits<unsigned>::max();
    const int err = vmaf_init(&vmaf, cfg);
    if (err == 0) {
        EXPECT_EQ(vmaf_close(vmaf), 0);
    } else {
        EXPECT_EQ(err, -ENOMEM);
        EXPECT_EQ(vmaf, nullptr);
    }
}

TEST(ContextContract, VersionIsTheApiLevelAndOurOwn)
{
    const std::string version = vmaf_version();
    EXPECT_EQ(version.substr(0, 6), "3.2.0+");
    EXPECT_GT(version.size(), 6u);
    EXPECT_EQ(vmaf_version(), vmaf_version());
}

TEST(ContextContract, LastInitSetsTheLogLevelOfTheProcess)
{
    const OpenContext debug(0, 0, VMAF_LOG_LEVEL_DEBUG);
    {
        const OpenContext none(0, 0, VMAF_LOG_LEVEL_NONE);
        EXPECT_EQ(messages_of_failing_loads(), "");
    }
    const OpenContext error(0, 0, VMAF_LOG_LEVEL_ERROR);
    const std::string errors = messages_of_failing_loads();
    EXPECT_TRUE(says_error(errors)) << errors;
    EXPECT_FALSE(says_warning(errors)) << errors;

    const OpenContext warning(0, 0, VMAF_LOG_LEVEL_WARNING);
    const std::string both = messages_of_failing_loads();
    EXPECT_TRUE(says_error(both)) << both;
    EXPECT_TRUE(says_warning(both)) << both;
}

TEST(ContextContract, LogLevelsOutOfRangeAreClamped)
{
    VmafContext *vmaf = nullptr;
    ASSERT_EQ(init_with_log_level(&vmaf, 99), 0);
    EXPECT_TRUE(says_warning(messages_of_failing_loads()));
    EXPECT_EQ(vmaf_close(vmaf), 0);

    ASSERT_EQ(init_with_log_level(&vmaf, -1), 0);
    EXPECT_EQ(messages_of_failing_loads(), "");
    EXPECT_EQ(vmaf_close(vmaf), 0);
}

TEST(ContextContract, EveryMessageIsOneLineOnStderr)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    CaptureStdout();
    CaptureStderr();
    {
        OpenContext vmaf(0, 0, VMAF_LOG_LEVEL_DEBUG);
        EXPECT_EQ(use_feature(vmaf, "vif", {{"debug", "true"}}), 0);
        EXPECT_EQ(read_frame(vmaf, clip, 0, 0), 0);
        EXPECT_EQ(read_frame(vmaf, clip, 0, 0), -EINVAL);
        EXPECT_EQ(flush(vmaf), 0);
    }
    EXPECT_EQ(GetCapturedStdout(), "");
    const std::string text = GetCapturedStderr();
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(text.find("\n\n"), text.npos) << text;
    EXPECT_NE(text.find("libvmaf DEBUG "), text.npos) << text;
    EXPECT_NE(text.find("libvmaf WARNING "), text.npos) << text;
}

struct Messages {
    std::vector<VmafLogLevel> levels;
    std::vector<std::string> texts;

    static void add(void *opaque, VmafLogLevel level, const char *message)
    {
        auto *const self = static_cast<Messages *>(opaque);
        self->levels.push_back(level);
        self->texts.emplace_back(message);
    }
};

TEST(ContextContract, ACallbackTakesMessagesInPlaceOfStderr)
{
    const OpenContext warnings(0, 0, VMAF_LOG_LEVEL_WARNING);
    Messages taken;
    EXPECT_EQ(vmaf_set_log_callback(Messages::add, &taken), 0);
    EXPECT_EQ(messages_of_failing_loads(), "");
    ASSERT_EQ(taken.texts.size(), 2U);
    EXPECT_EQ(taken.levels, (std::vector{VMAF_LOG_LEVEL_ERROR, VMAF_LOG_LEVEL_WARNING}));
    EXPECT_NE(taken.texts[0].find("/nonexistent/model.json"), std::string::npos);
    for (const std::string &text : taken.texts)
        EXPECT_TRUE(!text.starts_with("libvmaf") && text.find('\n') == text.npos) << text;
    EXPECT_EQ(vmaf_set_log_callback(nullptr, nullptr), 0);
    EXPECT_TRUE(says_error(messages_of_failing_loads()));
    EXPECT_EQ(taken.texts.size(), 2U);
}

TEST(ContextContract, TheCpuMaskChangesNoScore)
{
    for (const std::uint64_t mask :
         {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{16}, std::uint64_t{32}, ~std::uint64_t{0}}) {
        VmafConfiguration cfg{};
        cfg.cpumask = mask;
        VmafContext *vmaf = nullptr;
        ASSERT_EQ(vmaf_init(&vmaf, cfg), 0);
        EXPECT_EQ(use_feature(vmaf, "vif"), 0);
        read_clip(vmaf, Clip::get("tiles_176x144_8"), 2);
        EXPECT_EQ(score_of(vmaf, kVifScale0, 1), kVifScale0OfFrame1) << mask;
        EXPECT_EQ(vmaf_close(vmaf), 0);
    }
}

TEST(ContextContract, ClosesWithoutFlush)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "vif"), 0);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        read_clip(vmaf, clip, 4);
        EXPECT_EQ(vmaf.close(), 0) << n_threads;
    }
}

TEST(ContextContract, ClosesBeforeOrAfterItsModelIsDestroyed)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0u, 2u}) {
        for (const bool model_first : {true, false}) {
            OpenContext vmaf(n_threads);
            BuiltinModel model("vmaf_v0.6.1");
            ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
            read_clip(vmaf, clip, 2);
            if (model_first)
                model.destroy();
            EXPECT_EQ(vmaf.close(), 0) << n_threads << model_first;
        }
    }
}

TEST(ContextContract, ContextsOfSeveralThreadsAreIndependent)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    std::vector<double> scores(4);
    {
        std::vector<std::jthread> threads;
        for (double &score : scores)
            threads.emplace_back([&] {
                OpenContext vmaf;
                EXPECT_EQ(use_feature(vmaf, "vif"), 0);
                read_clip(vmaf, clip, 2);
                score = score_of(vmaf, kVifScale0, 1);
            });
    }
    for (const double score : scores)
        EXPECT_EQ(score, kVifScale0OfFrame1);
}

TEST(DictionaryContract, NullIsRefused)
{
    VmafFeatureDictionary *dict = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(nullptr, "key", "1"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, nullptr, "1"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, "key", nullptr), -EINVAL);
    EXPECT_EQ(dict, nullptr);
    EXPECT_EQ(vmaf_feature_dictionary_free(nullptr), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
}

TEST(DictionaryContract, FreeingClearsThePointer)
{
    VmafFeatureDictionary *dict = dictionary({{"key", "1"}, {"other", "text"}, {"key", "2"}});
    ASSERT_NE(dict, nullptr);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
    EXPECT_EQ(dict, nullptr);
}

TEST(DictionaryContract, TextsAreCopied)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    std::string key = "vif_enhn_gain_limit", value = "1.5";
    VmafFeatureDictionary *dict = dictionary({{key.c_str(), value.c_str()}});
    key.assign(key.size(), 'x');
    value.assign(value.size(), 'x');
    OpenContext vmaf;
    ASSERT_EQ(vmaf_use_feature(vmaf, "vif", dict), 0);
    ASSERT_EQ(read_frame(vmaf, clip, 0, 0), 0);
    EXPECT_TRUE(has_score(vmaf, "integer_vif_scale0_egl_1.5", 0));
}

TEST(DictionaryContract, NumbersAreNormalisedOnEntry)
{
    struct Row {
        const char *text, *in_name;
    };
    const Row rows[] = {{"1.0", "1"},    {"1.23456789", "1.23457"},
                        {"0x2", "2"},    {" 2", "2"},
                        {"2 ", "2"},     {"+2", "2"},
                        {"2,5", "2"},    {"2x", "2"},
                        {"1.5e1", "15"}, {"1.5000001", "1.5"}};
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const Row &row : rows) {
        OpenContext vmaf;
        ASSERT_EQ(use_feature(vmaf, "vif", {{"vif_enhn_gain_limit", row.text}}), 0) << row.text;
        ASSERT_EQ(read_frame(vmaf, clip, 0, 0), 0) << row.text;
        const std::string name = std::string("integer_vif_scale0_egl_") + row.in_name;
        EXPECT_TRUE(has_score(vmaf, name.c_str(), 0)) << row.text << " -> " << name;
    }
}

TEST(DictionaryContract, LargeIntegersSufferFromNormalisation)
{
    OpenContext vmaf;
    // "1000000" is stored as "1e+06". An integer option reads only the 1.
    ASSERT_EQ(use_feature(vmaf, "adm", {{"adm_csf_mode", "1000000"}}), 0);
    ASSERT_EQ(read_frame(vmaf, Clip::get("tiles_176x144_8"), 0, 0), 0);
    EXPECT_TRUE(has_score(vmaf, "integer_adm2_csf_1", 0));
}

TEST(DictionaryContract, LaterValueReplacesEarlierOne)
{
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "vif", {{"vif_enhn_gain_limit", "abc"}, {"vif_enhn_gain_limit", "1.5"}}), 0);
    ASSERT_EQ(read_frame(vmaf, Clip::get("tiles_176x144_8"), 0, 0), 0);
    EXPECT_TRUE(has_score(vmaf, "integer_vif_scale0_egl_1.5", 0));
}

} // namespace
} // namespace vmaf::test
