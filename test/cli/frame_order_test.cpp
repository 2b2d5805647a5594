#include <gtest/gtest.h>

#include <array>

#include "input/open_video.h"
#include "libvmaf/libvmaf_ext.h"
#include "readers.h"
#include "tool_process.h"
#include "videos.h"

/// If frames are compared with others than those of the same number, their scores are those of
/// files with the frames in that order.
namespace vmaf::test {
namespace {

using tool::FrameLoopResult;
using tool::FrameOrder;
using tool::FramePair;
using tool::VideoSide;

constexpr VideoShape kShape{32, 32, "420", 8};
constexpr const char *kScores[] = {"psnr_y", "VMAF_integer_feature_motion2_score"};
using Scores = std::array<std::vector<double>, std::size(kScores)>;

class FramesInOrder : public ::testing::Test {
  protected:
    struct Encode {
        std::vector<unsigned> frames; ///< the frame of the source that it shows
        FrameOrder order = {};
        unsigned skip = 0;
    };
    struct Scored {
        FrameLoopResult result;
        Scores scores;
    };

    /// @param frames frames of the source.
    std::unique_ptr<tool::VideoReader> video(const std::vector<unsigned> &frames, bool distorted)
    {
        const std::filesystem::path path = directory_.path() / ("video" + std::to_string(videos_++));
        std::string bytes = y4m_header(kShape, "420");
        for (const unsigned frame : frames)
            bytes += "FRAME\n" + frame_bytes(kShape, make_frame(kShape, frame, distorted));
        write_file(path, bytes);
        return tool::open_video(tool::InputFile(path), tool::SideOptions{}, {}, warnings_);
    }

    static tool::Context session()
    {
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, {VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0}), 0);
        for (const char *feature : {"psnr", "motion"})
            EXPECT_EQ(vmaf_use_feature(raw, feature, nullptr), 0);
        return tool::Context(raw);
    }

    static Scores scores_of(VmafContext *context, unsigned frames)
    {
        Scores scores;
        for (std::size_t i = 0; i < scores.size(); ++i)
            for (unsigned frame = 0; frame <= frames; ++frame) {
                double score = 0;
                if (vmaf_feature_score_at_index(context, kScores[i], &score, frame) == 0)
                    scores[i].push_back(score);
            }
        return scores;
    }

    /// Scores all encodes in one loop. @param count largest number of frames; 0: no limit.
    std::vector<Scored> score(const std::vector<unsigned> &reference, const std::vector<Encode> &encodes,
                              unsigned count = 0)
    {
        const auto ref = video(reference, false);
        std::vector<std::unique_ptr<tool::VideoReader>> videos;
        std::vector<tool::Context> sessions;
        std::vector<tool::SessionSink::Scoring> scorings;
        tool::FrameSources sources{{{*ref, 0}}, {}};
        for (const Encode &encode : encodes) {
            videos.push_back(video(encode.frames, true));
            sessions.push_back(session());
            scorings.push_back({{sessions.back().get(), nullptr}, 0});
            EXPECT_EQ(scorings.back().session.allocate(ref->format()), 0);
            sources.encodes.push_back({{*videos.back(), encode.skip}, 0, encode.order});
        }
        tool::SessionSink sink({ref->format()}, scorings, tool::SessionSink::References::come_again);
        std::vector<FrameLoopResult> results =
            read_frames({.count = count}, sources, sink, {}, [this](unsigned frames) { progress_ = frames; });
        sink.end_all(results);
        std::vector<Scored> scored;
        for (std::size_t i = 0; i < results.size(); ++i)
            scored.push_back({results[i], scores_of(sessions[i].get(), results[i].frames)});
        return scored;
    }

    /// Scores of two files that contain the pairs' frames one after another.
    Scores expected(const std::vector<unsigned> &reference, const std::vector<unsigned> &encode)
    {
        return score(reference, {{encode}}).front().scores;
    }

    unsigned progress_ = 0;

  private:
    TemporaryDirectory directory_;
    tool::Warnings warnings_{false};
    unsigned videos_ = 0;
};

std::vector<unsigned> numbers(unsigned first, unsigned end)
{
    std::vector<unsigned> all;
    for (unsigned number = first; number < end; ++number)
        all.push_back(number);
    return all;
}

TEST_F(FramesInOrder, FollowPairsThatSkipAndRepeat)
{
    const FramePair pairs[] = {{2, 0}, {3, 1}, {4, 1}, {5, 1}, {6, 4}, {9, 5}, {10, 20}, {11, 20}};
    const auto scored = score(numbers(0, 25), {{numbers(40, 60), {.pairs = pairs}}}).front();
    EXPECT_EQ(scored.result.frames, std::size(pairs));
    EXPECT_FALSE(scored.result.stop);
    EXPECT_FALSE(scored.result.ended_first);
    EXPECT_EQ(progress_, std::size(pairs));
    EXPECT_EQ(scored.scores, expected({0, 1, 1, 1, 4, 5, 20, 20}, {42, 43, 44, 45, 46, 49, 50, 51}));
    const auto limited = score(numbers(0, 25), {{numbers(40, 60), {.pairs = pairs}}}, 4).front();
    EXPECT_EQ(limited.scores, expected({0, 1, 1, 1}, {42, 43, 44, 45}));
}

TEST_F(FramesInOrder, AreThoseOfEachEncodeOfALadder)
{
    const FramePair repeats[] = {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 9}};
    const FramePair drops[] = {{0, 1}, {1, 2}, {2, 9}, {3, 10}};
    const std::vector<Encode> encodes{{numbers(30, 36), {.pairs = repeats}},
                                      {numbers(50, 54), {.pairs = drops}},
                                      {numbers(60, 66), {.delay = 3}},
                                      {numbers(70, 90)},
                                      {numbers(80, 90), {.delay = 20}}};
    const auto scored = score(numbers(0, 12), encodes);
    EXPECT_EQ(scored[0].scores, expected({0, 1, 1, 1, 2, 9}, numbers(30, 36)));
    EXPECT_EQ(scored[1].scores, expected({1, 2, 9, 10}, numbers(50, 54)));
    EXPECT_EQ(scored[2].scores, expected(numbers(3, 9), numbers(60, 66)));
    EXPECT_EQ(scored[3].scores, expected(numbers(0, 12), numbers(70, 82)));
    EXPECT_EQ(scored[4].result.frames, 0U);
    EXPECT_FALSE(scored[0].result.ended_first);
    EXPECT_FALSE(scored[1].result.ended_first);
    EXPECT_EQ(scored[2].result.ended_first, VideoSide::distorted);
    EXPECT_EQ(scored[3].result.ended_first, VideoSide::reference);
    EXPECT_EQ(scored[4].result.ended_first, VideoSide::reference);
}

TEST_F(FramesInOrder, OfPairsAloneReadWhatTheyNeed)
{
    const FramePair early[] = {{0, 3}, {1, 4}};
    const FramePair late[] = {{1, 8}, {3, 9}};
    const auto scored =
        score(numbers(0, 10), {{numbers(20, 30), {.pairs = early}}, {numbers(40, 50), {.pairs = late}}});
    EXPECT_EQ(scored[0].scores, expected({3, 4}, {20, 21}));
    EXPECT_EQ(scored[1].scores, expected({8, 9}, {41, 43}));
}

TEST_F(FramesInOrder, ThatAreDelayedAreCountedFromTheirFirst)
{
    const auto scored = score(numbers(0, 20), {{numbers(30, 50), {.delay = 2}, 1}, {numbers(60, 80), {.delay = 5}}}, 6);
    EXPECT_EQ(scored[0].scores, expected(numbers(2, 8), numbers(31, 37)));
    EXPECT_EQ(scored[1].scores, expected(numbers(5, 11), numbers(60, 66)));
    EXPECT_FALSE(scored[0].result.ended_first);
    EXPECT_FALSE(scored[1].result.ended_first);
}

} // namespace
} // namespace vmaf::test
