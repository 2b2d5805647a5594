#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "compared_videos.h"
#include "ffmpeg.h"
#include "frames/library.h"
#include "input/media.h"

/// Filter graphs, deinterlacing and film grain (spec comparison 2.8). Frames equal those of
/// ffmpeg's command, byte for byte.
namespace vmaf::test {
namespace {

using tool::FilmGrain;
using tool::Picture;
using tool::ReadingOptions;
using tool::VideoReader;
using tool::Videos;

class Filters : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        if (!tool::has_filter_support())
            GTEST_SKIP() << "built without libavfilter";
        studio_.make_source("v.y4m", kFrames);
        studio_.ffmpeg("-i v.y4m -c:v libx264 -qp 18 -bf 2 -g 8 v.mp4");
        studio_.ffmpeg(
            "-i v.y4m -vf tinterlace=interleave_top -c:v libx264 -x264-params tff=1 -flags +ilme+ildct i.mp4");
    }

    ReadingOptions options(const std::string &ref, const std::string &dis) const
    {
        ReadingOptions options;
        options.reference = studio_.path(ref);
        options.distorted = {studio_.path(dis)};
        options.input.allow_fps_mismatch = true;
        options.input.scale.kind = tool::ScaleOption::Kind::none;
        options.input.pix_fmt.kind = tool::PixelFormatOption::Kind::none;
        return options;
    }
    Videos open(const ReadingOptions &options) { return tool::open_videos(options, nullptr, warnings_); }
    /// The video as the distorted one.
    std::unique_ptr<VideoReader> open(const std::string &name, const std::optional<std::string> &graph,
                                      bool deinterlace = false)
    {
        ReadingOptions reading = options(name, name);
        reading.input.dis.filter = graph;
        reading.input.deinterlace = deinterlace;
        reading.input.ref.samples.matrix = tool::h273::kBt709; // as for RGB that is compared with RGB
        return std::move(open(reading).encodes.front().video);
    }
    /// Frames that ffmpeg makes of the video, without tags.
    void filter_by_ffmpeg(const std::string &name, const std::string &graph) const
    {
        studio_.ffmpeg("-noautorotate -i " + name + " -vf \"" + graph +
                       "\" -map 0:v -fps_mode passthrough -c:v rawvideo expected.nut");
    }
    void expect_filtered(const std::string &name, const std::string &graph)
    {
        SCOPED_TRACE(name + " " + graph);
        filter_by_ffmpeg(name, graph);
        expect_equal(*open("expected.nut", std::nullopt), *open(name, graph));
    }
    void expect_refused(const std::string &graph, const std::string &reason)
    {
        try {
            open("v.mp4", graph);
            ADD_FAILURE() << graph;
        } catch (const tool::Failure &failure) {
            EXPECT_EQ(failure.exit_code(), 255) << graph;
            EXPECT_NE(std::string(failure.what()).find(reason), std::string::npos) << failure.what();
        }
    }

    static Picture picture_for(const VideoReader &reader)
    {
        Picture picture;
        const tool::VideoFormat &format = reader.format();
        EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px),
                  0);
        return picture;
    }
    static bool have_same_samples(const VmafPicture &a, const VmafPicture &b)
    {
        const std::size_t sample_bytes = a.bpc > 8 ? 2 : 1;
        for (int plane = 0; plane < (a.pix_fmt == VMAF_PIX_FMT_YUV400P ? 1 : 3); ++plane)
            for (unsigned y = 0; y < a.h[plane]; ++y)
                if (std::memcmp(static_cast<const char *>(a.data[plane]) + a.stride[plane] * y,
                                static_cast<const char *>(b.data[plane]) + b.stride[plane] * y,
                                a.w[plane] * sample_bytes) != 0)
                    return false;
        return true;
    }
    /// Expects `video` to have exactly the frames of `expected`. @return the number of frames.
    static unsigned expect_equal(VideoReader &expected, VideoReader &video)
    {
        EXPECT_EQ(video.format(), expected.format());
        if (!(video.format() == expected.format()))
            return 0;
        Picture a = picture_for(expected), b = picture_for(video);
        unsigned frames = 0;
        while (expected.read_frame(a.raw())) {
            EXPECT_TRUE(video.read_frame(b.raw())) << "there are " << frames << " frames";
            EXPECT_TRUE(have_same_samples(a.raw(), b.raw())) << "frame " << frames;
            if (HasFailure())
                return frames;
            ++frames;
        }
        EXPECT_FALSE(video.read_frame(b.raw())) << "there are more than " << frames << " frames";
        EXPECT_GT(frames, 0U);
        return frames;
    }

    static constexpr unsigned kFrames = 12;
    Studio studio_;
    tool::Warnings warnings_{false};
};

TEST_F(Filters, GraphsMakeTheFramesThatFfmpegMakes)
{
    for (const char *graph : {"crop=101:67:3:5",
                              "scale=96:64:flags=lanczos",
                              "scale=80:-2",
                              "fps=50",
                              "fps=10",
                              "fps=30000/1001",
                              "setpts=2*PTS,fps=25",
                              "select='not(mod(n,3))'",
                              "trim=start=0.2:end=0.4,setpts=PTS-STARTPTS",
                              "vflip",
                              "hflip,transpose=1",
                              "bwdif",
                              "yadif=1",
                              "minterpolate=fps=60",
                              "reverse",
                              "tpad=stop=5",
                              "split[a][b];[b]vflip[c];[a][c]overlay=0:H/2",
                              "[in]negate[out]",
                              "format=nv12",
                              "format=yuv422p10",
                              "format=yuva420p",
                              "format=rgb24",
                              "hue=s=0",
                              "gblur=2,unsharp"})
        for (const char *name : {"v.mp4", "v.y4m"})
            expect_filtered(name, graph);
}

TEST_F(Filters, EveryLayoutAndDepthIsFiltered)
{
    for (const char *format : {"yuv420p10le", "yuv422p", "yuv444p12le", "yuv411p", "gbrp", "yuva444p", "yuv420p16le"}) {
        studio_.make_source("d.nut", 4, format);
        expect_filtered("d.nut", "boxblur=2:1");
        expect_filtered("d.nut", "crop=64:48,fps=50");
    }
    for (const char *format : {"yuv420p10", "yuv422p", "yuv444p", "yuv420p12"}) {
        studio_.make_source("d.y4m", 4, format);
        expect_filtered("d.y4m", "boxblur=2:1,fps=50");
    }
}

/// Graphs see the same time stamps as in ffmpeg: from the start of the file.
TEST_F(Filters, TimeStampsBeginAtTheStartOfTheFile)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -bf 2 -output_ts_offset 7.3 late.ts");
    studio_.ffmpeg("-i v.y4m -vf \"select='lt(mod(n,5),3)'\" -fps_mode passthrough -c:v libx264 -bf 0 uneven.mkv");
    for (const char *name : {"late.ts", "uneven.mkv"})
        for (const char *graph : {"trim=start=0.1", "fps=50", "select='gte(t,0.15)'"})
            expect_filtered(name, graph);
}

TEST_F(Filters, InterlacedVideosAreDeinterlaced)
{
    studio_.ffmpeg(
        "-i v.y4m -vf tinterlace=interleave_bottom -c:v libx264 -x264-params bff=1 -flags +ilme+ildct b.mp4");
    studio_.ffmpeg("-i v.y4m -vf tinterlace=interleave_top -c:v mpeg2video -flags +ilme+ildct -q:v 2 m.mpg");
    studio_.ffmpeg("-i v.y4m -vf tinterlace=interleave_top,setfield=prog p.y4m");
    const std::string progressive = studio_.read("p.y4m");
    for (const char *field : {"t", "b"}) {
        std::string interlaced = progressive;
        interlaced.replace(interlaced.find(" Ip") + 2, 1, field);
        studio_.write(std::string(field) + ".y4m", interlaced);
    }
    for (const char *name : {"i.mp4", "b.mp4", "m.mpg", "t.y4m", "b.y4m"}) {
        SCOPED_TRACE(name);
        filter_by_ffmpeg(name, "bwdif=mode=send_frame");
        const auto video = open(name, std::nullopt, true);
        EXPECT_FALSE(video->tags().is_interlaced);
        const unsigned frames = expect_equal(*open("expected.nut", std::nullopt), *video);
        EXPECT_EQ(frames, kFrames / 2);
        EXPECT_EQ(video->frame_count().value_or(frames), frames);
        filter_by_ffmpeg(name, "bwdif=mode=send_frame,fps=50,vflip");
        expect_equal(*open("expected.nut", std::nullopt), *open(name, "fps=50,vflip", true));
    }
}

TEST_F(Filters, ProgressiveVideosAreNotDeinterlaced)
{
    for (const char *name : {"v.mp4", "v.y4m"}) {
        const auto video = open(name, std::nullopt, true);
        EXPECT_EQ(video->tags().filters, "");
        expect_equal(*open(name, std::nullopt), *video);
    }
    EXPECT_TRUE(open("i.mp4", std::nullopt)->tags().is_interlaced);
    EXPECT_TRUE(open("i.mp4", "vflip")->tags().is_interlaced);
}

/// Frames are skipped after the graph. Other readers of the same video deliver the graph's frames,
/// too.
TEST_F(Filters, FramesAreCountedBehindTheGraph)
{
    for (const char *name : {"v.mp4", "v.y4m"}) {
        filter_by_ffmpeg(name, "fps=40,vflip");
        const auto video = open(name, "fps=40,vflip");
        EXPECT_EQ(video->frame_count(), std::nullopt);
        const auto again = video->reopened();
        EXPECT_EQ(again->index_frames(), std::nullopt);
        for (VideoReader *reader : {video.get(), again.get()}) {
            const auto expected = open("expected.nut", std::nullopt);
            for (unsigned i = 0; i < 5; ++i) {
                ASSERT_TRUE(expected->skip_frame());
                ASSERT_TRUE(reader->skip_frame());
            }
            expect_equal(*expected, *reader);
        }
    }
}

TEST_F(Filters, TagsAreThoseOfTheGraph)
{
    studio_.ffmpeg(
        "-i v.mp4 -c copy -aspect 16:9 -bsf:v h264_metadata=matrix_coefficients=1:sample_aspect_ratio=4/3 t.mp4");
    const auto tags = [&](const char *graph) { return open("t.mp4", graph)->tags(); };
    EXPECT_EQ(open("v.mp4", "fps=30000/1001")->frame_rate(), 30000.0 / 1001);
    EXPECT_EQ(open("v.mp4", "vflip")->frame_rate(), 25.0);
    EXPECT_EQ(open("v.y4m", "bwdif")->frame_rate(), 50.0);
    EXPECT_TRUE(tags("vflip").is_media);
    EXPECT_FALSE(open("v.y4m", "vflip")->tags().is_media);
    EXPECT_EQ(tags("vflip").colour.matrix, 1);
    EXPECT_EQ(tags("setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084").colour,
              (tool::ColourTags{9, 9, 16}));
    EXPECT_EQ(tags("setparams=range=pc").range, tool::Range::full);
    EXPECT_EQ(tags("setparams=range=tv").range, tool::Range::limited);
    EXPECT_TRUE(tags("format=rgb24").is_rgb);
    EXPECT_EQ(tags("format=rgb24").stored_format, "rgb24");
    EXPECT_TRUE(tags("setfield=tff").is_interlaced);
    EXPECT_EQ(tags("setsar=3/2").pixel_aspect_num, 3);
    EXPECT_EQ(tags("vflip").pixel_aspect_num, 16); // as the container says, not the bitstream
    EXPECT_EQ(tags("vflip").pixel_aspect_den, 15);
    EXPECT_EQ(tags("fps=50,crop=64:64").filters, "fps=50,crop=64:64");
}

/// Each picture size in a stream gets a filter graph of its own.
TEST_F(Filters, AnotherSizeBeginsTheGraphAnew)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -bf 2 a.264");
    studio_.ffmpeg("-i v.y4m -vf crop=96:64 -c:v libx264 -bf 2 b.264");
    studio_.write("ab.264", studio_.read("a.264") + studio_.read("b.264"));
    const auto video = open("ab.264", "crop=64:48,vflip");
    studio_.ffmpeg("-i a.264 -vf crop=64:48,vflip -c:v rawvideo a.nut");
    studio_.ffmpeg("-i b.264 -vf crop=64:48,vflip -c:v rawvideo b.nut");
    Picture picture = picture_for(*video), wanted = picture_for(*video);
    for (const char *name : {"a.nut", "b.nut"}) {
        const auto expected = open(name, std::nullopt);
        for (unsigned frame = 0; expected->read_frame(wanted.raw()); ++frame) {
            ASSERT_TRUE(video->read_frame(picture.raw())) << name << " " << frame;
            EXPECT_TRUE(have_same_samples(picture.raw(), wanted.raw())) << name << " " << frame;
        }
    }
    EXPECT_FALSE(video->read_frame(picture.raw()));
}

/// If a file breaks off, the frames that were decoded before are filtered and delivered.
TEST_F(Filters, WhatComesBeforeTheEndOfATruncatedFileIsDelivered)
{
    studio_.ffmpeg("-i v.y4m -c:v ffv1 -g 1 v.mkv");
    const std::string whole = studio_.read("v.mkv");
    studio_.write("cut.mkv", whole.substr(0, whole.size() * 2 / 3));
    const auto frames_of = [&](const std::optional<std::string> &graph) {
        const auto video = open("cut.mkv", graph);
        Picture picture = picture_for(*video);
        unsigned frames = 0;
        EXPECT_THROW(for (; frames < 2 * kFrames; ++frames) if (!video->read_frame(picture.raw())) break,
                     tool::ScoringStopped);
        return frames;
    };
    const unsigned without = frames_of(std::nullopt);
    EXPECT_GT(without, 2U);
    EXPECT_EQ(frames_of("bwdif=mode=send_frame"), without);
    EXPECT_EQ(frames_of("reverse"), without);
}

TEST_F(Filters, RefusedGraphsAreNamedWithLibavfiltersReason)
{
    expect_refused("nosuch", "filter graph \"nosuch\": No such filter: 'nosuch'");
    expect_refused("", "filter graph \"\": ");
    expect_refused("fps=25,scale=w=0x", "filter graph \"fps=25,scale=w=0x\": Invalid size '0x'");
    expect_refused("select='gt(q,1)'", "Error while parsing expression 'gt(q,1)'");
    expect_refused("crop=500:500", "Invalid too big or non positive size for width '500' or height '500'");
    expect_refused("split", "it needs one open input and one open output, and has 1 and 2");
    expect_refused("overlay", "it needs one open input and one open output, and has 2 and 1");
    expect_refused("atempo=2", "Media type mismatch");
    expect_refused("select=0", "no frame comes out of the filter graph \"select=0\"");
    expect_refused("format=xyz12le", "it ends in the pixel format xyz12le, which is not supported: let it end in "
                                     "format=yuv420p");
    expect_refused("nosuch", "problem with distorted file: ");
}

/// film_grain_characteristics() as an SEI message of H.264 or HEVC (ITU-T H.274, 8.5): luma only,
/// one interval.
std::string grain_message(bool is_hevc)
{
    std::string bits;
    const auto put = [&](unsigned count, unsigned value) {
        while (count-- > 0)
            bits += (value >> count & 1U) != 0 ? '1' : '0';
    };
    const auto put_exponential = [&](unsigned value) {
        unsigned length = 0;
        while ((value + 1) >> (length + 1) != 0)
            ++length;
        put(length, 0);
        put(length + 1, value + 1);
    };
    put(1, 0); // film_grain_characteristics_cancel_flag
    put(2, 0); // film_grain_model_id
    put(1, 0); // separate_colour_description_present_flag
    put(2, 0); // blending_mode_id
    put(4, 2); // log2_scale_factor
    put(3, 4); // comp_model_present_flag
    put(8, 0); // num_intensity_intervals_minus1
    put(3, 2); // num_model_values_minus1
    put(16, 255);
    for (const unsigned positive : {100U, 8U, 8U})
        put_exponential(2 * positive - 1);
    if (is_hevc)
        put(1, 1); // film_grain_characteristics_persistence_flag
    else
        put_exponential(1); // film_grain_characteristics_repetition_period
    bits += '1';
    bits.resize((bits.size() + 7) / 8 * 8, '0');
    std::string payload;
    for (std::size_t i = 0; i < bits.size(); i += 8)
        payload += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
    std::string unit = is_hevc ? std::string("\x4e\x01", 2) : "\x06";
    unit += std::string("\x13", 1) + static_cast<char>(payload.size()) + payload + '\x80';
    EXPECT_EQ(unit.find(std::string(2, '\0')), std::string::npos) << "it would have to be escaped";
    return std::string("\0\0\1", 3) + unit;
}

/// @param stream in Annex B format. The message is put before its first picture.
std::string with_grain(std::string stream, bool is_hevc)
{
    const std::string start_code("\0\0\1", 3);
    for (std::size_t at = stream.find(start_code); at != stream.npos; at = stream.find(start_code, at + 3)) {
        const auto first = static_cast<unsigned char>(stream.at(at + 3));
        const unsigned type = is_hevc ? first >> 1 & 0x3fU : first & 0x1fU;
        if (is_hevc ? type < 32 : type == 1 || type == 5)
            return stream.insert(at, grain_message(is_hevc));
    }
    ADD_FAILURE() << "no picture";
    return stream;
}

class FilmGrains : public Filters {
  protected:
    std::unique_ptr<VideoReader> open_with(FilmGrain grain, const std::string &name)
    {
        ReadingOptions reading = options(name, name);
        reading.input.film_grain = grain;
        return std::move(open(reading).encodes.front().video);
    }
    /// @return the decoder's raw frames with and without the grain. They differ if there is grain.
    void expect_grain(const std::string &name, bool has_grain)
    {
        SCOPED_TRACE(name);
        studio_.ffmpeg("-i " + name + " -fps_mode passthrough -c:v rawvideo kept.nut");
        studio_.ffmpeg("-export_side_data film_grain -i " + name + " -fps_mode passthrough -c:v rawvideo removed.nut");
        EXPECT_EQ(studio_.read("kept.nut") != studio_.read("removed.nut"), has_grain);
        for (const auto &[grain, expected] :
             {std::pair(FilmGrain::keep, "kept.nut"), std::pair(FilmGrain::remove, "removed.nut")}) {
            const auto video = open_with(grain, name);
            EXPECT_EQ(video->tags().has_film_grain, has_grain);
            const auto again = video->reopened();
            expect_equal(*open_with(FilmGrain::keep, expected), *video);
            expect_equal(*open_with(FilmGrain::keep, expected), *again);
        }
    }
};

TEST_F(FilmGrains, GrainOfH264AndHevcIsKeptOrRemoved)
{
    studio_.ffmpeg("-i v.y4m -c:v libx264 -qp 20 -bf 0 a.264");
    expect_grain("a.264", false);
    studio_.write("g.264", with_grain(studio_.read("a.264"), false));
    expect_grain("g.264", true);
    studio_.ffmpeg("-r 25 -i g.264 -c copy -bsf:v setts=ts=N/25/TB g.mkv"); // with lengths in place of start codes
    expect_grain("g.mkv", true);
    if (!has_encoder("libx265"))
        return;
    studio_.ffmpeg("-i v.y4m -c:v libx265 -x265-params log-level=none:bframes=0 -qp 20 a.265");
    expect_grain("a.265", false);
    studio_.write("g.265", with_grain(studio_.read("a.265"), true));
    expect_grain("g.265", true);
    studio_.ffmpeg("-r 25 -i g.265 -c copy -bsf:v setts=ts=N/25/TB g5.mkv");
    expect_grain("g5.mkv", true);
}

TEST_F(FilmGrains, GrainOfAv1IsKeptOrRemoved)
{
    if (!has_encoder("libaom-av1"))
        GTEST_SKIP() << "this ffmpeg has no libaom";
    const std::string encode = "-i v.y4m -frames:v 3 -c:v libaom-av1 -cpu-used 8 -crf 40 ";
    studio_.ffmpeg(encode + "a.mkv");
    studio_.ffmpeg(encode + "-denoise-noise-level 30 g.mkv");
    studio_.ffmpeg("-i g.mkv -c copy g.ivf");
    studio_.ffmpeg("-i g.mkv -c copy g.obu");
    studio_.ffmpeg("-i g.mkv -c copy g.mp4");
    expect_grain("a.mkv", false);
    for (const char *name : {"g.mkv", "g.ivf", "g.obu", "g.mp4"})
        expect_grain(name, true);
}

/// Messages of a build without libavfilter, or without media files.
TEST(FiltersLeftOut, TheCureIsNamed)
{
    if (tool::has_filter_support())
        GTEST_SKIP() << "this build has libavfilter";
    VMAF_NEED_FFMPEG();
    const Studio studio;
    studio.make_source("v.y4m", 2);
    ReadingOptions reading;
    reading.reference = studio.path("v.y4m");
    reading.distorted = {reading.reference};
    reading.input.dis.filter = "vflip";
    tool::Warnings warnings(false);
    try {
        tool::open_videos(reading, nullptr, warnings);
        ADD_FAILURE();
    } catch (const tool::Failure &failure) {
        EXPECT_NE(std::string(failure.what()).find("-Dfilters=enabled"), std::string::npos) << failure.what();
    }
}

} // namespace
} // namespace vmaf::test
