#include "cuda/driver_sessions/fixture.h"

#include <atomic>
#include <thread>

// Scores do not depend on when the device finishes work, on how pictures are fed, or on threads
// (spec cuda 4, 5).

namespace vmaf::test {
namespace {

constexpr const char *kNames[] = {"psnr_y",
                                  "psnr_cb",
                                  "psnr_cr",
                                  "VMAF_integer_feature_motion_sad_score",
                                  "VMAF_integer_feature_motion2_score",
                                  "float_moment_ref1st",
                                  "float_moment_dis1st",
                                  "Speed_temporal_feature_speed_temporal_score"};

/// At most two features run on the device.
void use_cheap_features(VmafContext *vmaf, bool on_device)
{
    for (const char *feature :
         {on_device ? "psnr_cuda" : "psnr", on_device ? "motion_cuda" : "motion", "float_moment", "speed_temporal"})
        EXPECT_EQ(use_feature(vmaf, feature), 0);
}

using Scores = std::vector<std::vector<double>>;

Scores all_scores(VmafContext *vmaf, unsigned frames)
{
    Scores scores;
    for (const char *name : kNames)
        scores.push_back(scores_of(vmaf, name, 0, frames));
    return scores;
}

struct Pace {
    VmafDoubleTime time;
    unsigned long queries;
};

class ScoresOnTheDouble : public DriverSessions,
                          public testing::WithParamInterface<std::tuple<Pace, Feeding, unsigned>> {};

TEST_P(ScoresOnTheDouble, EqualThoseOfTheCpuAtEveryPace)
{
    constexpr unsigned kFrames = 45; // more than are in flight
    const auto [pace, feeding, n_threads] = GetParam();
    const Clip &clip = Clip::get("tiles_177x145_8");
    const Context cpu = open_context(0);
    use_cheap_features(cpu.get(), false);
    for (unsigned frame = 0; frame < kFrames; ++frame)
        ASSERT_EQ(feed(cpu.get(), clip, frame % clip.spec().frames, frame), 0);
    ASSERT_EQ(flush(cpu.get()), 0);

    VmafConfiguration config = on_cpu_unless_demanded();
    config.n_threads = n_threads;
    const Context context = open_on_device(clip, feeding, config);
    use_cheap_features(context.get(), true);
    set_time(pace.time, pace.queries);
    ASSERT_EQ(driver_->set_pageable_reads(VMAF_DOUBLE_WHEN_IT_RUNS),
              0); // a host picture lives until its upload is complete
    ASSERT_EQ(feed_frames(context.get(), clip, feeding, 0, kFrames), 0);
    ASSERT_EQ(flush(context.get()), 0);
    EXPECT_EQ(all_scores(context.get(), kFrames), all_scores(cpu.get(), kFrames));
}

INSTANTIATE_TEST_SUITE_P(
    All, ScoresOnTheDouble,
    testing::Combine(testing::Values(Pace{VMAF_DOUBLE_AT_ONCE, 0}, Pace{VMAF_DOUBLE_AFTER_QUERIES, 1},
                                     Pace{VMAF_DOUBLE_AFTER_QUERIES, 2}, Pace{VMAF_DOUBLE_AFTER_QUERIES, 11},
                                     Pace{VMAF_DOUBLE_ON_SYNCHRONISE, 0}),
                     testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device),
                     testing::Values(0U, 2U)));

class ScoresOfFormats : public DriverSessions, public testing::WithParamInterface<std::tuple<const char *, Feeding>> {};

TEST_P(ScoresOfFormats, EqualThoseOfTheCpu)
{
    const auto [name, feeding] = GetParam();
    const Clip &clip = Clip::get(name);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    const Context cpu = open_context(0), context = open_on_device(clip, feeding);
    for (VmafContext *vmaf : {cpu.get(), context.get()}) {
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model.get()), 0);
        ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    }
    ASSERT_EQ(feed_all(cpu.get(), clip), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(client_->feed_all(context.get(), clip, feeding), 0);
    for (unsigned frame = 0; frame < clip.spec().frames; ++frame) {
        double expected = -1, score = -2;
        EXPECT_EQ(vmaf_score_at_index(cpu.get(), model.get(), &expected, frame), 0);
        EXPECT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame), 0);
        EXPECT_EQ(score, expected) << frame;
    }
    for (unsigned plane = 0; plane < clip.format().plane_count(); ++plane)
        EXPECT_EQ(scores_of(context.get(), kNames[plane], 0, clip.spec().frames),
                  scores_of(cpu.get(), kNames[plane], 0, clip.spec().frames));
}

INSTANTIATE_TEST_SUITE_P(All, ScoresOfFormats,
                         testing::Combine(testing::Values("tiles_177x145_8", "tiles_352x288_10", "tiles_256x192_12",
                                                          "tiles_256x192_16"),
                                          testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device)));

/// While one thread feeds, others fetch, ask for scores and write outputs.
class Beside : public DriverSessions, public testing::WithParamInterface<std::tuple<Pace, Feeding, unsigned>> {};

TEST_P(Beside, OtherThreadsFetchAndAsk)
{
    constexpr unsigned kFrames = 60;
    const auto [pace, feeding, n_threads] = GetParam();
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context cpu = open_context(0);
    use_cheap_features(cpu.get(), false);
    for (unsigned frame = 0; frame < kFrames; ++frame)
        ASSERT_EQ(feed(cpu.get(), clip, frame % clip.spec().frames, frame), 0);
    ASSERT_EQ(flush(cpu.get()), 0);
    const Scores expected = all_scores(cpu.get(), kFrames);

    VmafConfiguration config = on_cpu_unless_demanded();
    config.n_threads = n_threads;
    const Context context = open_on_device(clip, feeding, config);
    use_cheap_features(context.get(), true);
    set_time(pace.time, pace.queries);
    std::atomic<unsigned> read{0}, wrong{0};
    std::thread fetcher([&] {
        while (read < kFrames) {
            VmafPicture picture{};
            wrong += vmaf_cuda_fetch_preallocated_picture(context.get(), &picture) != 0;
            wrong += vmaf_picture_unref(&picture) != 0;
        }
    });
    const auto ask = [&](std::size_t name, unsigned frames_after) {
        for (unsigned seen = 0; (seen = read) < kFrames;)
            if (seen > frames_after) {
                const unsigned frame = seen - 1 - frames_after;
                double score = -1;
                wrong += vmaf_feature_score_at_index(context.get(), kNames[name], &score, frame) != 0;
                wrong += score != expected[name][frame];
            }
    };
    std::thread asker([&] { ask(0, 0); }), asker_of_delayed([&] { ask(4, 1); });
    int error = 0;
    for (; read < kFrames; ++read)
        error |= client_->feed(context.get(), clip, read % clip.spec().frames, read, feeding);
    for (std::thread *thread : {&fetcher, &asker, &asker_of_delayed})
        thread->join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(wrong, 0U);
    ASSERT_EQ(flush(context.get()), 0);
    EXPECT_EQ(all_scores(context.get(), kFrames), expected);
}

INSTANTIATE_TEST_SUITE_P(All, Beside,
                         testing::Combine(testing::Values(Pace{VMAF_DOUBLE_AT_ONCE, 0},
                                                          Pace{VMAF_DOUBLE_AFTER_QUERIES, 3},
                                                          Pace{VMAF_DOUBLE_ON_SYNCHRONISE, 0}),
                                          testing::Values(Feeding::pinned_host, Feeding::device),
                                          testing::Values(0U, 2U)));

} // namespace
} // namespace vmaf::test
