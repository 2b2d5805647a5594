#include "input/media/segments_decoder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <dlfcn.h>

#include "ffmpeg.h"
#include "input/media/frame_index.h"
#include "input/media/planar_frame.h"

/// Decoding in segments, here by software in place of a GPU, compared with decoding as a whole.
namespace {

/// How often libavcodec chose a pixel format for decoders that were opened while this counts. With
/// a GPU, it makes a hardware decoder each time.
std::atomic<unsigned> g_formats_chosen = 0;
std::atomic<bool> g_counts_formats = false;

AVPixelFormat choose_format(AVCodecContext *context, const AVPixelFormat *offered)
{
    ++g_formats_chosen;
    return avcodec_default_get_format(context, offered);
}

} // namespace

/// Replaces the library's function. Decoders that probe files have no log, and are not counted.
extern "C" int avcodec_open2(AVCodecContext *context, const AVCodec *codec, AVDictionary **options)
{
    static auto *const open = reinterpret_cast<decltype(&avcodec_open2)>(::dlsym(RTLD_NEXT, "avcodec_open2"));
    if (g_counts_formats && context->opaque) {
        context->get_format = choose_format;
        context->thread_count = 1; // otherwise each thread would choose one
    }
    return open(context, codec, options);
}

namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::Decoder;
using tool::InputFile;
using tool::Network;
using tool::SegmentsDecoder;
using tool::SegmentsDoNotFit;
using tool::VideoDecoder;

constexpr unsigned kFrames = 200;
constexpr std::uint64_t kFramesAhead = 16;

class SegmentsOfVideos : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        studio_.make_source("v.y4m", kFrames, "yuv420p", "64x48");
    }
    void encode(const std::string &how, const std::string &name) const
    {
        studio_.ffmpeg("-i v.y4m " + how + " " + name);
    }
    std::unique_ptr<SegmentsDecoder>
    in_segments_from(const std::string &name, const std::optional<tool::KeyFrame> &from, unsigned decoders = 3) const
    {
        const std::shared_ptr<Decoder> whole = as_a_whole(name);
        if (from)
            whole->start_segment({from, std::nullopt});
        const AvFrame first = whole->next();
        return SegmentsDecoder::open(InputFile(studio_.path(name)), {}, from, first_pts(name), decoders, kFramesAhead,
                                     whole, *first);
    }
    std::unique_ptr<SegmentsDecoder> in_segments(const std::string &name, unsigned decoders = 3) const
    {
        return in_segments_from(name, std::nullopt, decoders);
    }
    std::int64_t first_pts(const std::string &name) const
    {
        const AvFrame first = as_a_whole(name)->next();
        return first ? first->pts : 0;
    }
    std::unique_ptr<tool::FrameIndex> index_of(const std::string &name) const
    {
        return tool::FrameIndex::of(InputFile(studio_.path(name)), Network::off, first_pts(name));
    }
    std::unique_ptr<Decoder> as_a_whole(const std::string &name) const
    {
        return std::make_unique<Decoder>(InputFile(studio_.path(name)), tool::DecoderSettings{});
    }
    void expect_same_frames(const std::string &name, unsigned expected_frames = kFrames) const
    {
        SCOPED_TRACE(name);
        const auto segments = in_segments(name);
        ASSERT_TRUE(segments) << "not cut";
        const auto whole = as_a_whole(name);
        unsigned frames = 0;
        for (;; ++frames) {
            const AvFrame expected = whole->next();
            AvFrame frame;
            try {
                frame = segments->next();
            } catch (const SegmentsDoNotFit &reason) {
                FAIL() << "frame " << frames << ": " << reason.why;
            }
            ASSERT_EQ(frame != nullptr, expected != nullptr) << frames;
            if (!frame)
                break;
            ASSERT_TRUE(tool::have_same_samples(*frame, *expected)) << frames;
            ASSERT_EQ(segments->software_format(), whole->software_format());
            ASSERT_EQ(segments->coded_frame(), whole->coded_frame()) << frames;
            ASSERT_GT(segments->coded_frame().bytes, 0U) << frames;
        }
        EXPECT_EQ(frames, expected_frames);
        EXPECT_NEAR(segments->bits_per_packet().value_or(0), whole->bits_per_packet().value_or(-1),
                    whole->bits_per_packet().value_or(0) / 4);
    }

    Studio studio_;
};

TEST_F(SegmentsOfVideos, AreTheWhole)
{
    encode("-c:v libx264 -preset ultrafast -g 12", "closed.mp4");
    encode("-c:v libx264 -preset veryfast -g 12 -bf 7 -x264-params b-adapt=0:b-pyramid=normal", "pyramid.mp4");
    encode("-c:v libx264 -preset veryfast -g 30 -bf 3 -x264-params sliced-threads=1:slices=4", "slices.mkv");
    encode("-c:v mpeg4 -g 10 -bf 2", "mpeg4.mp4");
    encode("-c:v libx264 -preset ultrafast -g 1", "intra.mp4");
    for (const char *name : {"closed.mp4", "pyramid.mp4", "slices.mkv", "mpeg4.mp4", "intra.mp4"})
        expect_same_frames(name);
    if (has_encoder("libx265")) {
        encode("-c:v libx265 -preset ultrafast -g 15 -x265-params log-level=error:open-gop=1:bframes=3", "hevc.mkv");
        expect_same_frames("hevc.mkv");
    }
    if (has_encoder("libvpx-vp9")) {
        encode("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25 -auto-alt-ref 1 -lag-in-frames 8", "vp9.webm");
        expect_same_frames("vp9.webm");
    }
}

// Each H.264 decoder is made once, whatever the number of segments. Frames of one segment come out
// while the next is fed. The decoder of the video's first frame is one of them.
TEST_F(SegmentsOfVideos, OfH264AreFedToTheDecoderThatIsThere)
{
    encode("-c:v libx264 -preset veryfast -g 5 -bf 3 -x264-params b-adapt=0:b-pyramid=strict", "v.mp4");
    for (const unsigned decoders : {2U, 3U}) {
        const auto whole = as_a_whole("v.mp4");
        g_formats_chosen = 0;
        g_counts_formats = true;
        const auto segments = in_segments("v.mp4", decoders);
        ASSERT_TRUE(segments);
        while (const AvFrame expected = whole->next())
            ASSERT_TRUE(tool::have_same_samples(*segments->next(), *expected));
        EXPECT_FALSE(segments->next());
        g_counts_formats = false;
        constexpr unsigned kForFirstTimeStamp = 1;
        EXPECT_GE(g_formats_chosen, 1U);
        EXPECT_LE(g_formats_chosen, kForFirstTimeStamp + decoders);
    }
}

// A last segment of one frame, and one whose frames are all in the decoder when its packets end.
TEST_F(SegmentsOfVideos, MayBeAsShortAsAFrame)
{
    for (const unsigned frames : {150U, 151U, 152U, 155U}) {
        const std::string name = std::to_string(frames) + ".mp4";
        encode("-c:v libx264 -preset veryfast -g 50 -keyint_min 50 -bf 3 -x264-params b-adapt=0:scenecut=0 -frames:v " +
                   std::to_string(frames),
               name);
        expect_same_frames(name, frames);
    }
}

TEST_F(SegmentsOfVideos, MayHaveAVariableRate)
{
    constexpr unsigned kKept = 160; // four frames in five
    encode("-vf 'select=mod(n\\,5)' -fps_mode vfr -c:v libx264 -preset veryfast -g 12 -bf 3", "v.mkv");
    expect_same_frames("v.mkv", kKept);
}

// Parameters that change at a key frame, while frames are pending.
TEST_F(SegmentsOfVideos, MayDifferInTheirParameters)
{
    encode("-t 4 -c:v libx264 -preset veryfast -g 10 -bf 3", "one.ts");
    encode("-ss 4 -output_ts_offset 4.08 -c:v libx264 -preset veryfast -g 10 -bf 1 -x264-params ref=1:cabac=0",
           "other.ts");
    studio_.ffmpeg("-copyts -i 'concat:one.ts|other.ts' -c copy both.mkv");
    expect_same_frames("both.mkv");
}

// Pictures of open groups refer to pictures before their key frame. Such a video is cut at IDR
// pictures only.
TEST_F(SegmentsOfVideos, OfH264BeginAtIdrPictures)
{
    const std::string open_groups = "-c:v libx264 -preset veryfast -bf 3 "
                                    "-x264-params open-gop=1:keyint=20:min-keyint=20:scenecut=0";
    encode(open_groups, "open.mkv");
    EXPECT_FALSE(in_segments("open.mkv"));
    encode(open_groups + " -forced-idr 1 -force_key_frames 2.8,5.6", "some.mkv"); // frames 70 and 140 at 25 frames/s
    expect_same_frames("some.mkv");
}

TEST_F(SegmentsOfVideos, MayBeginAtAKeyFrame)
{
    encode("-c:v libx264 -preset ultrafast -g 12 -bf 2", "v.mp4");
    const auto index = index_of("v.mp4");
    ASSERT_TRUE(index);
    constexpr std::uint64_t kFirst = 71;
    const tool::SegmentStart segment = index->segment_start(kFirst, kFrames);
    ASSERT_TRUE(segment.from);
    EXPECT_EQ(segment.start, 60U);
    EXPECT_EQ(segment.start + segment.dropped, kFirst);
    const auto segments = in_segments_from("v.mp4", segment.from);
    ASSERT_TRUE(segments);
    const auto whole = as_a_whole("v.mp4");
    for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
        const AvFrame expected = whole->next();
        if (frame < segment.start)
            continue;
        ASSERT_TRUE(tool::have_same_samples(*segments->next(), *expected)) << frame;
    }
    EXPECT_FALSE(segments->next());
}

// Wherever a segment begins, decoding begins at a key frame that is not later, also if the
// container seeks past it.
TEST_F(SegmentsOfVideos, BeginAtAKeyFrameThatIsNotAfterTheirFirstFrame)
{
    encode("-c:v libx264 -preset ultrafast -g 12 -bf 2 -x264-params b-adapt=0", "b.mp4");
    encode("-c:v libx264 -preset ultrafast -g 7 -bf 3 -x264-params b-adapt=0", "b.mkv");
    encode("-c:v libx264 -preset ultrafast -g 9", "v.mkv");
    encode("-c:v mpeg4 -g 10 -bf 2", "mpeg4.mp4");
    encode("-c:v libx264 -preset ultrafast -g 12 -bf 2 -x264-params b-adapt=0", "b.ts");
    for (const char *name : {"b.mp4", "b.mkv", "v.mkv", "mpeg4.mp4", "b.ts"}) {
        SCOPED_TRACE(name);
        const auto index = index_of(name);
        ASSERT_TRUE(index);
        ASSERT_EQ(index->frames(), kFrames);
        for (std::uint64_t first = 0; first < kFrames; ++first) {
            const tool::SegmentStart segment = index->segment_start(first, kFrames);
            ASSERT_LE(segment.start, first);
            ASSERT_EQ(segment.start + segment.dropped, first);
            if (!segment.from)
                continue;
            Decoder decoder(InputFile(studio_.path(name)), {});
            decoder.start_segment({segment.from, std::nullopt}, segment.start);
            const AvFrame begun = decoder.next();
            ASSERT_TRUE(begun) << first;
            ASSERT_EQ(begun->pts, segment.from->pts) << first;
        }
    }
}

// An edit list that begins between key frames. Frames before it are decoded and not shown.
TEST_F(SegmentsOfVideos, LeaveOutFramesThatAreNotShown)
{
    encode("-c:v libx264 -preset ultrafast -g 12", "v.mp4");
    studio_.ffmpeg("-ss 1.6 -i v.mp4 -c copy edited.mp4"); // frame 40 at 25 frames/s; its key frame is 36
    const auto whole = as_a_whole("edited.mp4");
    unsigned shown = 0;
    while (whole->next())
        ++shown;
    studio_.ffmpeg("-i edited.mp4 -f rawvideo shown.yuv");
    EXPECT_EQ(shown, studio_.read("shown.yuv").size() / (64 * 48 * 3 / 2)) << "as ffmpeg shows";
    EXPECT_EQ(shown, kFrames - 40);
    expect_same_frames("edited.mp4", shown);
    EXPECT_FALSE(index_of("edited.mp4")) << "its packets do not tell its frames";
    EXPECT_TRUE(index_of("v.mp4"));
}

// A sample that was cut from open groups of pictures. Its pictures of the group before are not
// shown.
TEST_F(SegmentsOfVideos, BeginWithTheFirstPictureThatCanBeShown)
{
    encode("-c:v libx264 -preset veryfast -g 20 -bf 3 -x264-params "
           "open-gop=1:keyint=20:min-keyint=20:scenecut=0:b-adapt=0 -forced-idr 1 -force_key_frames 4",
           "open.mp4"); // frame 100 at 25 frames/s
    studio_.ffmpeg("-ss 1.3 -i open.mp4 -c copy -copyts -bsf:v h264_mp4toannexb,dump_extra=freq=all cut.ts");
    studio_.ffmpeg("-copyts -i cut.ts -c copy -copyts cut.mkv");
    studio_.ffmpeg("-i cut.mkv -fps_mode passthrough -f rawvideo shown.yuv");
    const std::uint64_t shown = studio_.read("shown.yuv").size() / (64 * 48 * 3 / 2);
    const auto whole = as_a_whole("cut.mkv");
    std::uint64_t decoded = 0;
    while (whole->next())
        ++decoded;
    EXPECT_EQ(decoded, shown) << "as ffmpeg shows";
    const auto all_packets = tool::FrameIndex::of(InputFile(studio_.path("cut.mkv")), Network::off, 0);
    const auto index = index_of("cut.mkv");
    ASSERT_TRUE(all_packets && index);
    EXPECT_GT(all_packets->frames(), shown) << "nothing is left out: this tests nothing";
    EXPECT_EQ(index->frames(), shown);
    expect_same_frames("cut.mkv", static_cast<unsigned>(shown));
}

// One key frame, no time stamps, room for one segment, one decoder.
TEST_F(SegmentsOfVideos, AreNotMadeOfWhatCannotBeCut)
{
    encode("-c:v libx264 -preset ultrafast -g 1000", "one.mp4");
    EXPECT_FALSE(in_segments("one.mp4"));
    encode("-c:v libx264 -preset ultrafast -g 10 -f h264", "stream.h264");
    EXPECT_FALSE(in_segments("stream.h264"));
    encode("-c:v libx264 -preset ultrafast -g 10", "cut.mp4");
    EXPECT_TRUE(in_segments("cut.mp4"));
    EXPECT_FALSE(in_segments("cut.mp4", 1));
}

TEST_F(SegmentsOfVideos, AreGivenUpWhereTheStreamIsDamaged)
{
    encode("-c:v libx264 -preset ultrafast -g 10", "v.mp4");
    std::string bytes = studio_.read("v.mp4");
    const std::size_t middle = bytes.find("mdat") + (bytes.find("moov") - bytes.find("mdat")) / 2;
    for (std::size_t i = 0; i < 400; ++i)
        bytes[middle + i] = static_cast<char>(bytes[middle + i] ^ 0x55);
    studio_.write("damaged.mp4", bytes);
    const auto segments = in_segments("damaged.mp4");
    ASSERT_TRUE(segments);
    EXPECT_THROW(while (segments->next()){}, SegmentsDoNotFit);
}

// In VP8, pictures that are not shown have packets of their own.
TEST_F(SegmentsOfVideos, AreGivenUpWherePacketsAreNotAFrameEach)
{
    if (!has_encoder("libvpx"))
        GTEST_SKIP() << "no encoder";
    for (const std::string pass : {"1 -f null", "2"})
        encode("-c:v libvpx -cpu-used 2 -g 25 -auto-alt-ref 1 -lag-in-frames 24 -b:v 200k -pass " + pass, "vp8.webm");
    const auto segments = in_segments("vp8.webm");
    ASSERT_TRUE(segments);
    EXPECT_THROW(while (segments->next()){}, SegmentsDoNotFit);
}

// A decoder more has to save more time than the driver takes to make it.
TEST(DecodersThatPay, AreMoreForLongerVideosAndFewerForEachOfSeveral)
{
    const auto decoders = [](std::optional<std::uint64_t> frames, unsigned videos, unsigned height_px = 1080) {
        return tool::decoders_that_pay(frames, {height_px * 16 / 9, height_px}, videos);
    };
    EXPECT_EQ(decoders(10, 2), 2U);
    EXPECT_EQ(decoders(1100, 2), 2U);
    EXPECT_EQ(decoders(1300, 2), 3U);
    EXPECT_EQ(decoders(2500, 2), 4U);
    EXPECT_EQ(decoders(2500, 2, 540), 2U);
    EXPECT_EQ(decoders(700, 2, 2160), 4U);
    EXPECT_EQ(decoders(1'000'000, 2), 4U);
    EXPECT_EQ(decoders(std::nullopt, 2), 4U);
    EXPECT_EQ(decoders(700, 5), 1U);
    EXPECT_EQ(decoders(6000, 5), 2U);
    EXPECT_EQ(decoders(1'000'000, 9), 1U);
    EXPECT_EQ(decoders(std::nullopt, 40), 1U);
}

// A GPU's decoder starts later than software's.
TEST(SoftwareIsDoneFirst, WithShortVideosAndManyCores)
{
    const auto is_first = [](std::optional<std::uint64_t> frames, unsigned cores, unsigned height_px = 1080) {
        return tool::software_is_done_first(frames, {height_px * 16 / 9, height_px}, cores);
    };
    EXPECT_TRUE(is_first(300, 16));
    EXPECT_FALSE(is_first(340, 16));
    EXPECT_FALSE(is_first(340, 128)); // a decoder has 16 threads at most
    EXPECT_TRUE(is_first(30, 2));
    EXPECT_FALSE(is_first(50, 2));
    EXPECT_TRUE(is_first(300, 4, 540));
    EXPECT_FALSE(is_first(30, 4, 2160));
    EXPECT_FALSE(is_first(std::nullopt, 16));
}

// Destroyed while decoders wait for room, and while somebody waits for a frame.
TEST_F(SegmentsOfVideos, EndAtAnyTime)
{
    encode("-c:v libx264 -preset ultrafast -g 10", "v.mp4");
    for (unsigned frames = 0; frames < kFrames; frames += 30) {
        const auto segments = in_segments("v.mp4");
        for (unsigned i = 0; i < frames; ++i)
            ASSERT_TRUE(segments->next());
    }
    const auto segments = in_segments("v.mp4");
    const std::jthread other([&] { segments->cancel(); });
    EXPECT_THROW(
        while (segments->next()) {} segments->cancel(); segments->next(), tool::ReadCancelled);
}

} // namespace
} // namespace vmaf::test
