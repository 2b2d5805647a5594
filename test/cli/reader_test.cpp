#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "common/failure.h"
#include "input/video_reader.h"
#include "scoring/library.h"
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
    std::unique_ptr<tool::VideoReader> open(const std::string &bytes, const std::optional<VideoFormat> &raw = {})
    {
        write_file(directory_.path() / "video", bytes);
        return make_video_reader(InputFile(directory_.path() / "video"), raw);
    }

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

/// Every sample that the picture has is the file's, shifted left.
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
    // The small frame may be in the buffer already; what is behind it is not waited for.
    EXPECT_THROW(
        {
            reader->read_frame(picture.raw());
            reader->read_frame(picture.raw());
        },
        tool::ReadCancelled);
}

TEST_F(Reader, TruncatedFrameNamesFileAndFrame)
{
    const VideoShape shape{32, 16, "420", 8};
    const std::string bytes = raw_video(shape, 2, false);
    const auto reader = open(bytes.substr(0, bytes.size() - 1), VideoFormat{32, 16, VMAF_PIX_FMT_YUV420P, 8});
    Picture picture = picture_for(*reader);
    EXPECT_TRUE(reader->read_frame(picture.raw()));
    try {
        reader->read_frame(picture.raw());
        ADD_FAILURE() << "read";
    } catch (const tool::ScoringStopped &stop) {
        EXPECT_EQ(stop.reason(), tool::StopReason::truncated_input);
        EXPECT_NE(std::string(stop.what()).find("video: frame 1"), std::string::npos) << stop.what();
    }
}

} // namespace
} // namespace vmaf::test
