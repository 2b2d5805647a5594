#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>

#include "support/session.h"

// A frame whose work fails after vmaf_read_pictures() took it: who asks for its scores hears why they are missing (spec abi 4.3). Here a
// heatmap's file is /dev/full.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "bands_640x360_8";
constexpr const char *kVif = "VMAF_integer_feature_vif_scale0_score";
constexpr const char *kMotion2 = "VMAF_integer_feature_motion2_score";

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

    /// From the next frame on, frames are lost.
    void lose_frames() const
    {
        VmafFeatureDictionary *options = nullptr;
        ASSERT_EQ(vmaf_feature_dictionary_set(&options, "heatmaps_path", folder_.c_str()), 0);
        ASSERT_EQ(vmaf_use_feature(context_.get(), "cambi", options), 0);
    }

    int feed_frame(unsigned frame) const { return feed(context_.get(), Clip::get(kClip), frame, frame); }
    int flush() const { return vmaf_read_pictures(context_.get(), nullptr, nullptr, 0); }

    int score_error(const char *name, unsigned index) const
    {
        double ignored = 0;
        return vmaf_feature_score_at_index(context_.get(), name, &ignored, index);
    }
    int pooled_error(const char *name, unsigned low, unsigned high) const
    {
        double ignored = 0;
        return vmaf_feature_score_pooled(context_.get(), name, VMAF_POOL_METHOD_MEAN, &ignored, low, high);
    }

    const Context context_ = open_context(2);

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

} // namespace
} // namespace vmaf::test
