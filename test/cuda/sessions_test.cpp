#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "cuda/cuda_sessions.h"

// Scores of sessions on a real GPU, and races between them (spec cuda 4, 5).

namespace vmaf::test {
namespace {

using SessionsCuda = CudaSessions;

TEST_F(SessionsCuda, CudaNamesDemandTheDeviceAndAreDuplicatesOfThePlainOnes)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context context = open_context(0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "vif_cuda", nullptr), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "vif", nullptr), 0);
    EXPECT_EQ(feed(context.get(), clip, 0, 0), -EINVAL) << "no state was imported";
    ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::plain_host), 0);
    EXPECT_EQ(feed(context.get(), clip, 0, 0), 0);
    double score = 0;
    EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_vif_scale0_score", &score, 0), 0);
    EXPECT_EQ(score, 0.43396753072738647); // spec vif 6
}

TEST_F(SessionsCuda, CpuFeaturesOfADeviceSessionRunOnDownloadedPlanes)
{
    // gpumask keeps plain names on the CPU, and the _cuda name stays on the device. This makes a
    // mixed session on device pictures.
    const Clip &clip = Clip::get("tiles_352x288_10");
    for (const unsigned n_threads : {0U, 2U}) {
        VmafConfiguration config{};
        config.n_threads = n_threads;
        config.gpumask = 1;
        VmafContext *raw = nullptr;
        ASSERT_EQ(vmaf_init(&raw, config), 0);
        const Context context(raw);
        ASSERT_EQ(client_->attach(raw, clip.spec(), Feeding::device), 0);
        const ModelHandle model = load_model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_feature(raw, "vif_cuda", nullptr), 0);
        ASSERT_EQ(vmaf_use_features_from_model(raw, model.get()), 0);
        ASSERT_EQ(client_->feed_all(raw, clip, Feeding::device), 0);
        double score = 0;
        ASSERT_EQ(vmaf_score_at_index(raw, model.get(), &score, 1), 0);
        EXPECT_EQ(score, 90.12879331836605); // spec models 7.2
    }
}

TEST_F(SessionsCuda, ContentChangesFrameByFrameWithoutRaces)
{
    // The GPU check sets VMAF_TEST_RACE_FRAMES to 20000. VMAF_TEST_RACE_CLIP names another, larger
    // clip.
    const char *wanted = std::getenv("VMAF_TEST_RACE_FRAMES");
    const unsigned frames = wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 500;
    const char *clip_name = std::getenv("VMAF_TEST_RACE_CLIP");
    const Clip &clip = Clip::get(clip_name != nullptr ? clip_name : "tiles_640x360_8");
    const std::vector<double> first = scores_of(clip, frames, 0, Feeding::device);
    ASSERT_EQ(first.size(), frames);
    for (unsigned frame = 2 * clip.spec().frames; frame + 1 < frames; ++frame)
        ASSERT_EQ(first[frame], first[frame - clip.spec().frames]) << "the clip repeats, frame " << frame;
    std::vector<double> at_once[2];
    std::thread other([&] { at_once[1] = scores_of(clip, frames, 2, Feeding::device); });
    at_once[0] = scores_of(clip, frames, 0, Feeding::pinned_host);
    other.join();
    EXPECT_EQ(at_once[0], first);
    EXPECT_EQ(at_once[1], first);
}

TEST_F(SessionsCuda, Ssimulacra2HasTheSameBitsWithOneTwoAndEightSessionsAtOnce)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    const std::vector<double> expected = scores_of(clip, 40, 0, Feeding::device, "ssimulacra2");
    ASSERT_EQ(expected.size(), 40U);
    for (const std::size_t sessions : {1U, 2U, 8U}) {
        std::vector<std::thread> threads;
        std::vector<int> wrong(sessions, 0);
        for (std::size_t i = 0; i < sessions; ++i)
            threads.emplace_back([&, i] {
                for (const Feeding feeding : {Feeding::device, Feeding::pinned_host, Feeding::plain_host})
                    wrong[i] += scores_of(clip, 40, i % 2, feeding, "ssimulacra2") != expected;
            });
        for (std::thread &thread : threads)
            thread.join();
        EXPECT_EQ(wrong, std::vector<int>(sessions, 0)) << sessions;
    }
}

} // namespace
} // namespace vmaf::test
