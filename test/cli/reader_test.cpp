#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "common/failure.h"
#include "frames/library.h"
#include "input/video_reader.h"
#include "tool_process.h"
#include "videos.h"

/// Pictures that readers make of files.
namespace vmaf::test {
namespace {

using tool::InputFile;
using tool::make_video_reader;
using tool::Picture;
using tool::VideoFormat;

class Reader : public ::testing::Test {
  protected:
    std::unique_ptr<tool::VideoReader> open(const std::string &bytes, const std::optional<VideoFormat> &raw = {},
                                            const tool::SampleTags &samples = {})
    {
        write_file(directory_.path() / "video", bytes);
        return make_video_reader(InputFile(directory_.path() / "video"), raw, warnings_, samples);
    }
    /// Appends to the open file.
    void append(const std::string &bytes) const
    {
        std::ofstream(directory_.path() / "video", std::ios::binary | std::ios::app) << bytes;
    }

    tool::Warnings warnings_{false};

  private:
    TemporaryDirectory directory_;
};

Picture picture_for(const tool::VideoReader &reader)
{
    Picture picture;
    const VideoFormat &format = reader.format();
    EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px), 0);
    return picture;
}

unsigned sample_at(const VmafPicture &picture, unsigned plane, unsigned x, unsigned y)
{
    const auto *row = static_cast<const std::uint8_t *>(picture.data[plane]) + picture.stride[plane] * y;
    if (picture.bpc == 8)
        return row[x];
    std::uint16_t sample = 0;
    std::memcpy(&sample, row + 2 * x, sizeof sample);
    return sample;
}

/// Expects every sample of the picture to be the file's, shifted left.
void expect_samples(const VmafPicture &picture, const VideoShape &shape, unsigned frame, unsigned shift)
{
    const Planes planes = make_frame(shape, frame, false);
    for (unsigned plane = 0; plane < planes.size(); ++plane) {
        const bool halved = plane > 0 && shape.layout != "444";
        const unsigned file_width = halved ? (shape.width + 1) / 2 : shape.width;
        for (unsigned y = 0; y < picture.h[plane]; ++y)
            for (unsigned x = 0; x < picture.w[plane]; ++x)
                ASSERT_EQ(sample_at(picture, plane, x, y), unsigned{planes[plane][y * file_width + x]} << shift)
                    << "plane " << plane << " x " << x << " y " << y;
    }
}

TEST_F(Reader, FillsPicturesOfEverySizeAndDepth)
{
    for (const char *layout : {"420", "422", "444", "mono"})
        for (const unsigned depth : {8U, 10U, 16U})
            for (const unsigned width : {31U, 32U, 33U, 64U}) {
                const VideoShape shape{width, 17, layout, depth};
                const auto reader = open(y4m_video(shape, 2, false));
                Picture picture = picture_for(*reader);
                for (unsigned frame = 0; frame < 2; ++frame) {
                    ASSERT_TRUE(reader->read_frame(picture.raw()));
                    expect_samples(picture.raw(), shape, frame, 0);
                }
                EXPECT_FALSE(reader->read_frame(picture.raw()));
            }
}

TEST_F(Reader, RaisedDepthShiftsAllPlanes)
{
    for (const char *layout : {"420", "444"}) {
        const VideoShape shape{33, 17, layout, 8};
        const auto reader = open(y4m_video(shape, 2, false));
        reader->raise_depth(10);
        EXPECT_EQ(reader->format().depth, 10U);
        Picture picture = picture_for(*reader);
        for (unsigned frame = 0; frame < 2; ++frame) {
            ASSERT_TRUE(reader->read_frame(picture.raw()));
            expect_samples(picture.raw(), shape, frame, 2);
        }
    }
}

TEST_F(Reader, RaisedDepthAddsToTheTagsOwnShift)
{
    const VideoShape shape{32, 16, "420", 9};
    const auto reader = open(y4m_video(shape, 1, false));
    EXPECT_EQ(reader->format().depth, 10U);
    reader->raise_depth(12);
    Picture picture = picture_for(*reader);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    expect_samples(picture.raw(), shape, 0, 3);
}

// 9 bits are stored as 10. The largest code is the largest one in both.
TEST_F(Reader, FullRangeIsDeepenedByItsLargestCodes)
{
    for (const auto &[stored, delivered] :
         {std::pair(8U, 10U), std::pair(8U, 16U), std::pair(9U, 10U), std::pair(9U, 12U)})
        for (const char *layout : {"420", "444", "mono"}) {
            const VideoShape shape{33, 17, layout, stored};
            const auto reader = open(y4m_header(shape, y4m_tag(shape) + " XCOLORRANGE=FULL") + "FRAME\n" +
                                     frame_bytes(shape, make_frame(shape, 0, false)));
            EXPECT_EQ(reader->tags().range, tool::Range::full);
            reader->raise_depth(delivered);
            Picture picture = picture_for(*reader);
            ASSERT_TRUE(reader->read_frame(picture.raw()));
            const Planes planes = make_frame(shape, 0, false);
            const double factor = ((1U << delivered) - 1.0) / ((1U << stored) - 1.0);
            for (unsigned plane = 0; plane < planes.size(); ++plane) {
                const unsigned file_width = plane > 0 && shape.layout != "444" ? (shape.width + 1) / 2 : shape.width;
                const double middle = plane == 0 ? 0 : 0.5;
                for (unsigned x = 0; x < picture.raw().w[plane]; ++x) {
                    const double value = planes[plane][file_width + x] - std::ceil(middle * ((1U << stored) - 1));
                    ASSERT_EQ(sample_at(picture.raw(), plane, x, 1),
                              std::min(std::floor(value * factor + 0.5) + std::ceil(middle * ((1U << delivered) - 1)),
                                       (1U << delivered) - 1.0))
                        << plane << ' ' << x;
                }
            }
        }
}

TEST_F(Reader, AnOptionsRangeAndMatrixCountMoreThanTheFile)
{
    const VideoShape shape{32, 16, "420", 8};
    const std::string limited = y4m_header(shape, y4m_tag(shape) + " XCOLORRANGE=LIMITED");
    EXPECT_EQ(open(limited)->tags().range, tool::Range::limited);
    EXPECT_EQ(open(y4m_header(shape, y4m_tag(shape)))->tags().range, std::nullopt);
    const auto reader = open(limited, {}, {tool::Range::full, 9});
    EXPECT_EQ(reader->form().range, tool::Range::full);
    EXPECT_EQ(reader->form().matrix, 9);
    EXPECT_EQ(reader->reopened()->form(), reader->form());
    const auto raw = open("", VideoFormat{32, 16, VMAF_PIX_FMT_YUV420P, 8}, {tool::Range::full, {}});
    EXPECT_EQ(raw->form().range, tool::Range::full);
    EXPECT_EQ(raw->reopened()->form(), raw->form());
}

/// Large enough for the reader to seek over its chroma.
VideoShape large_shape(const std::string &layout, unsigned depth)
{
    return {401, 399, layout, depth};
}

constexpr unsigned kUntouched = 0x5a;

Picture picture_full_of(const tool::VideoReader &reader, int byte)
{
    Picture picture = picture_for(reader);
    for (unsigned plane = 0; plane < 3; ++plane)
        if (picture.raw().data[plane] != nullptr)
            std::memset(picture.raw().data[plane], byte,
                        static_cast<std::size_t>(picture.raw().stride[plane]) * picture.raw().h[plane]);
    return picture;
}

TEST_F(Reader, ChromaThatIsLeftOutKeepsWhatThePictureHeld)
{
    for (const char *layout : {"420", "422", "444", "mono"})
        for (const unsigned depth : {8U, 10U})
            for (const VideoShape &shape : {VideoShape{33, 17, layout, depth}, large_shape(layout, depth)}) {
                const auto reader = open(y4m_video(shape, 3, false));
                reader->leave_out_chroma();
                Picture picture = picture_full_of(*reader, kUntouched);
                for (unsigned frame = 0; frame < 3; ++frame) {
                    ASSERT_TRUE(reader->read_frame(picture.raw()));
                    const Planes planes = make_frame(shape, frame, false);
                    for (unsigned y = 0; y < shape.height; ++y)
                        for (unsigned x = 0; x < shape.width; ++x)
                            ASSERT_EQ(sample_at(picture.raw(), 0, x, y), unsigned{planes[0][y * shape.width + x]});
                    for (unsigned plane = 1; plane < planes.size(); ++plane)
                        EXPECT_EQ(sample_at(picture.raw(), plane, 3, 3) & 0xff, kUntouched);
                }
                EXPECT_FALSE(reader->read_frame(picture.raw()));
            }
}

TEST_F(Reader, SkippedFramesAreNotDelivered)
{
    for (const VideoShape &shape : {VideoShape{33, 17, "420", 8}, large_shape("420", 8)}) {
        const auto reader = open(y4m_video(shape, 4, false));
        Picture picture = picture_for(*reader);
        EXPECT_TRUE(reader->skip_frame());
        ASSERT_TRUE(reader->read_frame(picture.raw()));
        expect_samples(picture.raw(), shape, 1, 0);
        EXPECT_TRUE(reader->skip_frame());
        EXPECT_TRUE(reader->skip_frame());
        EXPECT_FALSE(reader->skip_frame());
    }
}

TEST_F(Reader, RowsLongerThanTheFilesAndLargeFramesAreReadAsStored)
{
    for (const char *layout : {"420", "422", "444"})
        for (const unsigned depth : {8U, 12U})
            for (const VideoShape &shape : {large_shape(layout, depth), VideoShape{66, 2100, layout, depth}}) {
                const auto reader = open(y4m_video(shape, 2, false));
                Picture picture = picture_for(*reader);
                for (unsigned frame = 0; frame < 2; ++frame) {
                    ASSERT_TRUE(reader->read_frame(picture.raw()));
                    expect_samples(picture.raw(), shape, frame, 0);
                }
            }
}

TEST_F(Reader, FramesThatAreAppendedMeanwhileAreRead)
{
    const VideoShape shape = large_shape("420", 8);
    const auto reader = open(y4m_video(shape, 1, false));
    reader->leave_out_chroma();
    Picture picture = picture_for(*reader);
    ASSERT_TRUE(reader->read_frame(picture.raw()));
    append("FRAME\n" + frame_bytes(shape, make_frame(shape, 1, false)));
    EXPECT_TRUE(reader->read_frame(picture.raw()));
    EXPECT_FALSE(reader->read_frame(picture.raw()));
}

TEST_F(Reader, CountsFramesByTheFilesSize)
{
    const VideoShape shape{33, 17, "420", 10};
    EXPECT_EQ(open(y4m_video(shape, 5, false))->frame_count(), 5U);
    EXPECT_EQ(open(raw_video(shape, 3, false), VideoFormat{33, 17, VMAF_PIX_FMT_YUV420P, 10})->frame_count(), 3U);
    EXPECT_EQ(open("", VideoFormat{33, 17, VMAF_PIX_FMT_YUV420P, 10})->frame_count(), 0U);
}

TEST_F(Reader, CancelledReadGivesUp)
{
    const auto reader = open(y4m_video({32, 16, "420", 8}, 1, false));
    Picture picture = picture_for(*reader);
    reader->cancel();
    // The small frame may be in the buffer already. The reader does not wait for what follows.
    EXPECT_THROW(
        {
            reader->read_frame(picture.raw());
            reader->read_frame(picture.raw());
        },
        tool::ReadCancelled);
}

/// A byte is missing at the end of the second frame.
void expect_truncation(tool::VideoReader &reader, Picture &picture, bool skips)
{
    EXPECT_TRUE(reader.read_frame(picture.raw()));
    try {
        static_cast<void>(skips ? reader.skip_frame() : reader.read_frame(picture.raw()));
        ADD_FAILURE() << "read";
    } catch (const tool::ScoringStopped &stop) {
        EXPECT_EQ(stop.reason(), tool::StopReason::truncated_input);
        EXPECT_NE(std::string(stop.what()).find("video: frame 1: the file ends within the frame"), std::string::npos)
            << stop.what();
    }
}

TEST_F(Reader, TruncatedFrameNamesFileAndFrame)
{
    for (const VideoShape &shape : {VideoShape{32, 16, "420", 8}, large_shape("420", 8)}) {
        const std::string bytes = raw_video(shape, 2, false);
        const auto cut = [&] {
            return open(bytes.substr(0, bytes.size() - 1),
                        VideoFormat{shape.width, shape.height, VMAF_PIX_FMT_YUV420P, 8});
        };
        for (const bool skips : {false, true}) {
            const auto reader = cut();
            Picture picture = picture_for(*reader);
            expect_truncation(*reader, picture, skips);
        }
        const auto luma_reader = cut();
        luma_reader->leave_out_chroma();
        Picture picture = picture_for(*luma_reader);
        expect_truncation(*luma_reader, picture, false);
    }
}

} // namespace
} // namespace vmaf::test
