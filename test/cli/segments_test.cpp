#include <gtest/gtest.h>

#include <atomic>

#include "input/open_video.h"
#include "libvmaf/libvmaf_ext.h"
#include "readers.h"
#include "tool_process.h"
#include "videos.h"

/// Segments that several sessions score at the same time, and the merged result.
namespace vmaf::test {
namespace {

using tool::FrameLoopResult;
using tool::Segment;

constexpr unsigned kFirstOfSecond = 20, kFrames = 30;

class MergedSegments : public ::testing::Test {
  protected:
    std::unique_ptr<tool::VideoReader> video(unsigned frames, bool distorted)
    {
        const std::filesystem::path path = directory_.path() / ("video" + std::to_string(videos_++));
        write_file(path, y4m_video({16, 16, "420", 8}, frames, distorted));
        return tool::open_video(tool::InputFile(path), tool::SideOptions{}, {}, warnings_);
    }
    static tool::Context session()
    {
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, {VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0}), 0);
        EXPECT_EQ(vmaf_use_feature(raw, "psnr", nullptr), 0);
        return tool::Context(raw);
    }

    /// Two segments of a clip. The first one finds only so many frames in its videos.
    FrameLoopResult score(unsigned first_finds, VmafContext *merged)
    {
        const auto ref = video(first_finds, false), dis = video(first_finds, true);
        const auto whole_ref = video(kFrames, false), whole_dis = video(kFrames, true);
        const tool::Context first = session(), second = session();
        const tool::SessionPictures pictures[] = {{first.get(), nullptr}, {second.get(), nullptr}};
        for (const tool::SessionPictures &pool : pictures)
            EXPECT_EQ(pool.allocate(ref->format()), 0);
        const tool::SegmentScoring segments[] = {
            {Segment{0, kFirstOfSecond + 2, 0, 2}, {*ref, 0}, {*dis, 0}, pictures[0]},
            {Segment{kFirstOfSecond - 3, 0, 3, 0},
             {*whole_ref, kFirstOfSecond - 3},
             {*whole_dis, kFirstOfSecond - 3},
             pictures[1]}};
        return tool::score_segments(segments, merged, {}, [this](unsigned) { ++progress_; });
    }
    static unsigned scored_frames(VmafContext *context)
    {
        unsigned frames = 0;
        for (double score = 0; vmaf_feature_score_at_index(context, "psnr_y", &score, frames) == 0;)
            ++frames;
        return frames;
    }

    std::atomic<unsigned> progress_ = 0;

  private:
    TemporaryDirectory directory_;
    tool::Warnings warnings_{false};
    unsigned videos_ = 0;
};

TEST_F(MergedSegments, HaveAllFramesOnce)
{
    const tool::Context merged = session();
    const FrameLoopResult result = score(kFirstOfSecond + 2, merged.get());
    EXPECT_FALSE(result.stop);
    EXPECT_EQ(result.frames, kFrames);
    EXPECT_EQ(scored_frames(merged.get()), kFrames);
    EXPECT_EQ(progress_, kFrames);
}

// It may lack its own last frames, or only some of those that the next segment has too.
TEST_F(MergedSegments, AreGivenUpAfterOneThatReadTooLittle)
{
    for (const unsigned found : {5U, kFirstOfSecond - 1, kFirstOfSecond, kFirstOfSecond + 1}) {
        SCOPED_TRACE(found);
        const tool::Context merged = session();
        const FrameLoopResult result = score(found, merged.get());
        EXPECT_EQ(result.frames, found);
        EXPECT_EQ(scored_frames(merged.get()), found);
        EXPECT_FALSE(result.stop) << "the video has ended";
    }
}

} // namespace
} // namespace vmaf::test
