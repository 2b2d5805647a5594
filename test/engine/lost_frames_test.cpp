#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "libvmaf/libvmaf_ext.h"
#include "support/session.h"

// Work on a frame fails after vmaf_read_pictures() took it. Getters of its scores then return why
// they are missing (spec abi 4.3). Here the heatmap's file is /dev/full.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "bands_640x360_8";
constexpr const char *kVif = "VMAF_integer_feature_vif_scale0_score";
constexpr const char *kMotion2 = "VMAF_integer_feature_motion2_score";
constexpr const char *kMotion3 = "VMAF_integer_feature_motion3_score";

class LostFrames : public testing::Test {
  protected:
    LostFrames()
    {
        char name[] = "/tmp/lost_frames_XXXXXX";
        folder_ = ::mkdtemp(name);
        std::filesystem::create_symlink("/dev/full", folder_ / "cambi_heatmap_scale_0_640x360_16b.gray");
        EXPECT_EQ(vmaf_use_feature(context_.get(), "vif", nullptr), 0);
        EXPECT_EQ(vmaf_use_feature(context_.get(), "motion", nullptr), 0);
    }
    ~LostFrames() override { std::filesystem::remove_all(folder_); }

    /// Loses all frames from the next one on.
    void lose_frames() const { lose_frames(context_.get()); }
    void lose_frames(VmafContext *context) const
    {
        VmafFeatureDictionary *options = nullptr;
        ASSERT_EQ(vmaf_feature_dictionary_set(&options, "heatmaps_path", folder_.c_str()), 0);
        ASSERT_EQ(vmaf_use_feature(context, "cambi", options), 0);
    }

    int feed_frame(unsigned frame) const { return feed(context_.get(), Clip::get(kClip), frame, frame); }
    int flush() const { return vmaf_read_pictures(context_.get(), nullptr, nullptr, 0); }

    int score_error(const char *name, unsigned index) const
    {
        double ignored = 0;
        return vmaf_feature_score_at_index(context_.get(), name, &ignored, index);
    }
    double score_of(const char *name, unsigned index) const
    {
        double score = -1;
        EXPECT_EQ(vmaf_feature_score_at_index(context_.get(), name, &score, index), 0) << name << ' ' << index;
        return score;
    }
    int pooled_error(const char *name, unsigned low, unsigned high) const
    {
        double ignored = 0;
        return vmaf_feature_score_pooled(context_.get(), name, VMAF_POOL_METHOD_MEAN, &ignored, low, high);
    }

    const Context context_ = open_context(2);

    const std::filesystem::path &folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

TEST_F(LostFrames, EveryGetterGivesTheErrnoOfTheWorkThatFailed)
{
    lose_frames();
    for (unsigned frame = 0; frame < 2; ++frame)
        ASSERT_EQ(feed_frame(frame), 0);
    EXPECT_EQ(score_error(kVif, 0), -EIO);
    EXPECT_EQ(score_error(kVif, 1), -EIO);
    EXPECT_EQ(pooled_error(kVif, 0, 1), -EIO);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    double ignored = 0;
    EXPECT_EQ(vmaf_score_at_index(context_.get(), model.get(), &ignored, 0), -EIO);
    EXPECT_EQ(vmaf_score_pooled(context_.get(), model.get(), VMAF_POOL_METHOD_MIN, &ignored, 0, 1), -EIO);
    EXPECT_EQ(score_error(kVif, 9), -EINVAL) << "never read";
    EXPECT_EQ(score_error("nobody's", 0), -EINVAL);
    EXPECT_EQ(flush(), -EIO);
    EXPECT_EQ(score_error(kVif, 0), -EIO) << "after the flush too";
}

TEST_F(LostFrames, AreNoPartOfAMergedClip)
{
    lose_frames();
    const Context merged = open_context(0);
    for (const char *feature : {"vif", "motion"})
        ASSERT_EQ(vmaf_use_feature(merged.get(), feature, nullptr), 0);
    lose_frames(merged.get());
    ASSERT_EQ(feed_frame(0), 0);
    EXPECT_EQ(flush(), -EIO);
    EXPECT_EQ(vmaf_append_segment(merged.get(), context_.get(), 0, 1), -EIO);
    EXPECT_EQ(vmaf_read_pictures(merged.get(), nullptr, nullptr, 0), -EINVAL) << "it has no frame";
}

TEST_F(LostFrames, TheFirstFrameOfARangeCountsAsTheOthers)
{
    ASSERT_EQ(feed_frame(0), 0);
    ASSERT_EQ(feed_frame(2), 0);
    lose_frames();
    ASSERT_EQ(feed_frame(1), 0);
    EXPECT_EQ(pooled_error(kVif, 1, 2), -EIO);
    EXPECT_EQ(pooled_error(kVif, 0, 2), -EIO);
    EXPECT_EQ(pooled_error(kVif, 2, 3), -EINVAL) << "3 was never read";
}

TEST_F(LostFrames, ADelayedScoreWaitsForTheFrameAfterItsOwn)
{
    for (unsigned frame = 0; frame < 2; ++frame)
        ASSERT_EQ(feed_frame(frame), 0);
    lose_frames();
    ASSERT_EQ(feed_frame(2), 0);
    EXPECT_EQ(score_error(kMotion2, 1), -EIO);
    EXPECT_EQ(score_error(kMotion2, 0), 0);
}

TEST_F(LostFrames, ScoresOfOtherFramesStay)
{
    ASSERT_EQ(feed_frame(0), 0);
    ASSERT_EQ(score_error(kVif, 0), 0);
    lose_frames();
    ASSERT_EQ(feed_frame(1), 0);
    EXPECT_EQ(score_error(kVif, 1), -EIO);
    EXPECT_EQ(score_error(kVif, 0), 0);
    EXPECT_EQ(pooled_error(kVif, 0, 0), 0);
    EXPECT_EQ(pooled_error(kVif, 0, 1), -EIO);
    EXPECT_EQ(flush(), -EIO);
    EXPECT_EQ(vmaf_write_output(context_.get(), "/dev/null", VMAF_OUTPUT_FORMAT_JSON), 0);
}

TEST_F(LostFrames, ADelayedScoreIsLostWithTheFrameAfterIt)
{
    ASSERT_EQ(feed_frame(0), 0);
    lose_frames();
    ASSERT_EQ(feed_frame(1), 0);
    ASSERT_EQ(feed_frame(2), 0);
    EXPECT_EQ(score_error(kMotion2, 1), -EIO) << "its own frame";
    EXPECT_EQ(score_error(kMotion2, 2), -EIO) << "motion2 needs the frames before";
}

// The failure was logged when it happened, not here.
TEST_F(LostFrames, AModelsGetterSaysNothingOfTheFrame)
{
    lose_frames();
    ASSERT_EQ(feed_frame(0), 0);
    EXPECT_EQ(score_error(kVif, 0), -EIO);
    VmafConfiguration says_errors{};
    says_errors.log_level = VMAF_LOG_LEVEL_ERROR; // the last vmaf_init() sets the level of the process
    VmafContext *other = nullptr;
    ASSERT_EQ(vmaf_init(&other, says_errors), 0);
    const Context other_context(other);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    testing::internal::CaptureStderr();
    double ignored = 0;
    EXPECT_EQ(vmaf_score_at_index(context_.get(), model.get(), &ignored, 0), -EIO);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    testing::internal::CaptureStderr();
    EXPECT_EQ(vmaf_score_at_index(context_.get(), model.get(), &ignored, 9), -EINVAL);
    EXPECT_NE(testing::internal::GetCapturedStderr(), "") << "never read: the client's mistake, which a line explains";
}

// Scores the clip without losing a frame.
class WholeClip {
  public:
    explicit WholeClip(unsigned frames)
    {
        EXPECT_EQ(vmaf_use_feature(context_.get(), "motion", nullptr), 0);
        EXPECT_EQ(vmaf_use_feature(context_.get(), "float_motion", nullptr), 0);
        for (unsigned frame = 0; frame < frames; ++frame)
            EXPECT_EQ(feed(context_.get(), Clip::get(kClip), frame, frame), 0);
        EXPECT_EQ(vmaf_read_pictures(context_.get(), nullptr, nullptr, 0), 0);
    }
    double score(const char *name, unsigned index) const
    {
        double score = -1;
        EXPECT_EQ(vmaf_feature_score_at_index(context_.get(), name, &score, index), 0) << name << ' ' << index;
        return score;
    }

  private:
    const Context context_ = open_context(0);
};

TEST_F(LostFrames, TheFlushTakesNoLostFrameForTheClipsEnd)
{
    constexpr const char *kFloatMotion2 = "VMAF_feature_motion2_score";
    const WholeClip whole(4);
    ASSERT_EQ(vmaf_use_feature(context_.get(), "float_motion", nullptr), 0);
    for (unsigned frame = 0; frame < 2; ++frame)
        ASSERT_EQ(feed_frame(frame), 0);
    lose_frames();
    for (unsigned frame = 2; frame < 4; ++frame)
        ASSERT_EQ(feed_frame(frame), 0);
    EXPECT_EQ(flush(), -EIO);
    for (const char *determined : {kMotion2, kMotion3, kFloatMotion2})
        EXPECT_EQ(score_of(determined, 0), whole.score(determined, 0)) << determined;
    for (const char *needs_the_next : {kMotion2, kMotion3, kFloatMotion2})
        EXPECT_EQ(score_error(needs_the_next, 1), -EIO) << needs_the_next;
}

TEST_F(LostFrames, TheFlushWritesNoValueOfTheClipWithoutThem)
{
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"), 0);
    ASSERT_EQ(vmaf_use_feature(context_.get(), "psnr", options), 0);
    ASSERT_EQ(feed_frame(0), 0);
    lose_frames();
    ASSERT_EQ(feed_frame(1), 0);
    EXPECT_EQ(flush(), -EIO);
    ASSERT_EQ(vmaf_write_output(context_.get(), (folder() / "log").c_str(), VMAF_OUTPUT_FORMAT_XML), 0);
    std::ifstream file(folder() / "log");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(text.find("<aggregate_metrics />"), std::string::npos) << text;
}

} // namespace
} // namespace vmaf::test
