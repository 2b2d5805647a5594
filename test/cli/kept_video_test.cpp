#include <gtest/gtest.h>

#include "alignment/kept_video.h"
#include "common/failure.h"
#include "tool_process.h"
#include "videos.h"

/// Frames that are looked at before they are read. The video counts how often it is decoded.
namespace vmaf::test {
namespace {

constexpr tool::VideoFormat kFormat{8, 4, VMAF_PIX_FMT_YUV420P, 8};
constexpr unsigned kFrames = 6;
constexpr std::uint8_t kUntouched = 255;

struct Counts {
    std::string path;
    unsigned read = 0, skipped = 0, reopened = 0;
    bool can_be_reopened = true;
    unsigned fails_at = kFrames + 1; ///< the frame's number
    std::optional<std::string> damage = {};
};

/// All luma samples of frame i are i, all chroma samples are 100 + i.
class CountingVideo final : public tool::VideoReader {
  public:
    explicit CountingVideo(Counts &counts) : counts_(counts) {}

    const tool::InputFile &file() const override { return file_; }
    const tool::VideoFormat &format() const override { return kFormat; }
    void raise_depth(unsigned /*depth*/) override {}
    void leave_out_chroma() override { with_chroma_ = false; }
    std::optional<std::uint64_t> frame_count() const override { return kFrames; }
    std::vector<double> frame_times() const override
    {
        std::vector<double> times;
        for (unsigned i = 0; i < next_; ++i)
            times.push_back(i);
        return times;
    }
    std::unique_ptr<tool::VideoReader> reopened() const override
    {
        ++counts_.reopened;
        if (!counts_.can_be_reopened)
            throw tool::Failure(1, "a pipe");
        return std::make_unique<CountingVideo>(counts_);
    }
    bool read_frame(VmafPicture &picture) override
    {
        if (next_ == counts_.fails_at)
            throw tool::ScoringStopped(tool::StopReason::decode_error, 1, "damage");
        if (next_ == kFrames)
            return false;
        ++counts_.read;
        for (unsigned plane = 0; plane < (with_chroma_ ? 3 : 1); ++plane)
            for (unsigned y = 0; y < picture.h[plane]; ++y)
                std::fill_n(static_cast<std::uint8_t *>(picture.data[plane]) + y * picture.stride[plane],
                            picture.w[plane], static_cast<std::uint8_t>((plane > 0 ? 100 : 0) + next_));
        ++next_;
        return true;
    }
    bool skip_frame() override
    {
        ++counts_.skipped;
        return next_++ < kFrames;
    }
    std::optional<std::string> damage() const override { return counts_.damage; }
    void cancel() override {}

  private:
    Counts &counts_;
    tool::InputFile file_{counts_.path};
    bool with_chroma_ = true;
    unsigned next_ = 0;
};

class KeptVideo : public ::testing::Test {
  protected:
    KeptVideo() { write_file(counts_.path, "a file"); }

    /// @param frames number of frames that fit into memory.
    void open(unsigned frames)
    {
        tool::Picture one;
        ASSERT_EQ(vmaf_picture_alloc(&one.raw(), kFormat.pix_fmt, kFormat.depth, kFormat.width_px, kFormat.height_px),
                  0);
        const VmafPicture &raw = one.raw();
        const auto bytes = raw.stride[0] * raw.h[0] + 2 * raw.stride[1] * raw.h[1];
        memory_.emplace(static_cast<std::size_t>(bytes) * frames);
        video_.emplace(std::make_unique<CountingVideo>(counts_), *memory_);
    }
    /// Luma of the frames that are looked at.
    std::vector<int> looked_at(unsigned most = kFrames + 1)
    {
        std::vector<int> luma;
        while (luma.size() < most) {
            const VmafPicture *const frame = video_->look_ahead();
            if (!frame)
                break;
            luma.push_back(*static_cast<const std::uint8_t *>(frame->data[0]));
        }
        return luma;
    }
    /// Last samples of luma and chroma, frame by frame, to the end.
    std::vector<std::pair<int, int>> read()
    {
        std::vector<std::pair<int, int>> samples;
        tool::Picture one;
        static_cast<void>(
            vmaf_picture_alloc(&one.raw(), kFormat.pix_fmt, kFormat.depth, kFormat.width_px, kFormat.height_px));
        const VmafPicture &raw = one.raw();
        const auto last = [&raw](unsigned plane) {
            return static_cast<std::uint8_t *>(raw.data[plane]) + (raw.h[plane] - 1) * raw.stride[plane] +
                   raw.w[plane] - 1;
        };
        for (*last(2) = kUntouched; video_->read_frame(one.raw()); *last(2) = kUntouched)
            samples.emplace_back(*last(0), *last(2));
        return samples;
    }
    static std::vector<std::pair<int, int>> from(int first)
    {
        std::vector<std::pair<int, int>> samples;
        for (int i = first; i < static_cast<int>(kFrames); ++i)
            samples.emplace_back(i, 100 + i);
        return samples;
    }

    TemporaryDirectory directory_;
    Counts counts_{.path = directory_.path() / "video"};
    std::optional<tool::FrameMemory> memory_;
    std::optional<tool::KeptVideo> video_;
};

const std::vector<int> kAllLuma{0, 1, 2, 3, 4, 5};

TEST_F(KeptVideo, DecodesFramesOnce)
{
    open(kFrames + 1);
    EXPECT_EQ(looked_at(), kAllLuma);
    video_->end_looking();
    EXPECT_EQ(read(), from(0));
    EXPECT_EQ(counts_.read, kFrames);
    EXPECT_EQ(counts_.reopened, 0U);
}

TEST_F(KeptVideo, GoesOnWithFramesThatNobodyLookedAt)
{
    open(kFrames + 1);
    EXPECT_TRUE(video_->skip_ahead());
    EXPECT_EQ(looked_at(2), (std::vector<int>{1, 2}));
    video_->end_looking();
    EXPECT_TRUE(video_->frame_times().empty());
    EXPECT_TRUE(video_->skip_frame());
    EXPECT_TRUE(video_->skip_frame());
    EXPECT_EQ(video_->frame_times().size(), 2U);
    EXPECT_EQ(read(), from(2));
    EXPECT_EQ(video_->frame_times().size(), kFrames);
    EXPECT_EQ(counts_.read, kFrames - 1);
    EXPECT_EQ(counts_.reopened, 0U);
}

TEST_F(KeptVideo, IsReadAnewWhereMemoryDoesNotLast)
{
    open(3);
    EXPECT_EQ(looked_at(), kAllLuma);
    EXPECT_TRUE(memory_->take(1)) << "frames that are of no use hold no memory";
    video_->end_looking();
    EXPECT_EQ(read(), from(0));
    EXPECT_EQ(counts_.read, 2 * kFrames);
    EXPECT_EQ(counts_.reopened, 1U);
}

TEST_F(KeptVideo, SaysWhereMemoryEndsWhyItCannotBeReadAnew)
{
    counts_.path = "/dev/zero"; // length unknown, as for a pipe
    counts_.can_be_reopened = false;
    open(3);
    EXPECT_EQ(looked_at(3), (std::vector<int>{0, 1, 2}));
    EXPECT_THROW(video_->look_ahead(), tool::Failure);
}

TEST_F(KeptVideo, LeavesDamageToReading)
{
    counts_.fails_at = 2;
    open(kFrames + 1);
    EXPECT_THROW(looked_at(), tool::ScoringStopped);
    video_->end_looking();
    tool::Picture one;
    ASSERT_EQ(vmaf_picture_alloc(&one.raw(), kFormat.pix_fmt, kFormat.depth, kFormat.width_px, kFormat.height_px), 0);
    EXPECT_TRUE(video_->read_frame(one.raw()));
    EXPECT_TRUE(video_->read_frame(one.raw()));
    EXPECT_THROW(video_->read_frame(one.raw()), tool::ScoringStopped);
    counts_ = {.path = counts_.path, .damage = "frames were repaired"};
    open(kFrames + 1);
    looked_at();
    video_->end_looking();
    EXPECT_EQ(counts_.reopened, 1U) << "a frame that is not compared may be the damaged one";
}

TEST_F(KeptVideo, CopiesNoChromaThatNobodyReads)
{
    open(kFrames + 1);
    looked_at(2);
    video_->end_looking();
    video_->leave_out_chroma();
    for (const auto &[luma, chroma] : read())
        EXPECT_EQ(chroma, kUntouched) << luma;
}

TEST_F(KeptVideo, IsIndexedAndCutAsIfNobodyHadLooked)
{
    open(kFrames + 1);
    looked_at(2);
    video_->end_looking();
    EXPECT_EQ(video_->index_frames(), std::nullopt);
    EXPECT_EQ(counts_.reopened, 1U);
    EXPECT_EQ(read(), from(0));
}

} // namespace
} // namespace vmaf::test
