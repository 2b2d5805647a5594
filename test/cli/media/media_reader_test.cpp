#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "ffmpeg.h"
#include "frames/library.h"
#include "input/media.h"
#include "input/media/converting_reader.h"
#include "input/media/planar_source.h"
#include "input/open_video.h"
#include "libvmaf/libvmaf_ext.h"

/// Compares pictures from media files with ffmpeg's, byte for byte.
namespace vmaf::test {
namespace {

using tool::ConvertingReader;
using tool::InputOptions;
using tool::Picture;
using tool::VideoReader;

class MediaReader : public ::testing::Test {
  protected:
    std::unique_ptr<VideoReader> open(const std::string &name, const InputOptions &options = {})
    {
        return tool::open_video(tool::InputFile(studio_.path(name)), tool::SideOptions{}, options, warnings_);
    }
    /// A media file, or a file of planes that is to be converted.
    std::unique_ptr<ConvertingReader> open_converting(const std::string &name, tool::Rounding rounding)
    {
        InputOptions options;
        options.accurate_scale = rounding == tool::Rounding::accurate;
        options.scaler =
            rounding == tool::Rounding::integer ? tool::ScalerChoice::integer : tool::ScalerChoice::swscale;
        auto reader = open(name, options);
        if (auto *converting = dynamic_cast<ConvertingReader *>(reader.get())) {
            static_cast<void>(reader.release());
            return std::unique_ptr<ConvertingReader>(converting);
        }
        return std::make_unique<ConvertingReader>(std::make_unique<tool::FileSource>(std::move(reader)), rounding);
    }

    /// The first frame of v.nut, read without chroma.
    void expect_luma_alone(const std::string &format, const tool::Delivery &to, const std::string &raw)
    {
        const auto reader = open_converting("v.nut", tool::Rounding::fast);
        reader->deliver(to);
        reader->leave_out_chroma();
        Picture picture;
        ASSERT_EQ(vmaf_picture_alloc(&picture.raw(), to.form.format.pix_fmt, to.form.format.depth,
                                     to.form.format.width_px, to.form.format.height_px),
                  0);
        ASSERT_TRUE(reader->read_frame(picture.raw()));
        const std::size_t row_bytes = to.form.format.width_px * (to.form.format.depth > 8 ? 2UL : 1UL);
        for (unsigned y = 0; y < to.form.format.height_px; ++y)
            ASSERT_EQ(std::memcmp(static_cast<const char *>(picture.raw().data[0]) + picture.raw().stride[0] * y,
                                  raw.data() + y * row_bytes, row_bytes),
                      0)
                << format << " " << y;
    }

    Studio studio_;
    tool::Warnings warnings_{false};
};

Picture picture_for(const VideoReader &reader)
{
    Picture picture;
    const auto &format = reader.format();
    EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px), 0);
    return picture;
}

/// Raw frames have chroma rounded up. Compares the picture's part of it. Returns the number of
/// bytes of the frame.
std::size_t expect_planes(const VmafPicture &picture, const std::uint8_t *raw)
{
    const std::uint8_t *plane_start = raw;
    const std::size_t bytes = picture.bpc > 8 ? 2 : 1;
    for (int plane = 0; plane < (picture.pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3); ++plane) {
        const bool half_width = plane > 0 && picture.pix_fmt != VMAF_PIX_FMT_YUV444P;
        const bool half_height = plane > 0 && picture.pix_fmt == VMAF_PIX_FMT_YUV420P;
        const std::size_t width = half_width ? (picture.w[0] + 1) / 2 : picture.w[0];
        const std::size_t height = half_height ? (picture.h[0] + 1) / 2 : picture.h[0];
        for (unsigned y = 0; y < picture.h[plane]; ++y)
            if (std::memcmp(static_cast<const std::uint8_t *>(picture.data[plane]) + picture.stride[plane] * y,
                            plane_start + y * width * bytes, picture.w[plane] * bytes) != 0) {
                ADD_FAILURE() << "plane " << plane << " differs in row " << y;
                return 0;
            }
        plane_start += width * height * bytes;
    }
    return static_cast<std::size_t>(plane_start - raw);
}

/// Expects all frames of the reader to equal those of the raw file.
void expect_raw(VideoReader &reader, const std::string &raw)
{
    Picture picture = picture_for(reader);
    std::size_t done = 0;
    while (reader.read_frame(picture.raw())) {
        ASSERT_LT(done, raw.size()) << "more frames than ffmpeg has";
        const std::size_t bytes =
            expect_planes(picture.raw(), reinterpret_cast<const std::uint8_t *>(raw.data()) + done);
        ASSERT_GT(bytes, 0U);
        done += bytes;
    }
    EXPECT_EQ(done, raw.size());
}

struct Shape {
    const char *format; ///< ffmpeg's name
    const char *size;
};

TEST_F(MediaReader, FramesAreThoseThatFfmpegDecodes)
{
    VMAF_NEED_FFMPEG();
    for (const char *format : {"yuv420p", "yuv422p10le", "yuv444p12le", "gray", "gray16le", "yuv420p16le"})
        for (const char *size : {"160x96", "97x61"}) {
            SCOPED_TRACE(std::string(format) + " " + size);
            studio_.make_source("v.mkv", 3, std::string(format) + " -c:v ffv1", size);
            studio_.ffmpeg("-i v.mkv -f rawvideo v.yuv");
            expect_raw(*open("v.mkv"), studio_.read("v.yuv"));
        }
}

TEST_F(MediaReader, ScalesAsFfmpegDoes)
{
    VMAF_NEED_FFMPEG();
    for (const char *format : {"yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gray",
                               "yuv420p12le", "yuv444p16le"})
        for (const auto &[from, width, height] :
             {std::tuple("96x64", 160U, 96U), std::tuple("160x96", 96U, 64U), std::tuple("97x61", 131U, 47U)}) {
            SCOPED_TRACE(std::string(format) + " " + from);
            studio_.make_source("v.nut", 2, format, from);
            studio_.ffmpeg("-i v.nut -vf scale=" + std::to_string(width) + ":" + std::to_string(height) +
                           ":flags=bicubic -f rawvideo -pix_fmt " + format + " v.yuv");
            const auto reader = open_converting("v.nut", tool::Rounding::fast);
            tool::Delivery to{reader->own_form()};
            to.form.format.width_px = width;
            to.form.format.height_px = height;
            reader->deliver(to);
            expect_raw(*reader, studio_.read("v.yuv"));
            expect_luma_alone(format, to, studio_.read("v.yuv"));
        }
}

TEST_F(MediaReader, ScalesPlanesOfFilesAsWell)
{
    VMAF_NEED_FFMPEG();
    for (const char *format : {"yuv420p", "yuv422p", "yuv444p"}) {
        SCOPED_TRACE(format);
        studio_.make_source("v.y4m", 2, format, "97x61");
        studio_.ffmpeg(std::string("-i v.y4m -vf scale=64:48:flags=bicubic -f rawvideo -pix_fmt ") + format + " v.yuv");
        const auto reader = open_converting("v.y4m", tool::Rounding::fast);
        tool::Delivery to{reader->own_form()};
        to.form.format.width_px = 64;
        to.form.format.height_px = 48;
        reader->deliver(to);
        expect_raw(*reader, studio_.read("v.yuv"));
    }
}

TEST_F(MediaReader, AccurateScalingIsFfmpegsToo)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.nut", 2, "yuv420p", "97x61");
    studio_.ffmpeg("-i v.nut -vf scale=160:96:flags=bicubic+accurate_rnd+bitexact -f rawvideo -pix_fmt yuv420p v.yuv");
    const auto reader = open_converting("v.nut", tool::Rounding::accurate);
    tool::Delivery to{reader->own_form()};
    to.form.format.width_px = 160;
    to.form.format.height_px = 96;
    reader->deliver(to);
    expect_raw(*reader, studio_.read("v.yuv"));
}

/// The reader's next frame, scaled by the library.
Picture scaled_by_library(VideoReader &reader, unsigned width, unsigned height)
{
    Picture own = picture_for(reader), scaled;
    EXPECT_TRUE(reader.read_frame(own.raw()));
    VmafForeignPicture foreign{};
    foreign.struct_size = sizeof foreign;
    foreign.pix_fmt = own.raw().pix_fmt;
    foreign.bpc = own.raw().bpc;
    foreign.w = own.raw().w[0];
    foreign.h = own.raw().h[0];
    std::copy_n(own.raw().data, 3, foreign.data);
    std::copy_n(own.raw().stride, 3, foreign.stride);
    foreign.scaled_w = width;
    foreign.scaled_h = height;
    EXPECT_EQ(vmaf_picture_scale(&scaled.raw(), &foreign), 0);
    return scaled;
}

/// A sample of a picture.
unsigned sample_at(const VmafPicture &picture, int plane, unsigned x, unsigned y)
{
    const auto *row = static_cast<const std::uint8_t *>(picture.data[plane]) + picture.stride[plane] * y;
    std::uint16_t sample = row[x];
    if (picture.bpc > 8)
        std::memcpy(&sample, row + x * sizeof sample, sizeof sample);
    return sample;
}

// Frames that a GPU decodes are scaled there, to the same samples.
TEST_F(MediaReader, IntegerScalingIsTheLibrarys)
{
    VMAF_NEED_FFMPEG();
    for (const auto &[format, size] : {std::pair{"yuv420p", "96x64"},
                                       {"yuv420p", "97x61"},
                                       {"yuv422p10le", "97x61"},
                                       {"yuv444p12le", "96x64"},
                                       {"gray", "97x61"}})
        for (const auto &[width, height] : {std::pair{161U, 96U}, {64U, 45U}})
            for (const bool is_deepened : {false, true}) {
                SCOPED_TRACE(std::string(format) + " " + size + " to " + std::to_string(width));
                studio_.make_source("v.nut", 2, std::string(format) + " -c:v ffv1", size);
                const auto reader = open_converting("v.nut", tool::Rounding::integer);
                const auto unscaled = open("v.nut");
                tool::Delivery to{reader->own_form()};
                to.form.format.width_px = width;
                to.form.format.height_px = height;
                if (is_deepened)
                    to.form.format.depth = to.form.format.depth == 8 ? 12 : 16;
                unscaled->raise_depth(to.form.format.depth);
                reader->deliver(to);
                for (unsigned frame = 0; frame < 2; ++frame) {
                    Picture expected = scaled_by_library(*unscaled, width, height), got = picture_for(*reader);
                    ASSERT_TRUE(reader->read_frame(got.raw()));
                    for (int plane = 0; plane < (to.form.format.pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3); ++plane)
                        for (unsigned y = 0; y < got.raw().h[plane]; ++y)
                            for (unsigned x = 0; x < got.raw().w[plane]; ++x)
                                ASSERT_EQ(sample_at(got.raw(), plane, x, y), sample_at(expected.raw(), plane, x, y))
                                    << plane << ": " << x << ", " << y;
                }
            }
}

// A plane is converted in one way, whatever else is asked for.
TEST_F(MediaReader, IntegerScalingGoesWithOtherConversions)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.nut", 1, "yuv420p -c:v ffv1", "97x61");
    for (const VmafPixelFormat layout : {VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        for (const tool::Range range : {tool::Range::limited, tool::Range::full}) {
            const auto reader = open_converting("v.nut", tool::Rounding::integer);
            tool::Delivery to{reader->own_form()};
            to.form.format.width_px = 120;
            to.form.format.height_px = 80;
            to.form.format.pix_fmt = layout;
            to.form.format.depth = 10;
            to.form.range = range;
            reader->deliver(to);
            Picture picture = picture_for(*reader);
            ASSERT_TRUE(reader->read_frame(picture.raw()));
            // Luma does not depend on the layout. Each range has a luma of its own.
            const auto luma_alone = open_converting("v.nut", tool::Rounding::integer);
            luma_alone->deliver(to);
            luma_alone->leave_out_chroma();
            Picture luma = picture_for(*luma_alone);
            ASSERT_TRUE(luma_alone->read_frame(luma.raw()));
            for (unsigned y = 0; y < 80; ++y)
                for (unsigned x = 0; x < 120; ++x)
                    ASSERT_EQ(sample_at(luma.raw(), 0, x, y), sample_at(picture.raw(), 0, x, y));
            EXPECT_LT(sample_at(picture.raw(), 0, 60, 40), 1024U);
        }
}

/// Formulas of spec comparison 2.1, between any ranges and depths.
unsigned recoded(unsigned code, tool::Range from_range, unsigned from_depth, tool::Range to_range, unsigned to_depth,
                 bool is_chroma)
{
    const auto scale = [is_chroma](tool::Range range, unsigned depth) {
        const double k = 1U << (depth - 8);
        const double largest = (1U << depth) - 1;
        const double middle = 1U << (depth - 1);
        if (range == tool::Range::full)
            return std::pair(is_chroma ? middle : 0, largest);
        return is_chroma ? std::pair(middle, 224 * k) : std::pair(16 * k, 219 * k);
    };
    const auto [from_zero, from_span] = scale(from_range, from_depth);
    const auto [to_zero, to_span] = scale(to_range, to_depth);
    const double value = std::floor((2 * (code - from_zero) * to_span + from_span) / (2 * from_span)) + to_zero;
    return static_cast<unsigned>(std::clamp(value, 0.0, (1U << to_depth) - 1.0));
}

// Every range, depth and layout. Nothing else changes the samples.
TEST_F(MediaReader, ConvertsRangesAndDepths)
{
    constexpr unsigned kWidth = 97;
    constexpr unsigned kHeight = 5;
    for (const std::string layout : {"420", "422", "444", "mono"})
        for (const unsigned depth : {8U, 9U, 10U, 12U, 14U, 16U})
            for (const tool::Range range : {tool::Range::limited, tool::Range::full}) {
                const std::string deep = std::string(layout == "mono" ? "" : "p") + std::to_string(depth);
                const std::size_t chroma_width = layout == "444" ? kWidth : (kWidth + 1) / 2;
                const std::size_t chroma_height = layout == "420" ? (kHeight + 1) / 2 : kHeight;
                const std::size_t samples =
                    kWidth * kHeight + (layout == "mono" ? 0 : 2 * chroma_width * chroma_height);
                std::vector<unsigned> codes(samples);
                std::string file = "YUV4MPEG2 W97 H5 F25:1 Ip C" + layout + (depth == 8 ? "" : deep) +
                                   " XCOLORRANGE=" + (range == tool::Range::full ? "FULL" : "LIMITED") + "\nFRAME\n";
                for (std::size_t i = 0; i < samples; ++i) {
                    codes[i] = static_cast<unsigned>(i * 40503 + i / 7) & ((1U << depth) - 1);
                    file += static_cast<char>(codes[i] & 0xff);
                    if (depth > 8)
                        file += static_cast<char>(codes[i] >> 8);
                }
                studio_.write("v.y4m", file);
                for (const tool::Range wanted : {tool::Range::limited, tool::Range::full})
                    for (const unsigned wanted_depth : {8U, 10U, 12U, 16U}) {
                        SCOPED_TRACE(layout + deep + tool::range_text(range) + " to " + std::to_string(wanted_depth) +
                                     tool::range_text(wanted));
                        const auto reader = open_converting("v.y4m", tool::Rounding::fast);
                        tool::Delivery to{reader->own_form()};
                        ASSERT_EQ(to.form.range, range);
                        const unsigned held = to.form.format.depth; // 9 bits are stored as 10, 14 as 16
                        to.form.range = wanted;
                        to.form.format.depth = wanted_depth;
                        reader->deliver(to);
                        Picture picture = picture_for(*reader);
                        ASSERT_TRUE(reader->read_frame(picture.raw()));
                        const unsigned *plane_start = codes.data();
                        for (int plane = 0; plane < (layout == "mono" ? 1 : 3); ++plane) {
                            const std::size_t width = plane == 0 ? kWidth : chroma_width;
                            for (unsigned x = 0; x < picture.raw().w[plane]; ++x) {
                                const unsigned stored =
                                    recoded(plane_start[width + x], range, depth, range, held, plane > 0);
                                ASSERT_EQ(sample_at(picture.raw(), plane, x, 1),
                                          recoded(stored, range, held, wanted, wanted_depth, plane > 0))
                                    << plane << ": " << x;
                            }
                            plane_start += width * (plane == 0 ? kHeight : chroma_height);
                        }
                    }
            }
}

// Range and depth are converted before size and layout (spec comparison 1). The samples equal those
// of a video that was converted before.
TEST_F(MediaReader, ConvertsRangesBeforeItScales)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.y4m", 1, "yuv420p", "96x64");
    studio_.ffmpeg("-i v.y4m -f rawvideo v.yuv");
    const std::string raw = studio_.read("v.yuv");
    std::string converted = "YUV4MPEG2 W96 H64 F25:1 Ip C420p10 XCOLORRANGE=FULL\nFRAME\n";
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const unsigned code = recoded(static_cast<std::uint8_t>(raw[i]), tool::Range::limited, 8, tool::Range::full, 10,
                                      i >= std::size_t{96} * 64);
        converted += {static_cast<char>(code & 0xff), static_cast<char>(code >> 8)};
    }
    studio_.write("full.y4m", converted);
    for (const tool::Rounding rounding : {tool::Rounding::fast, tool::Rounding::accurate, tool::Rounding::integer})
        for (const VmafPixelFormat layout : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
            for (const unsigned width : {96U, 130U}) {
                const auto expected = open_converting("full.y4m", rounding);
                const auto got = open_converting("v.y4m", rounding);
                tool::Delivery to{expected->own_form()};
                ASSERT_EQ(to.form.range, tool::Range::full);
                to.form.format.width_px = width;
                to.form.format.pix_fmt = layout;
                expected->deliver(to);
                got->deliver(to);
                Picture a = picture_for(*expected), b = picture_for(*got);
                ASSERT_TRUE(expected->read_frame(a.raw()));
                ASSERT_TRUE(got->read_frame(b.raw()));
                for (int plane = 0; plane < (layout == VMAF_PIX_FMT_YUV400P ? 1 : 3); ++plane)
                    for (unsigned y = 0; y < a.raw().h[plane]; ++y)
                        for (unsigned x = 0; x < a.raw().w[plane]; ++x)
                            ASSERT_EQ(sample_at(b.raw(), plane, x, y), sample_at(a.raw(), plane, x, y))
                                << plane << ": " << x << ", " << y;
            }
}

/// The chapter's formulas, plane by plane.
TEST_F(MediaReader, ChromaOfAnotherLayoutIsScaledAsGray)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.mkv", 1, "yuv420p -c:v ffv1", "96x64");
    studio_.ffmpeg("-i v.mkv -vf extractplanes=u,format=gray -f rawvideo u.gray");
    std::string deep;
    for (const char sample : studio_.read("u.gray")) {
        const unsigned code = static_cast<std::uint8_t>(sample) << 2U;
        deep += {static_cast<char>(code & 0xff), static_cast<char>(code >> 8)};
    }
    studio_.write("u10.gray", deep);
    studio_.ffmpeg("-f rawvideo -pix_fmt gray10le -s 48x32 -i u10.gray -vf scale=96:64:flags=bicubic -f rawvideo "
                   "-pix_fmt gray10le u.raw");
    studio_.ffmpeg("-i v.mkv -f rawvideo v.yuv");
    const auto reader = open_converting("v.mkv", tool::Rounding::fast);
    tool::Delivery to{reader->own_form()};
    to.form.format.pix_fmt = VMAF_PIX_FMT_YUV444P;
    to.form.format.depth = 10;
    reader->deliver(to);
    Picture picture = picture_for(*reader);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    const std::string luma = studio_.read("v.yuv");
    const std::string chroma = studio_.read("u.raw");
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 96; ++x) {
            std::uint16_t expected = 0;
            std::memcpy(&expected, chroma.data() + 2 * (y * 96 + x), sizeof expected);
            ASSERT_EQ(sample_at(picture.raw(), 0, x, y), static_cast<std::uint8_t>(luma[y * 96 + x]) << 2U);
            ASSERT_EQ(sample_at(picture.raw(), 1, x, y), expected) << x << " " << y;
        }
}

TEST_F(MediaReader, GrayBecomesColourOfNeutralChromaWhenAskedFor)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.mkv", 1, "gray -c:v ffv1");
    const auto reader = open_converting("v.mkv", tool::Rounding::fast);
    tool::Delivery to{reader->own_form()};
    to.form.format.pix_fmt = VMAF_PIX_FMT_YUV420P;
    to.form.format.depth = 10;
    reader->deliver(to);
    Picture picture = picture_for(*reader);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    std::uint16_t sample = 0;
    std::memcpy(&sample, picture.raw().data[2], sizeof sample);
    EXPECT_EQ(sample, 512);
}

// Matroska stores a duration in milliseconds, and no number of frames.
TEST_F(MediaReader, CountsFramesWhateverTheDurationIsRoundedTo)
{
    VMAF_NEED_FFMPEG();
    for (const char *rate : {"24000/1001", "60000/1001", "120"})
        for (const unsigned frames : {1U, 7U, 10U}) {
            SCOPED_TRACE(std::string(rate) + ": " + std::to_string(frames));
            studio_.ffmpeg(std::string("-f lavfi -i testsrc=s=32x32:r=") + rate + " -frames:v " +
                           std::to_string(frames) + " -pix_fmt yuv420p -c:v ffv1 v.mkv");
            EXPECT_EQ(open("v.mkv")->frame_count(), frames);
        }
}

TEST_F(MediaReader, SkipsAndCountsFrames)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.mkv", 5, "yuv420p -c:v ffv1");
    studio_.make_source("v.mp4", 5, "yuv420p -c:v mpeg4");
    EXPECT_EQ(open("v.mp4")->frame_count(), 5U);
    const auto reader = open("v.mkv");
    EXPECT_EQ(reader->frame_count(), 5U);
    EXPECT_EQ(reader->frame_rate(), 25.0);
    EXPECT_TRUE(reader->tags().is_media);
    EXPECT_EQ(reader->tags().stored_format, "yuv420p");
    studio_.ffmpeg("-i v.mkv -f rawvideo v.yuv");
    const std::string raw = studio_.read("v.yuv");
    EXPECT_TRUE(reader->skip_frame());
    Picture picture = picture_for(*reader);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    EXPECT_GT(expect_planes(picture.raw(), reinterpret_cast<const std::uint8_t *>(raw.data()) + raw.size() / 5), 0U);
    for (int frame = 2; frame < 5; ++frame)
        EXPECT_TRUE(reader->skip_frame());
    EXPECT_FALSE(reader->skip_frame());
}

TEST_F(MediaReader, LumaAloneLeavesChromaAsItWas)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.mkv", 1, "yuv420p -c:v ffv1");
    studio_.ffmpeg("-i v.mkv -f rawvideo v.yuv");
    const auto reader = open("v.mkv");
    reader->leave_out_chroma();
    Picture picture = picture_for(*reader);
    std::memset(picture.raw().data[1], 0x5a, static_cast<std::size_t>(picture.raw().stride[1]) * picture.raw().h[1]);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    EXPECT_EQ(std::memcmp(picture.raw().data[0], studio_.read("v.yuv").data(), 160), 0);
    EXPECT_EQ(static_cast<const std::uint8_t *>(picture.raw().data[1])[7], 0x5a);
}

TEST_F(MediaReader, CancelledReadGivesUp)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("v.mkv", 60, "yuv444p -c:v ffv1");
    const auto reader = open("v.mkv");
    Picture picture = picture_for(*reader);
    reader->cancel();
    EXPECT_THROW(
        {
            while (reader->read_frame(picture.raw())) {
            }
        },
        tool::ReadCancelled);
}

} // namespace
} // namespace vmaf::test
