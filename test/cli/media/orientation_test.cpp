#include "input/media/orientation.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <tuple>

#include "ffmpeg.h"
#include "frames/library.h"
#include "input/media/converting_reader.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"
#include "input/open_video.h"

/// Rotation and mirroring (spec comparison 2.3). The place of each sample is computed from the
/// matrix, point by point, and compared with ffmpeg's filters.
namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::FrameTurner;
using tool::Orientation;
using tool::Rounding;
using tool::VideoReader;

struct Case {
    Orientation orientation;
    int a, b, c, d;
    const char *filters; ///< ffmpeg's filters with the same effect
    int exif;
    const char *edges; ///< where EXIF says that row 0 and column 0 are seen
};
constexpr Case kCases[] = {
    {{false, 0}, 1, 0, 0, 1, "null", 1, "top left"},
    {{true, 0}, -1, 0, 0, 1, "hflip", 2, "top right"},
    {{false, 2}, -1, 0, 0, -1, "hflip,vflip", 3, "bottom right"},
    {{true, 2}, 1, 0, 0, -1, "vflip", 4, "bottom left"},
    {{true, 3}, 0, 1, 1, 0, "transpose=cclock_flip", 5, "left top"},
    {{false, 1}, 0, 1, -1, 0, "transpose=clock", 6, "right top"},
    {{true, 1}, 0, -1, -1, 0, "transpose=clock_flip", 7, "right bottom"},
    {{false, 3}, 0, -1, 1, 0, "transpose=cclock", 8, "left bottom"},
};

std::array<std::int32_t, 9> matrix_of(int a, int b, int c, int d, std::int32_t one = 1 << 16)
{
    return {a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30};
}

TEST(Orientations, AreThoseOfTheMatrix)
{
    for (const Case &turn : kCases)
        for (const std::int32_t one : {1 << 16, 1 << 14, 3 << 16})
            EXPECT_EQ(tool::orientation_of(matrix_of(turn.a, turn.b, turn.c, turn.d, one).data()), turn.orientation)
                << turn.filters;
    // libavutil's matrices of a quarter turn, and of no turn.
    std::array<std::int32_t, 9> rounded = matrix_of(0, 1, -1, 0);
    rounded[0] = 4;
    rounded[4] = -3;
    EXPECT_EQ(tool::orientation_of(rounded.data()), (Orientation{false, 1}));
    EXPECT_EQ(tool::orientation_of(std::array<std::int32_t, 9>{}.data()), Orientation());
}

TEST(Orientations, OfOtherAnglesAreErrorsThatNameThem)
{
    for (const auto &[matrix, angle] :
         {std::pair(matrix_of(1, 1, -1, 1), "45"),
          {matrix_of(-1, 1, -1, -1), "135"},
          {std::array<std::int32_t, 9>{56756, -32768, 0, 32768, 56756, 0, 0, 0, 1 << 30}, "330"}}) {
        try {
            tool::orientation_of(matrix.data());
            ADD_FAILURE() << angle;
        } catch (const tool::Failure &failure) {
            EXPECT_NE(std::string(failure.what()).find(std::string(angle) + " degrees"), std::string::npos)
                << failure.what();
            EXPECT_NE(std::string(failure.what()).find("--no_autorotate"), std::string::npos);
        }
    }
}

std::uint16_t frame_sample(const AVFrame &frame, int plane, int x, int y)
{
    const bool two_bytes = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))->comp[0].depth > 8;
    const std::uint8_t *row = frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane];
    std::uint16_t sample = row[x];
    if (two_bytes)
        std::memcpy(&sample, row + std::ptrdiff_t{2} * x, sizeof sample);
    return sample;
}

AvFrame noise(AVPixelFormat format, int width, int height)
{
    AvFrame frame = tool::new_picture(format, width, height);
    const unsigned depth = static_cast<unsigned>(av_pix_fmt_desc_get(format)->comp[0].depth);
    std::uint32_t state = 7;
    for (int plane = 0; plane < 3 && frame->data[plane]; ++plane)
        for (int y = 0; y < tool::plane_height(format, height, plane); ++y)
            for (int x = 0; x < tool::plane_width(format, width, plane); ++x) {
                state = state * 1664525 + 1013904223;
                const auto sample = static_cast<std::uint16_t>(state >> (32 - depth));
                std::uint8_t *row = frame->data[plane] + std::ptrdiff_t{y} * frame->linesize[plane];
                if (depth > 8)
                    std::memcpy(row + std::ptrdiff_t{2} * x, &sample, sizeof sample);
                else
                    row[x] = static_cast<std::uint8_t>(sample);
            }
    return frame;
}

/// Sample by sample: (x, y) is seen at (a x + c y, b x + d y), moved so that the picture begins at
/// 0.
void expect_moved(const Case &turn, const AVFrame &from, const AVFrame &to, int plane)
{
    const auto format = static_cast<AVPixelFormat>(from.format);
    const int width = tool::plane_width(format, from.width, plane);
    const int height = tool::plane_height(format, from.height, plane);
    const auto seen_x = [&](int x, int y) { return turn.a * x + turn.c * y; };
    const auto seen_y = [&](int x, int y) { return turn.b * x + turn.d * y; };
    const int left = std::min({0, seen_x(width - 1, 0), seen_x(0, height - 1), seen_x(width - 1, height - 1)});
    const int top = std::min({0, seen_y(width - 1, 0), seen_y(0, height - 1), seen_y(width - 1, height - 1)});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            ASSERT_EQ(frame_sample(to, plane, seen_x(x, y) - left, seen_y(x, y) - top), frame_sample(from, plane, x, y))
                << "plane " << plane << " " << x << ", " << y;
}

TEST(Orientations, MoveEverySampleOfEveryLayoutAndDepth)
{
    for (const VmafPixelFormat layout :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const unsigned depth : {8U, 10U, 12U, 16U})
            for (const auto &[width, height] : {std::pair(70, 48), {37, 65}, {1, 33}})
                for (const Case &turn : kCases) {
                    const AVPixelFormat format = tool::planar_format(layout, depth);
                    SCOPED_TRACE(tool::pixel_format_name(format) + " " + turn.filters + " " + std::to_string(width));
                    const AvFrame stored = noise(format, width, height);
                    stored->color_range = AVCOL_RANGE_JPEG;
                    const AvFrame shown =
                        FrameTurner(turn.orientation, Rounding::fast).turn(AvFrame(av_frame_clone(stored.get())));
                    const bool sideways = turn.a == 0;
                    ASSERT_EQ(shown->width, sideways ? height : width);
                    ASSERT_EQ(shown->height, sideways ? width : height);
                    EXPECT_EQ(shown->color_range, AVCOL_RANGE_JPEG);
                    const bool is_scaled = sideways && layout == VMAF_PIX_FMT_YUV422P;
                    ASSERT_EQ(shown->format, tool::planar_format(is_scaled ? VMAF_PIX_FMT_YUV444P : layout, depth));
                    for (int plane = 0; plane < 3 && stored->data[plane] && !(is_scaled && plane > 0); ++plane)
                        expect_moved(turn, *stored, *shown, plane);
                }
}

/// 4:2:2 on its side has half of the chroma rows. swscale makes all of them, as for 4:4:0.
TEST(Orientations, ScaleChromaThatHasNoLayoutOfOurs)
{
    for (const unsigned depth : {8U, 10U})
        for (const Case &turn : kCases) {
            if (turn.a != 0)
                continue;
            SCOPED_TRACE(turn.filters);
            const AvFrame stored = noise(tool::planar_format(VMAF_PIX_FMT_YUV422P, depth), 64, 48);
            const AvFrame shown =
                FrameTurner(turn.orientation, Rounding::fast).turn(AvFrame(av_frame_clone(stored.get())));
            const AVPixelFormat gray = tool::planar_format(VMAF_PIX_FMT_YUV400P, depth);
            for (int plane = 1; plane < 3; ++plane) {
                const AvFrame chroma = tool::new_picture(gray, 32, 48), turned = tool::new_picture(gray, 48, 64);
                av_image_copy_plane(chroma->data[0], chroma->linesize[0], stored->data[plane], stored->linesize[plane],
                                    depth > 8 ? 64 : 32, 48);
                const AvFrame sideways =
                    FrameTurner(turn.orientation, Rounding::fast).turn(AvFrame(av_frame_clone(chroma.get())));
                SwsContext *context =
                    sws_getContext(48, 32, gray, 48, 64, gray, SWS_BICUBIC, nullptr, nullptr, nullptr);
                sws_scale(context, sideways->data, sideways->linesize, 0, 32, turned->data, turned->linesize);
                sws_freeContext(context);
                for (int y = 0; y < 64; ++y)
                    for (int x = 0; x < 48; ++x)
                        ASSERT_EQ(frame_sample(*shown, plane, x, y), frame_sample(*turned, 0, x, y)) << plane;
            }
        }
}

class OrientationOfFiles : public ::testing::Test {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    std::unique_ptr<VideoReader> open(const std::string &name, bool autorotate = true)
    {
        tool::InputOptions options;
        options.autorotate = autorotate;
        return tool::open_video(tool::InputFile(studio_.path(name)), tool::SideOptions{}, options, warnings_);
    }

    static tool::Picture frame_of(VideoReader &video)
    {
        tool::Picture picture;
        const auto &format = video.format();
        EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px),
                  0);
        EXPECT_TRUE(video.read_frame(picture.raw()));
        return picture;
    }

    /// Every frame equals what ffmpeg's filters make of the stored one.
    void expect_turned(const std::string &name, const Case &turn)
    {
        SCOPED_TRACE(name + " " + turn.filters);
        const auto shown = open(name);
        EXPECT_EQ(shown->tags().orientation, turn.orientation);
        studio_.ffmpeg("-noautorotate -i " + name + " -vf " + turn.filters + " -c:v ffv1 upright.mkv");
        const auto upright = open("upright.mkv", false);
        ASSERT_EQ(shown->format(), upright->format());
        for (unsigned frame = 0; frame < 3; ++frame)
            expect_same(frame_of(*shown).raw(), frame_of(*upright).raw());
        const auto stored = open(name, false);
        EXPECT_EQ(stored->tags().orientation, Orientation());
        EXPECT_EQ(stored->format().width_px, 64U);
    }

    static void expect_same(const VmafPicture &a, const VmafPicture &b)
    {
        for (int plane = 0; plane < 3; ++plane)
            for (unsigned y = 0; y < a.h[plane]; ++y)
                ASSERT_EQ(std::memcmp(static_cast<const char *>(a.data[plane]) + a.stride[plane] * y,
                                      static_cast<const char *>(b.data[plane]) + b.stride[plane] * y, a.w[plane]),
                          0)
                    << plane << " " << y;
    }

    /// Writes the turn into the file's track header, as phones do.
    void write_matrix(const std::string &name, const Case &turn) const
    {
        std::string bytes = studio_.read(name);
        const std::size_t track = bytes.find("tkhd");
        ASSERT_NE(track, std::string::npos);
        const std::size_t at = track + 8 + (bytes[track + 4] != 0 ? 32 : 20) + 16;
        const auto matrix = matrix_of(turn.a, turn.b, turn.c, turn.d);
        for (std::size_t i = 0; i < matrix.size(); ++i)
            for (unsigned byte = 0; byte < 4; ++byte)
                bytes[at + 4 * i + byte] = static_cast<char>(static_cast<std::uint32_t>(matrix[i]) >> (24 - 8 * byte));
        studio_.write(name, bytes);
    }

    Studio studio_;
    tool::Warnings warnings_{false};
};

TEST_F(OrientationOfFiles, IsThatOfAContainersMatrix)
{
    for (const std::string name : {"v.mp4", "v.mov"}) {
        studio_.make_source(name, 3, "yuv420p -c:v libx264 -qp 20", "64x48");
        for (const Case &turn : kCases) {
            write_matrix(name, turn);
            expect_turned(name, turn);
        }
    }
    Case odd = kCases[0];
    odd.b = 1;
    odd.c = -1;
    write_matrix("v.mp4", odd);
    EXPECT_THROW(open("v.mp4"), tool::Failure);
    EXPECT_EQ(open("v.mp4", false)->format().width_px, 64U);
}

// A turn in an SEI message is anticlockwise, and flips come after it.
TEST_F(OrientationOfFiles, IsThatOfH264DisplayOrientation)
{
    studio_.make_source("s.mp4", 3, "yuv420p -c:v libx264 -qp 20 -g 2", "64x48");
    struct Sei {
        const char *filter;
        const Case &turn;
    };
    for (const Sei &sei : {Sei{"rotate=90", kCases[7]},
                           {"rotate=180", kCases[2]},
                           {"rotate=270", kCases[5]},
                           {"flip=horizontal", kCases[1]},
                           {"flip=vertical", kCases[3]}})
        for (const std::string name : {"v.mkv", "v.mov", "v.mp4"}) {
            studio_.ffmpeg(std::string("-i s.mp4 -c copy -bsf:v h264_metadata=display_orientation=insert:") +
                           sei.filter + " " + name);
            expect_turned(name, sei.turn);
        }
    // The container decides if both say something.
    studio_.ffmpeg("-i s.mp4 -c copy -bsf:v h264_metadata=display_orientation=insert:rotate=90 v.mp4");
    write_matrix("v.mp4", kCases[2]);
    expect_turned("v.mp4", kCases[2]);
}

TEST_F(OrientationOfFiles, IsThatOfHevcDisplayOrientation)
{
    if (!has_encoder("libx265"))
        GTEST_SKIP() << "no encoder for HEVC";
    studio_.make_source("s.hevc", 3, "yuv420p -c:v libx265 -preset ultrafast -x265-params log-level=error", "64x48");
    std::string bytes = studio_.read("s.hevc");
    std::size_t picture = bytes.npos;
    for (std::size_t at = bytes.find(std::string("\0\0\1", 3)); at != bytes.npos && picture == bytes.npos;
         at = bytes.find(std::string("\0\0\1", 3), at + 3))
        if (const int type = bytes[at + 3] >> 1 & 0x3f; type == 19 || type == 20 || type == 21)
            picture = at;
    ASSERT_NE(picture, bytes.npos);
    // Payload 47: no cancellation, no flips, 0x4000 of 0x10000 turns anticlockwise, persistent.
    const std::string message("\0\0\0\1\x4e\1\x2f\3\x08\0\x18\x80", 12);
    studio_.write("v.hevc", bytes.insert(picture, message));
    expect_turned("v.hevc", kCases[7]);
}

/// A big-endian TIFF directory with one entry.
std::string exif(int orientation)
{
    const std::string tiff("MM\0\x2a\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0", 19);
    const std::string body =
        std::string("Exif\0\0", 6) + tiff + static_cast<char>(orientation) + std::string("\0\0\0\0\0\0", 6);
    const std::size_t length = body.size() + 2;
    return std::string("\xff\xe1") + static_cast<char>(length >> 8) + static_cast<char>(length & 0xff) + body;
}

TEST_F(OrientationOfFiles, IsThatOfExif)
{
    studio_.make_source("plain.jpg", 1, "yuvj420p -q:v 2", "64x48");
    const std::string bytes = studio_.read("plain.jpg");
    for (const Case &turn : kCases) {
        SCOPED_TRACE(turn.edges);
        studio_.write("v.jpg", bytes.substr(0, 2) + exif(turn.exif) + bytes.substr(2));
        const auto shown = open("v.jpg");
        const auto plain = open("plain.jpg");
        EXPECT_EQ(shown->tags().orientation, turn.orientation);
        EXPECT_TRUE(shown->tags().is_still);
        EXPECT_FALSE(shown->frame_rate());
        const tool::Picture seen = frame_of(*shown), stored = frame_of(*plain);
        const std::string edges = turn.edges;
        const std::string row_edge = edges.substr(0, edges.find(' ')), column_edge = edges.substr(edges.find(' ') + 1);
        const bool sideways = row_edge == "left" || row_edge == "right";
        const unsigned width = seen.raw().w[0], height = seen.raw().h[0];
        ASSERT_EQ(width, sideways ? 48U : 64U);
        const auto place = [](const std::string &edge, unsigned number, unsigned size) {
            return edge == "top" || edge == "left" ? number : size - 1 - number;
        };
        for (unsigned row = 0; row < 48; ++row)
            for (unsigned column = 0; column < 64; ++column) {
                const unsigned x = sideways ? place(row_edge, row, width) : place(column_edge, column, width);
                const unsigned y = sideways ? place(column_edge, column, height) : place(row_edge, row, height);
                ASSERT_EQ(
                    static_cast<const std::uint8_t *>(seen.raw().data[0])[seen.raw().stride[0] * y + x],
                    static_cast<const std::uint8_t *>(stored.raw().data[0])[stored.raw().stride[0] * row + column])
                    << row << " " << column;
            }
    }
}

} // namespace
} // namespace vmaf::test
