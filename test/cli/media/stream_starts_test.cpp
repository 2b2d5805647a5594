#include <gtest/gtest.h>

#include "ffmpeg.h"
#include "input/media/decoder.h"
#include "input/media/frame_index.h"
#include "input/media/planar_frame.h"
#include "input/media/segments_decoder.h"

/// Streams that begin in the middle of a video. The frames are those that ffmpeg delivers (spec
/// comparison 2.7), and errors in other frames are no damage.
namespace vmaf::test {
namespace {

using tool::Decoder;
using tool::InputFile;

constexpr unsigned kStreamFrames = 80;
constexpr std::size_t kFrameBytes = 64UL * 64 * 3 / 2;
/// Groups of 20 frames that refer to the group before.
constexpr const char *kOpenGroups = "open-gop=1:keyint=20:min-keyint=20:scenecut=0:bframes=3";

class StreamStarts : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        studio_.make_source("v.y4m", kStreamFrames, "yuv420p", "64x64");
    }

    /// The video without its first packets.
    std::string without(unsigned packets, const std::string &name, const std::string &container) const
    {
        const std::string cut = "without_" + std::to_string(packets) + "_" + name + container;
        studio_.ffmpeg("-i " + name + " -c copy -bsf:v 'noise=amount=0:drop=lt(n\\," + std::to_string(packets) + ")' " +
                       cut);
        return cut;
    }

    struct Decoded {
        std::vector<std::string> frames; ///< planes of the frames
        std::int64_t first_pts = 0;
        std::string damage; ///< empty: no message
    };
    Decoded decode(const std::string &name) const
    {
        Decoder decoder(InputFile(studio_.path(name)), {});
        Decoded decoded;
        while (const tool::AvFrame frame = decoder.next()) {
            decoded.first_pts = decoded.frames.empty() ? frame->pts : decoded.first_pts;
            decoded.frames.push_back(planes(*frame));
        }
        decoded.damage = decoder.damage().value_or("");
        return decoded;
    }
    static std::string planes(const AVFrame &frame)
    {
        std::string bytes(kFrameBytes, '\0');
        EXPECT_EQ(av_image_copy_to_buffer(reinterpret_cast<std::uint8_t *>(bytes.data()), kFrameBytes, frame.data,
                                          frame.linesize, AV_PIX_FMT_YUV420P, 64, 64, 1),
                  static_cast<int>(kFrameBytes));
        return bytes;
    }

    enum class Damage { none, some };
    void expect_frames_of_ffmpeg(const std::string &name, Damage damage) const
    {
        SCOPED_TRACE(name);
        studio_.ffmpeg("-i " + name + " -fps_mode passthrough -f rawvideo " + name + ".yuv 2>/dev/null");
        studio_.shell("ffprobe -v quiet -count_frames -show_entries stream=nb_read_frames -of csv=p=0 " + name +
                      " >count.txt");
        const std::string expected = studio_.read(name + ".yuv");
        const Decoded decoded = decode(name);
        ASSERT_GT(decoded.frames.size(), 20U);
        EXPECT_EQ(decoded.frames.size(), std::stoul(studio_.read("count.txt")));
        ASSERT_EQ(decoded.frames.size() * kFrameBytes, expected.size());
        for (std::size_t i = 0; i < decoded.frames.size(); ++i)
            ASSERT_EQ(decoded.frames[i], expected.substr(i * kFrameBytes, kFrameBytes)) << i;
        EXPECT_EQ(decoded.damage.empty(), damage == Damage::none) << decoded.damage;
        expect_frames_of_segments(name, decoded);
    }

  private:
    /// Expects the same frames from segments. There are no segments if packets do not tell the
    /// frames.
    void expect_frames_of_segments(const std::string &name, const Decoded &whole) const
    {
        constexpr unsigned kDecoders = 2;
        constexpr std::uint64_t kStreamFramesAhead = 16;
        try {
            const auto decoder = std::make_shared<Decoder>(InputFile(studio_.path(name)), tool::DecoderSettings{});
            const tool::AvFrame first = decoder->next();
            const auto segments =
                tool::SegmentsDecoder::open(InputFile(studio_.path(name)), {}, std::nullopt, whole.first_pts, kDecoders,
                                            kStreamFramesAhead, decoder, *first);
            for (std::size_t i = 0; segments && i < whole.frames.size(); ++i)
                ASSERT_EQ(planes(*segments->next()), whole.frames[i]) << i;
            EXPECT_FALSE(segments && segments->next());
        } catch (const tool::SegmentsDoNotFit &) {
        }
    }

  protected:
    Studio studio_;
};

/// The decoder compares a GPU's first frame with this one.
TEST_F(StreamStarts, TheFirstPacketAloneIsTheFirstFrame)
{
    for (const std::string encoder : {"libx264 -bf 3", "libx264 -bf 3 -x264-params interlaced=1", "mpeg4 -bf 2"}) {
        SCOPED_TRACE(encoder);
        studio_.ffmpeg("-y -i v.y4m -c:v " + encoder + " v.mkv");
        Decoder decoder(InputFile(studio_.path("v.mkv")), {}, Decoder::Threads::one);
        EXPECT_FALSE(decoder.first_packet_in_software()) << "no packet was read";
        const tool::AvFrame first = decoder.next(), alone = decoder.first_packet_in_software();
        ASSERT_TRUE(first && alone);
        EXPECT_EQ(alone->pts, first->pts);
        EXPECT_EQ(planes(*alone), planes(*first));
        ASSERT_TRUE(decoder.next());
        EXPECT_FALSE(decoder.first_packet_in_software()) << "the packet is kept no longer";
    }
}

// The video is cut between key frames, or one of the leading pictures is missing. Frames come from
// the next recovery point on.
TEST_F(StreamStarts, OfH264BeginAtTheFirstRecoveryPoint)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -preset veryfast -x264-params " + std::string(kOpenGroups) + " open.mp4");
    for (const std::string frames : {"3", "2"}) { // 2: a frame that is delivered refers to a missing one
        studio_.ffmpeg("-i v.y4m -c:v libx264 -preset veryfast -bf " + frames +
                       " -x264-params open-gop=1:keyint=20:min-keyint=20:scenecut=0 forgets.mp4");
        studio_.ffmpeg("-ss 1 -i forgets.mp4 -c copy sample.mkv");
        expect_frames_of_ffmpeg("sample.mkv", Damage::none);
    }
    for (const unsigned packets : {15U, 18U, 30U})
        expect_frames_of_ffmpeg(without(packets, "open.mp4", ".mkv"), Damage::none);
}

// In the middle of the first key frame and of the last.
TEST_F(StreamStarts, OfH264TellDamageOfWhatIsDelivered)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -preset veryfast -bf 2 "
                   "-x264-params open-gop=1:keyint=20:min-keyint=20:scenecut=0:cabac=0 open.mp4");
    studio_.ffmpeg("-ss 1 -i open.mp4 -c copy sample.mkv");
    const std::string bytes = studio_.read("sample.mkv");
    for (const double where : {0.25, 0.75}) {
        std::string damaged = bytes;
        const auto first = static_cast<std::size_t>(where * static_cast<double>(bytes.size()));
        for (std::size_t i = first; i < first + 60; ++i)
            damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
        studio_.write("damaged.mkv", damaged);
        EXPECT_NE(decode("damaged.mkv").damage, "") << where;
    }
}

// Pictures that lead to the key frame at the stream's start are left out. Between key frames
// decoders begin anyway, and what these frames lack is damage.
TEST_F(StreamStarts, OfHevcLeaveOutLeadingPictures)
{
    if (!has_encoder("libx265"))
        GTEST_SKIP() << "no encoder";
    studio_.ffmpeg("-i v.y4m -c:v libx265 -preset ultrafast -x265-params log-level=error:b-adapt=0:" +
                   std::string(kOpenGroups) + " open.mp4");
    for (const std::string container : {".mkv", ".mp4"}) {
        studio_.ffmpeg("-ss 1 -i open.mp4 -c copy sample" + container);
        expect_frames_of_ffmpeg("sample" + container, Damage::none);
        const std::string from_key_frame = without(17, "open.mp4", container); // frame 20, then 17, 18 and 19
        expect_frames_of_ffmpeg(from_key_frame, Damage::none);
        EXPECT_EQ(decode(from_key_frame).frames.size(), kStreamFrames - 20);
    }
    for (const unsigned packets : {14U, 23U})
        expect_frames_of_ffmpeg(without(packets, "open.mp4", ".mkv"), Damage::some);
}

// Frames before the first key frame cannot be decoded. Forward key frames are intra frames that do
// not end what came before.
TEST_F(StreamStarts, OfAv1BeginAtTheFirstKeyFrame)
{
    if (has_encoder("libaom-av1")) {
        studio_.ffmpeg("-i v.y4m -c:v libaom-av1 -cpu-used 8 -usage realtime -g 20 av1.mp4");
        for (const unsigned packets : {1U, 15U})
            expect_frames_of_ffmpeg(without(packets, "av1.mp4", ".mkv"), Damage::none);
    }
    if (has_encoder("libsvtav1")) {
        studio_.ffmpeg(
            "-i v.y4m -c:v libsvtav1 -preset 12 -g 20 -svtav1-params irefresh-type=1 forward.mp4 2>/dev/null");
        expect_frames_of_ffmpeg("forward.mp4", Damage::none);
        studio_.ffmpeg("-ss 1 -i forward.mp4 -c copy sample.mkv");
        expect_frames_of_ffmpeg("sample.mkv", Damage::none);
        const std::string none = without(20, "forward.mp4", ".mkv");
        EXPECT_EQ(decode(none).frames.size(), 0U) << "nor does ffmpeg decode any";
    }
}

} // namespace
} // namespace vmaf::test
