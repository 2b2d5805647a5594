#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

// Features that are registered while frames are in flight. A batch keeps the features and the
// layout of sums that it began with (spec cuda 6).

namespace vmaf::test {
namespace {

constexpr const char *kSad = "VMAF_integer_feature_motion_sad_score";
constexpr const char *kMse[] = {"mse_y", "mse_cb", "mse_cr"};
constexpr unsigned kFramesAfter = 12;

/// Adds a feature after `before_` frames. The first frame is sent to the device at once. Later ones
/// gather meanwhile, up to eight in a batch.
class LateFeature : public DriverSessions, public testing::WithParamInterface<std::tuple<unsigned, Feeding>> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        driver_->reset(); // the other features' kernels do nothing
        context_ = open_on_device(clip_, feeding_, on_cpu_unless_demanded());
        ASSERT_TRUE(context_);
        set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    }
    void TearDown() override
    {
        context_.reset();
        DriverSessions::TearDown();
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
    const unsigned before_ = std::get<0>(GetParam()), frames_ = before_ + kFramesAfter;
    const Feeding feeding_ = std::get<1>(GetParam());
    Context context_;
};

TEST_P(LateFeature, KeepsTheSumsOfTheFramesInFlight)
{
    const NumberedSums numbered(*driver_);
    ASSERT_EQ(use_feature(context_.get(), "motion_cuda"), 0);
    ASSERT_EQ(feed_numbered(*client_, context_.get(), clip_, feeding_, 0, before_), 0);
    ASSERT_EQ(use_feature(context_.get(), "psnr_cuda", {{"enable_mse", "true"}}), 0);
    ASSERT_EQ(feed_numbered(*client_, context_.get(), clip_, feeding_, before_, frames_), 0);
    ASSERT_EQ(flush(context_.get()), 0);
    const std::vector<double> sad = scores_of(context_.get(), kSad, 0, frames_);
    for (unsigned frame = 0; frame < frames_; ++frame)
        EXPECT_EQ(sad[frame], NumberedSums::sad(frame)) << frame;
    for (unsigned plane = 0; plane < 3; ++plane) {
        const std::vector<double> mse = scores_of(context_.get(), kMse[plane], before_, frames_);
        for (unsigned frame = before_; frame < frames_; ++frame)
            EXPECT_EQ(mse[frame - before_], NumberedSums::mse(frame, plane)) << frame;
    }
}

// Larger sums, growing scratch memory, or loading a module must not change anything in flight.
TEST_P(LateFeature, OfEveryKindLeavesTheOthersScoresAsTheyAre)
{
    const NumberedSums numbered(*driver_);
    ASSERT_EQ(use_feature(context_.get(), "psnr_cuda", {{"enable_mse", "true"}}), 0);
    unsigned frames = 0;
    for (const char *late : {"motion_cuda", "adm_cuda", "vif_cuda", "ssimulacra2_cuda", "float_psnr"}) {
        ASSERT_EQ(feed_numbered(*client_, context_.get(), clip_, feeding_, frames, frames + before_), 0);
        frames += before_;
        ASSERT_EQ(use_feature(context_.get(), late), 0);
        if (std::string_view(late) == "motion_cuda") {
            ASSERT_EQ(client_->feed(context_.get(), clip_, 0, frames, feeding_), -EINVAL) << "no earlier picture";
        }
    }
    ASSERT_EQ(feed_numbered(*client_, context_.get(), clip_, feeding_, frames, frames + kFramesAfter), 0);
    frames += kFramesAfter;
    ASSERT_EQ(flush(context_.get()), 0);
    for (unsigned plane = 0; plane < 3; ++plane) {
        const std::vector<double> mse = scores_of(context_.get(), kMse[plane], 0, frames);
        for (unsigned frame = 0; frame < frames; ++frame)
            EXPECT_EQ(mse[frame], NumberedSums::mse(frame, plane)) << frame;
    }
    const std::vector<double> sad = scores_of(context_.get(), kSad, before_, frames);
    for (unsigned frame = before_; frame < frames; ++frame)
        EXPECT_EQ(sad[frame - before_], NumberedSums::sad(frame)) << frame;
}

INSTANTIATE_TEST_SUITE_P(All, LateFeature,
                         testing::Combine(testing::Values(1U, 2U, 4U, 9U, 13U, 20U),
                                          testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device)));

} // namespace
} // namespace vmaf::test
