#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>
#include <vector>

#include <unistd.h>

#include "support/lists.h"
#include "support/session.h"
#include "unit/model_json_text.h"

// What the engine promises between the C API and the features: results that do not depend on
// threads, scores as soon as they are determined, and one error for each cause.

namespace vmaf::test {
namespace {

constexpr const char *kModel = "vmaf_v0.6.1";

void use_model_and_psnr(VmafContext *context, VmafModel *model)
{
    ASSERT_EQ(vmaf_use_features_from_model(context, model), 0);
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"), 0);
    ASSERT_EQ(vmaf_use_feature(context, "psnr", options), 0);
}

std::string output_text(VmafContext *context, VmafOutputFormat format)
{
    char path[] = "/tmp/vmaf_session_test_XXXXXX";
    const int descriptor = mkstemp(path);
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    EXPECT_EQ(vmaf_write_output(context, path, format), 0);
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path);
    return text;
}

// The output without the speed, the only part that may differ from run to run.
std::string without_fps(std::string text)
{
    const std::size_t start = text.find("fps");
    if (start != std::string::npos)
        text.erase(start, text.find('\n', start) - start);
    return text;
}

std::vector<std::string> whole_session(unsigned n_threads, const Clip &clip)
{
    const Context context = open_context(n_threads);
    const ModelHandle model = load_model(kModel, "vmaf");
    use_model_and_psnr(context.get(), model.get());
    EXPECT_EQ(feed_all(context.get(), clip), 0);
    double score = 0;
    EXPECT_EQ(vmaf_score_pooled(context.get(), model.get(), VMAF_POOL_METHOD_MEAN, &score, 0, clip.spec().frames - 1),
              0);
    std::vector<std::string> outputs;
    for (const auto format :
         {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV, VMAF_OUTPUT_FORMAT_SUB})
        outputs.push_back(without_fps(output_text(context.get(), format)));
    return outputs;
}

TEST(Session, OutputFilesAreEqualForAnyNumberOfThreads)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    const std::vector<std::string> expected = whole_session(0, clip);
    EXPECT_NE(expected[0].find("vmaf=\""), std::string::npos);
    for (const unsigned n_threads : {1U, 2U, 8U})
        for (int repetition = 0; repetition < 3; ++repetition)
            EXPECT_EQ(whole_session(n_threads, clip), expected) << n_threads << " threads";
}

TEST(Session, ColumnsStandInTheOrderOfAnUnthreadedRun)
{
    // spec abi 4.2
    const std::string header =
        "Frame,integer_adm2,integer_aim,integer_adm3,integer_adm_scale0,integer_adm_scale1,integer_adm_scale2,"
        "integer_adm_scale3,VMAF_integer_feature_motion_sad_score,integer_vif_scale0,integer_vif_scale1,"
        "integer_vif_scale2,integer_vif_scale3,psnr_y,psnr_cb,psnr_cr,integer_motion2,integer_motion3,vmaf,\n";
    for (const unsigned n_threads : {0U, 4U}) {
        const std::string csv = whole_session(n_threads, Clip::get("tiles_176x144_8"))[2];
        EXPECT_EQ(csv.substr(0, csv.find('\n') + 1), header) << n_threads << " threads";
    }
}

TEST(Session, ScoreOfAFrameIsReadableOnceTheNextFrameIsFed)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0U, 1U, 2U, 8U}) {
        const Context context = open_context(n_threads);
        const ModelHandle model = load_model(kModel);
        ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
        std::vector<double> as_we_go;
        for (unsigned frame = 0; frame < clip.spec().frames; ++frame) {
            ASSERT_EQ(feed(context.get(), clip, frame, frame), 0);
            double score = 0;
            EXPECT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame), -EINVAL)
                << "motion2 of the latest frame is not determined yet";
            if (frame > 0) {
                ASSERT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame - 1), 0) << n_threads;
                as_we_go.push_back(score);
            }
        }
        ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);

        const Context after_flush = open_context(0);
        ASSERT_EQ(vmaf_use_features_from_model(after_flush.get(), model.get()), 0);
        ASSERT_EQ(feed_all(after_flush.get(), clip), 0);
        for (unsigned frame = 0; frame < as_we_go.size(); ++frame) {
            double score = 0;
            ASSERT_EQ(vmaf_score_at_index(after_flush.get(), model.get(), &score, frame), 0);
            EXPECT_EQ(as_we_go[frame], score) << "frame " << frame << ", " << n_threads << " threads";
        }
    }
}

TEST(Session, DelayedColumnsKeepTheirPlaceWhenReadEarly)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context context = open_context(2);
    ASSERT_EQ(vmaf_use_feature(context.get(), "motion", nullptr), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "vif", nullptr), 0);
    for (unsigned frame = 0; frame < 3; ++frame)
        ASSERT_EQ(feed(context.get(), clip, frame, frame), 0);
    double score = 0;
    ASSERT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_motion2_score", &score, 1), 0);
    const std::string csv = output_text(context.get(), VMAF_OUTPUT_FORMAT_CSV);
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "Frame,VMAF_integer_feature_motion_sad_score,integer_vif_scale0,integer_vif_scale1,integer_vif_scale2,"
              "integer_vif_scale3,integer_motion2,integer_motion3,");
}

TEST(Session, ScoresCanBeReadFromAnotherThreadWhileFramesAreFed)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    constexpr unsigned kFrames = 60;
    const Context context = open_context(2);
    const ModelHandle model = load_model(kModel);
    ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
    std::vector<double> seen(kFrames, -1);
    std::thread reader([&] {
        for (unsigned frame = 0; frame + 1 < kFrames;) {
            double score = 0;
            if (vmaf_score_at_index(context.get(), model.get(), &score, frame) == 0)
                seen[frame++] = score;
            else
                std::this_thread::yield();
        }
    });
    int error = 0;
    for (unsigned frame = 0; frame < kFrames; ++frame)
        error = error != 0 ? error : feed(context.get(), clip, frame % clip.spec().frames, frame);
    reader.join();
    ASSERT_EQ(error, 0);
    ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    for (unsigned frame = 0; frame + 1 < kFrames; ++frame) {
        double vif = 0;
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &vif, frame), 0);
        EXPECT_GT(seen[frame], 0) << frame;
        EXPECT_EQ(seen[frame], seen[frame % 5 + 5 * (frame >= 5)]) << "the clip repeats every 5 frames";
    }
}

// The first read writes facts about a column while other threads may ask for its scores.
// ThreadSanitizer looks at this.
TEST(Session, ModelsScoresMayBePolledDuringTheFirstRead)
{
    constexpr unsigned kRounds = 200, kNeverRead = 4000000;
    constexpr const char *kDelayed = "VMAF_integer_feature_motion2_score"; // waits for the next frame
    const Clip &clip = Clip::get("tiles_176x144_8");
    const ModelHandle model = load_model(kModel);
    for (unsigned round = 0; round < kRounds; ++round) {
        const Context context = open_context(0);
        ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
        double score = 0;
        EXPECT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, 0), -EINVAL); // binds the model's columns
        std::atomic<unsigned> polls{0};
        std::atomic<bool> was_read{false};
        std::thread poller([&] {
            double polled = 0;
            do {
                EXPECT_EQ(vmaf_feature_score_at_index(context.get(), kDelayed, &polled, kNeverRead), -EINVAL);
                ++polls;
                polls.notify_one();
            } while (!was_read);
        });
        polls.wait(0);
        EXPECT_EQ(feed(context.get(), clip, 0, 0), 0);
        was_read = true;
        poller.join();
    }
}

TEST(Session, UnflushedCloseIsCleanForAnyNumberOfThreads)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    for (const unsigned n_threads : {0U, 1U, 2U, 8U}) {
        VmafConfiguration config{};
        config.n_threads = n_threads;
        VmafContext *context = nullptr;
        ASSERT_EQ(vmaf_init(&context, config), 0);
        const ModelHandle model = load_model(kModel);
        ASSERT_EQ(vmaf_use_features_from_model(context, model.get()), 0);
        for (unsigned frame = 0; frame < clip.spec().frames; ++frame)
            ASSERT_EQ(feed(context, clip, frame, frame), 0);
        EXPECT_EQ(vmaf_close(context), 0);
    }
}

TEST(Session, EightSessionsAtOnceGiveTheScoresOfOne)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const std::vector<std::string> expected = whole_session(0, clip);
    std::vector<std::vector<std::string>> results(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < results.size(); ++i)
        threads.emplace_back([&, i] { results[i] = whole_session(static_cast<unsigned>(i % 3), clip); });
    for (std::thread &thread : threads)
        thread.join();
    for (const auto &result : results)
        EXPECT_EQ(result, expected);
}

TEST(Session, RefusedFrameLeavesNoScoreAndCanBeFedAgain)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0U, 2U}) {
        const Context context = open_context(n_threads);
        ASSERT_EQ(vmaf_use_feature(context.get(), "vif", nullptr), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "motion", nullptr), 0);
        EXPECT_EQ(feed(context.get(), clip, 0, 5), -EINVAL) << "motion has nothing to compare frame 5 with";
        double score = 0;
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &score, 5),
                  -EINVAL);
        EXPECT_EQ(feed(context.get(), clip, 0, 5), 0) << "the refused frame is the previous one now (spec motion 4)";
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &score, 5), 0);
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_motion_sad_score", &score, 5), 0);
        EXPECT_EQ(score, 0) << "compared with itself";
    }
}

TEST(Session, ImportedScoreOfARegisteredFeatureMakesThatReadFail)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0U, 2U}) {
        const Context context = open_context(n_threads);
        ASSERT_EQ(vmaf_use_feature(context.get(), "psnr", nullptr), 0);
        ASSERT_EQ(vmaf_import_feature_score(context.get(), "psnr_cb", 40, 1), 0);
        EXPECT_EQ(feed(context.get(), clip, 0, 0), 0);
        EXPECT_EQ(feed(context.get(), clip, 1, 1), -EINVAL) << n_threads;
        EXPECT_EQ(feed(context.get(), clip, 2, 2), 0);
        EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        double score = 0;
        ASSERT_EQ(vmaf_feature_score_at_index(context.get(), "psnr_cb", &score, 1), 0);
        EXPECT_EQ(score, 40);
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "psnr_y", &score, 1), -EINVAL);
    }
}

TEST(Session, FeatureRegisteredLaterSeesLaterFramesOnly)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0U, 2U}) {
        const Context context = open_context(n_threads);
        ASSERT_EQ(vmaf_use_feature(context.get(), "psnr", nullptr), 0);
        ASSERT_EQ(feed(context.get(), clip, 0, 0), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "vif", nullptr), 0);
        ASSERT_EQ(feed(context.get(), clip, 1, 1), 0);
        double score = 0;
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &score, 0),
                  -EINVAL);
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &score, 1), 0);
        EXPECT_EQ(score, 0.43339815735816956); // spec vif 6, frame 1
    }
}

TEST(Session, SizesBelowAFeaturesMinimumAreRefusedAtTheFirstRead)
{
    struct Case {
        const char *feature;
        unsigned width, height;
        int expected;
    };
    const Case cases[] = {{"vif", 7, 64, -EINVAL},   {"vif", 64, 7, -EINVAL},        {"vif", 8, 8, 0},
                          {"adm", 15, 64, -EINVAL},  {"adm", 64, 15, -EINVAL},       {"adm", 16, 16, 0},
                          {"motion", 2, 3, -EINVAL}, {"motion", 3, 2, -EINVAL},      {"motion", 3, 3, 0},
                          {"psnr", 1, 1, 0},         {"ssimulacra2", 7, 8, -EINVAL}, {"ssimulacra2", 8, 7, -EINVAL},
                          {"ssimulacra2", 8, 8, 0}};
    for (const Case &c : cases)
        for (const unsigned n_threads : {0U, 2U}) {
            const Context context = open_context(n_threads);
            ASSERT_EQ(vmaf_use_feature(context.get(), c.feature, nullptr), 0);
            VmafPicture ref{}, dis{};
            ASSERT_EQ(vmaf_picture_alloc(&ref, VMAF_PIX_FMT_YUV420P, 8, c.width, c.height), 0);
            ASSERT_EQ(vmaf_picture_alloc(&dis, VMAF_PIX_FMT_YUV420P, 8, c.width, c.height), 0);
            EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 0), c.expected)
                << c.feature << " " << c.width << "x" << c.height;
            EXPECT_EQ(ref.ref != nullptr, c.expected != 0) << "ownership follows success";
            vmaf_picture_unref(&ref);
            vmaf_picture_unref(&dis);
        }
}

/// The errno of reading one grey 8-bit frame.
int read_grey(const char *feature, unsigned width, unsigned height)
{
    const Context context = open_context(0);
    EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
    VmafPicture pictures[2] = {};
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, width, height), 0);
    const int error = vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], 0);
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_picture_unref(&picture), error != 0 ? 0 : -EINVAL) << "the client's only if it was refused";
    return error;
}

TEST(Session, SidesAbove65535AreRefusedAtTheFirstRead)
{
    for (const VmafFeatureInfo *spec : listed_features()) {
        EXPECT_EQ(read_grey(spec->name, 65536, 16), -EINVAL) << spec->name;
        EXPECT_EQ(read_grey(spec->name, 16, 600000), -EINVAL) << spec->name;
    }
}

TEST(SessionLarge, SidesOf65535AreScored)
{
    for (const VmafFeatureInfo *spec : listed_features()) {
        // CAMBI's window grows with the size (spec cambi 3.1).
        const bool has_own_limit = std::string(spec->name) == "cambi";
        EXPECT_EQ(read_grey(spec->name, 65535, 192), has_own_limit ? -EINVAL : 0) << spec->name;
        EXPECT_EQ(read_grey(spec->name, 192, 65535), has_own_limit ? -EINVAL : 0) << spec->name;
    }
}

TEST(Session, ModelOfAnUnknownFeatureSaysWhich)
{
    const TemporaryFile file(
        single_text(with(small_model(), "feature_names", R"(["VMAF_integer_feature_adm2_score", "nobodys_score"])")));
    VmafModel *raw_model = nullptr;
    VmafModelConfig model_config{};
    ASSERT_EQ(vmaf_model_load_from_path(&raw_model, &model_config, file.path().c_str()), 0);
    const ModelHandle model(raw_model);
    const Context context = open_context(0);
    VmafConfiguration config{};
    config.log_level = VMAF_LOG_LEVEL_ERROR;
    VmafContext *loud = nullptr;
    ASSERT_EQ(vmaf_init(&loud, config), 0);
    testing::internal::CaptureStderr();
    const int error = vmaf_use_features_from_model(context.get(), model.get());
    const std::string message = testing::internal::GetCapturedStderr();
    vmaf_close(loud);
    EXPECT_EQ(error, -EINVAL);
    EXPECT_NE(message.find("nobodys_score"), std::string::npos) << message;
}

TEST(Session, PicturesMayBeReleasedAfterClose)
{
    Context context = open_context(2);
    const VmafPictureConfiguration pool{{64, 48, 8, VMAF_PIX_FMT_YUV420P}, 3};
    ASSERT_EQ(vmaf_preallocate_pictures(context.get(), pool), 0);
    VmafPicture held{};
    ASSERT_EQ(vmaf_fetch_preallocated_picture(context.get(), &held), 0);
    context.reset();
    static_cast<unsigned char *>(held.data[0])[0] = 1;
    EXPECT_EQ(vmaf_picture_unref(&held), 0);
}

TEST(Session, MemoryOfLongInputIsBoundedByScores)
{
    // Pictures in flight return to the pool. A client that holds two at a time never makes it grow
    // with the length of the input.
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context context = open_context(2);
    ASSERT_EQ(vmaf_use_feature(context.get(), "motion", nullptr), 0);
    const VmafPictureConfiguration pool{{176, 144, 8, VMAF_PIX_FMT_YUV420P}, 2};
    ASSERT_EQ(vmaf_preallocate_pictures(context.get(), pool), 0);
    std::map<void *, unsigned> buffers;
    for (unsigned frame = 0; frame < 200; ++frame) {
        VmafPicture ref{}, dis{};
        ASSERT_EQ(vmaf_fetch_preallocated_picture(context.get(), &ref), 0);
        ASSERT_EQ(vmaf_fetch_preallocated_picture(context.get(), &dis), 0);
        ++buffers[ref.data[0]];
        ++buffers[dis.data[0]];
        fill_picture(ref, clip, Side::ref, frame % 5);
        fill_picture(dis, clip, Side::dis, frame % 5);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    // The client has 2. At most 4 frames in flight have 2 each, and at most 2 previous pictures
    // each.
    EXPECT_LE(buffers.size(), 2U + 4 * 2 + 4 * 2);
}

} // namespace
} // namespace vmaf::test
