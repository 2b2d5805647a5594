#include <gtest/gtest.h>

#include <set>

#include "ffmpeg.h"
#include "input/media/decoder.h"

/// Frames that nobody reads and no other frame refers to (spec comparison 10).
namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::Decoder;
using tool::InputFile;

constexpr unsigned kFramesOfClip = 120;

class LeftOutFrames : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        studio_.make_source("v.y4m", kFramesOfClip, "yuv420p", "64x48");
    }

    /// Number of decoded frames if every 20th is wanted. The wanted ones must be among them.
    std::size_t decoded(const std::string &name) const
    {
        std::vector<std::int64_t> all, wanted;
        Decoder whole(InputFile(studio_.path(name)), {});
        while (const AvFrame frame = whole.next())
            all.push_back(frame->pts);
        EXPECT_EQ(all.size(), kFramesOfClip);
        for (std::size_t i = 7; i < all.size(); i += 20)
            wanted.push_back(all[i]);
        Decoder some(InputFile(studio_.path(name)), {});
        some.deliver_only(wanted);
        std::set<std::int64_t> delivered;
        while (const AvFrame frame = some.next())
            delivered.insert(frame->pts);
        for (const std::int64_t pts : wanted)
            EXPECT_TRUE(delivered.contains(pts)) << name;
        EXPECT_FALSE(some.damage()) << *some.damage();
        return delivered.size();
    }

    Studio studio_;
};

// In a pyramid of four frames, no frame refers to two of them.
TEST_F(LeftOutFrames, AreNotDecoded)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -bf 3 -b_strategy 0 -x264-params b-pyramid=normal:scenecut=0 pyramid.mp4");
    EXPECT_NEAR(static_cast<double>(decoded("pyramid.mp4")), kFramesOfClip / 2. + 3, 4);
    studio_.ffmpeg("-i v.y4m -c:v libx264 -bf 0 chain.mp4");
    EXPECT_EQ(decoded("chain.mp4"), kFramesOfClip) << "each is referred to by the next one";
}

} // namespace
} // namespace vmaf::test
