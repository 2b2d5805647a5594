#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <span>

#include "comparison/match.h"
#include "cuda/driver_double/loaded_double.h"
#include "cuda/driver_sessions/fixture.h"
#include "cuda/emulation/kernels.h"
#include "ffmpeg.h"
#include "frames/library.h"
#include "frames/reader_thread.h"
#include "input/media.h"
#include "input/media/converting_reader.h"
#include "input/media/media_source.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_source.h"
#include "input/open_video.h"

/// Frames in a GPU's memory that are lent to the library, on the driver double. Scores equal those
/// of frames in host memory. The GPU's decoder is imitated: software decodes, and the frames are
/// copied to the GPU in a decoder's layout.
namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::ConvertingReader;
using tool::CudaLayout;
using tool::MediaGpu;
using tool::VideoReader;

/// Copies a decoder's planar frames to the GPU in the layout of GPU decoders. Deep samples fill the
/// high bits, and 4:2:0 chroma lies in pairs. If `cropped`, extra columns and rows at the left and
/// top are marked for cropping.
class DecodedOnGpu final : public tool::PlanarSource {
  public:
    DecodedOnGpu(std::unique_ptr<tool::MediaSource> decoder, std::shared_ptr<MediaGpu> gpu, bool cropped)
        : decoder_(std::move(decoder)), gpu_(std::move(gpu)), cropped_(cropped)
    {
        frames_.reset(av_hwframe_ctx_alloc(gpu_->context()));
        auto *shape = reinterpret_cast<AVHWFramesContext *>(frames_->data);
        shape->format = AV_PIX_FMT_CUDA;
        shape->sw_format = gpu_format();
        shape->width = even(static_cast<int>(format().width_px) + margin());
        shape->height = even(static_cast<int>(format().height_px) + margin());
        EXPECT_EQ(av_hwframe_ctx_init(frames_.get()), 0);
    }

    const tool::InputFile &file() const override { return decoder_->file(); }
    const tool::VideoFormat &format() const override { return decoder_->format(); }
    const tool::VideoTags &tags() const override { return decoder_->tags(); }
    std::optional<std::uint64_t> frame_count() const override { return std::nullopt; }
    std::optional<double> frame_rate() const override { return std::nullopt; }
    tool::FrameTiming timing() const override { return decoder_->timing(); }
    bool skip() override { return decoder_->skip(); }
    void cancel() override { decoder_->cancel(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> &gpu) const override
    {
        return decoder_->reopened(gpu);
    }
    std::shared_ptr<MediaGpu> gpu() const override { return gpu_; }

    /// Number of frames that all of them decoded.
    static inline unsigned decoded_frames = 0;
    AvFrame next_stored(bool with_chroma) override
    {
        ++decoded_frames;
        const AvFrame planar = decoder_->next(with_chroma);
        return planar ? on_gpu(*planar) : nullptr;
    }
    AvFrame planar(AvFrame stored) override { return tool::downloaded(*stored, *cuda_layout_of(*stored)); }
    std::optional<CudaLayout> cuda_layout_of(const AVFrame &stored) const override
    {
        return tool::cuda_layout(stored, tool::planar_format(format().pix_fmt, format().depth));
    }

  private:
    static int even(int size_px) { return size_px + size_px % 2; }
    int margin() const { return cropped_ ? 2 : 0; }
    AVPixelFormat gpu_format() const
    {
        if (format().pix_fmt == VMAF_PIX_FMT_YUV444P)
            return format().depth == 8 ? AV_PIX_FMT_YUV444P : AV_PIX_FMT_YUV444P16LE;
        return format().depth == 8 ? AV_PIX_FMT_NV12 : format().depth == 10 ? AV_PIX_FMT_P010LE : AV_PIX_FMT_P016LE;
    }

    AvFrame on_gpu(const AVFrame &planar) const
    {
        const AVPixFmtDescriptor &stored = *av_pix_fmt_desc_get(gpu_format());
        const AvFrame host =
            tool::new_picture(gpu_format(), even(planar.width + margin()), even(planar.height + margin()));
        const VmafPicture planes = tool::planes_of(planar);
        const std::size_t bytes = planes.bpc > 8 ? 2 : 1;
        for (int plane = 0; plane < 3; ++plane) {
            const AVComponentDescriptor &to = stored.comp[plane];
            const std::size_t first = static_cast<std::size_t>(margin()) >> (plane > 0 ? stored.log2_chroma_w : 0);
            const std::size_t top = static_cast<std::size_t>(margin()) >> (plane > 0 ? stored.log2_chroma_h : 0);
            for (std::size_t y = 0; y < planes.h[plane]; ++y)
                for (std::size_t x = 0; x < planes.w[plane]; ++x) {
                    std::uint16_t sample = 0;
                    std::memcpy(&sample,
                                static_cast<const std::uint8_t *>(planes.data[plane]) +
                                    static_cast<std::ptrdiff_t>(y) * planes.stride[plane] + x * bytes,
                                bytes);
                    sample = static_cast<std::uint16_t>(bytes == 2 ? sample << (16 - planes.bpc) : sample);
                    std::memcpy(host->data[to.plane] + (top + y) * static_cast<std::size_t>(host->linesize[to.plane]) +
                                    (first + x) * static_cast<std::size_t>(to.step) +
                                    static_cast<std::size_t>(bytes == 2 ? to.offset & ~1 : to.offset),
                                &sample, bytes);
                }
        }
        AvFrame frame = tool::new_frame();
        EXPECT_EQ(av_hwframe_get_buffer(frames_.get(), frame.get(), 0), 0);
        EXPECT_EQ(av_hwframe_transfer_data(frame.get(), host.get(), 0), 0);
        frame->width = planar.width + margin();
        frame->height = planar.height + margin();
        frame->color_range = planar.color_range;
        tool::take_range_of(*frame, av_get_pix_fmt(tags().stored_format.c_str()));
        frame->crop_left = frame->crop_top = static_cast<std::size_t>(margin());
        return frame;
    }

    std::unique_ptr<tool::MediaSource> decoder_;
    std::shared_ptr<MediaGpu> gpu_;
    bool cropped_;
    tool::AvBuffer frames_;
};

constexpr const char *kScores[] = {"psnr_y", "VMAF_integer_feature_motion2_score", "psnr_cb", "psnr_cr"};
constexpr std::size_t kLumaScores = 2;
constexpr unsigned kFrames = 5;

class LentFrames : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        double_ = loaded_driver_double();
        ASSERT_NE(double_, nullptr);
        double_->reset();
        emulate_kernels(*double_);
        gpu_ = tool::make_media_gpu(0, true);
        ASSERT_NE(gpu_->context(), nullptr) << gpu_->reason();
    }
    void TearDown() override
    {
        gpu_ = nullptr;
        if (!double_)
            return;
        EXPECT_EQ(double_->live_total(), 0U);
        EXPECT_EQ(double_->violations(), 0U) << double_->violation(0);
    }

    std::unique_ptr<ConvertingReader> decoded_on_gpu(const std::string &name, bool cropped,
                                                     tool::Rounding rounding = tool::Rounding::fast)
    {
        auto decoder =
            std::make_unique<tool::MediaSource>(tool::InputFile(studio_.path(name)), tool::MediaSettings{}, warnings_);
        auto reader = std::make_unique<ConvertingReader>(
            std::make_unique<DecodedOnGpu>(std::move(decoder), gpu_, cropped), rounding);
        reader->lend_frames(gpu_);
        return reader;
    }
    std::unique_ptr<VideoReader> decoded_by_software(const std::string &name, const tool::InputOptions &options = {})
    {
        return tool::open_video(tool::InputFile(studio_.path(name)), tool::SideOptions{}, options, warnings_);
    }

    void match(std::unique_ptr<VideoReader> &ref, std::unique_ptr<VideoReader> &dis,
               const tool::InputOptions &options = {})
    {
        tool::Reference reference(std::move(ref));
        tool::match_videos(reference, dis, options, warnings_);
        ref = std::move(reference.forms.front().video);
    }

    /// Scores two videos in a session of their own. @return the scores in kScores, frame by frame.
    /// Luma-only videos have only the first kLumaScores.
    static std::vector<double> scores(VideoReader &ref, VideoReader &dis)
    {
        tool::CudaState state;
        tool::Context context;
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, {VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0}), 0);
        context.reset(raw);
        if (ref.lends_frames()) {
            VmafCudaState *raw_state = nullptr;
            EXPECT_EQ(vmaf_cuda_state_init(&raw_state, {}), 0);
            state.reset(raw_state);
            EXPECT_EQ(vmaf_cuda_import_state(context.get(), state.get()), 0);
        }
        for (const char *feature : {"psnr", "motion"})
            EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
        unsigned frames = 0;
        for (;; ++frames) {
            tool::Picture pair[2];
            if (!next(context.get(), ref, pair[0]) || !next(context.get(), dis, pair[1]))
                break;
            EXPECT_EQ(vmaf_read_pictures(context.get(), &pair[0].raw(), &pair[1].raw(), frames), 0);
        }
        EXPECT_EQ(frames, kFrames);
        EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        std::vector<double> all;
        const std::size_t picked = ref.format().pix_fmt == VMAF_PIX_FMT_YUV400P ? kLumaScores : std::size(kScores);
        for (const char *score : std::span(kScores).first(picked))
            for (unsigned frame = 0; frame < kFrames; ++frame)
                EXPECT_EQ(vmaf_feature_score_at_index(context.get(), score, &all.emplace_back(-1), frame), 0) << score;
        context.reset(); // before the state
        return all;
    }

    Studio studio_;
    tool::Warnings warnings_{false};
    const VmafDoubleControl *double_ = nullptr;
    std::shared_ptr<MediaGpu> gpu_;

  private:
    static bool next(VmafContext *context, VideoReader &video, tool::Picture &picture)
    {
        if (video.lends_frames())
            return video.lend_frame(context, picture.raw());
        const tool::VideoFormat &format = video.format();
        EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px),
                  0);
        return video.read_frame(picture.raw());
    }
};

TEST_F(LentFrames, HaveTheScoresOfThoseInHostMemory)
{
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv420p12le", "yuv444p", "yuv444p10le"})
        for (const bool cropped : {false, true}) {
            SCOPED_TRACE(std::string(format) + (cropped ? ", cropped" : ""));
            studio_.make_source("r.mkv", kFrames, std::string(format) + " -c:v ffv1", "66x50");
            studio_.ffmpeg(std::string("-i r.mkv -vf boxblur=1 -pix_fmt ") + format + " -c:v ffv1 d.mkv");
            const auto expected = scores(*decoded_by_software("r.mkv"), *decoded_by_software("d.mkv"));
            EXPECT_EQ(scores(*decoded_on_gpu("r.mkv", cropped), *decoded_on_gpu("d.mkv", false)), expected);
        }
}

// One video is decoded on the GPU. The other is a file of planes, or has another size.
TEST_F(LentFrames, AreMadeOfWhatComesFromElsewhere)
{
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv422p", "yuv422p10le", "yuv444p", "yuv444p16le", "gray"}) {
        SCOPED_TRACE(format);
        studio_.make_source("r.mkv", kFrames, std::string(format) + " -c:v ffv1", "66x51");
        studio_.ffmpeg(std::string("-i r.mkv -vf boxblur=1 -pix_fmt ") + format + " -strict -1 d.y4m");
        studio_.ffmpeg(std::string("-i r.mkv -vf scale=48:32 -pix_fmt ") + format + " -c:v ffv1 small.mkv");
        for (const char *other : {"d.y4m", "small.mkv"}) {
            const tool::InputOptions options;
            std::unique_ptr<VideoReader> videos[2] = {decoded_by_software("r.mkv"), decoded_by_software(other)};
            match(videos[0], videos[1], options);
            const auto expected = scores(*videos[0], *videos[1]);
            videos[0] = decoded_by_software("r.mkv");
            videos[1] = decoded_by_software(other);
            match(videos[0], videos[1], options);
            for (auto &video : videos) {
                if (!dynamic_cast<ConvertingReader *>(video.get()))
                    video = std::make_unique<ConvertingReader>(std::make_unique<tool::FileSource>(std::move(video)),
                                                               tool::Rounding::fast);
                dynamic_cast<ConvertingReader &>(*video).lend_frames(gpu_);
            }
            EXPECT_EQ(scores(*videos[0], *videos[1]), expected) << other;
        }
    }
}

// If an encode needs no conversion, its form is lent as it is, whatever another encode needs.
TEST_F(LentFrames, AreDecodedOnceForAllFormsOfTheReference)
{
    // The clips have full range, so raising 8 bits to 10 takes more than a shift.
    studio_.make_source("r.mkv", kFrames, "yuv420p -color_range pc -c:v ffv1", "66x50");
    studio_.ffmpeg("-i r.mkv -vf boxblur=1 -pix_fmt yuv420p -color_range pc -c:v ffv1 d.mkv");
    studio_.ffmpeg("-i r.mkv -vf boxblur=1 -pix_fmt yuv420p10le -color_range pc -c:v ffv1 deep.mkv");
    const auto copies = [this] {
        return ran_work(*double_,
                        [](const RanWork &work) { return std::string_view(work.name).starts_with("cuMemcpy"); })
            .size();
    };
    std::vector<std::vector<double>> expected;
    std::vector<std::size_t> expected_copies;
    for (const char *encode : {"d.mkv", "deep.mkv"}) {
        std::unique_ptr<VideoReader> ref = decoded_on_gpu("r.mkv", false), dis = decoded_on_gpu(encode, false);
        match(ref, dis);
        const std::size_t before = copies();
        expected.push_back(scores(*ref, *dis));
        expected_copies.push_back(copies() - before);
    }
    EXPECT_LT(expected_copies[0], expected_copies[1]);
    tool::Reference reference(decoded_on_gpu("r.mkv", false));
    std::unique_ptr<VideoReader> encodes[2] = {decoded_on_gpu("d.mkv", false), decoded_on_gpu("deep.mkv", false)};
    for (auto &encode : encodes)
        tool::match_videos(reference, encode, {}, warnings_);
    ASSERT_EQ(reference.forms.size(), 2U);
    dynamic_cast<ConvertingReader &>(*reference.forms[1].video).lend_frames(gpu_);
    DecodedOnGpu::decoded_frames = 0;
    expected_copies[1] -= std::size_t{2} * kFrames; // with which the double decodes the reference
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t before = copies();
        EXPECT_EQ(scores(*reference.forms[i].video, *encodes[i]), expected[i]);
        EXPECT_EQ(copies() - before, expected_copies[i]);
    }
    EXPECT_EQ(DecodedOnGpu::decoded_frames, 3 * kFrames + 1) << "of the reference, to its end, and two encodes";
}

// If neither size nor depth is that of the comparison, frames return to the host, and go from there
// to the GPU.
TEST_F(LentFrames, AreConvertedWhereTheyMustBe)
{
    for (const auto &[larger, smaller] : {std::pair("yuv420p10le", "yuv420p"), std::pair("yuv420p", "yuv420p12le")}) {
        SCOPED_TRACE(smaller);
        studio_.make_source("r.mkv", kFrames, std::string(larger) + " -c:v ffv1", "66x50");
        studio_.make_source("d.mkv", kFrames, std::string(smaller) + " -c:v ffv1", "48x32");
        std::unique_ptr<VideoReader> ref = decoded_by_software("r.mkv"), dis = decoded_by_software("d.mkv");
        match(ref, dis);
        const auto expected = scores(*ref, *dis);
        ref = decoded_on_gpu("r.mkv", true);
        dis = decoded_on_gpu("d.mkv", true);
        match(ref, dis);
        EXPECT_EQ(scores(*ref, *dis), expected);
    }
}

// Only the format's name says that a video has full range. As a distorted video it is converted to
// the reference's range; as a reference it keeps its range.
TEST_F(LentFrames, HaveTheRangeThatTheirFormatInSoftwareSays)
{
    studio_.make_source("limited.mkv", kFrames, "yuv420p -color_range tv -c:v ffv1", "66x50");
    studio_.ffmpeg("-i limited.mkv -pix_fmt yuvj420p -c:v mjpeg -q:v 3 full.mkv");
    for (const auto &[r, d] : {std::pair("limited.mkv", "full.mkv"), std::pair("full.mkv", "limited.mkv"),
                               std::pair("full.mkv", "full.mkv")}) {
        SCOPED_TRACE(std::string(r) + " " + d);
        std::unique_ptr<VideoReader> ref = decoded_by_software(r), dis = decoded_by_software(d);
        match(ref, dis);
        const auto expected = scores(*ref, *dis);
        ref = decoded_on_gpu(r, false);
        dis = decoded_on_gpu(d, false);
        match(ref, dis);
        EXPECT_EQ(scores(*ref, *dis), expected);
    }
}

// A crop behind the decoder's own is an offset. Nothing more is copied than without a crop.
TEST_F(LentFrames, AreCroppedWhereTheyLie)
{
    tool::InputOptions crop;
    crop.crop = tool::parse_crop("40:32:6:8").value();
    const auto copies = [this] {
        return ran_work(*double_,
                        [](const RanWork &work) { return std::string_view(work.name).starts_with("cuMemcpy"); })
            .size();
    };
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv444p"})
        for (const bool cropped : {false, true}) {
            SCOPED_TRACE(std::string(format) + (cropped ? ", cropped" : ""));
            studio_.make_source("r.mkv", kFrames, std::string(format) + " -c:v ffv1", "66x50");
            studio_.ffmpeg(std::string("-i r.mkv -vf boxblur=1 -pix_fmt ") + format + " -c:v ffv1 d.mkv");
            for (const std::string name : {"r", "d"})
                studio_.ffmpeg("-i " + name + ".mkv -vf crop=40:32:6:8 -c:v ffv1 " + name + "_cropped.mkv");
            const auto expected = scores(*decoded_by_software("r_cropped.mkv"), *decoded_by_software("d_cropped.mkv"));
            std::size_t copied[2] = {};
            for (const bool is_cut : {false, true}) {
                std::unique_ptr<VideoReader> ref = decoded_on_gpu("r.mkv", cropped),
                                             dis = decoded_on_gpu("d.mkv", false);
                match(ref, dis, is_cut ? crop : tool::InputOptions());
                const std::size_t before = copies();
                const auto made = scores(*ref, *dis);
                copied[is_cut] = copies() - before;
                if (is_cut) {
                    EXPECT_EQ(made, expected);
                }
            }
            EXPECT_EQ(copied[1], copied[0]);
        }
}

// Frames that are scaled, converted or turned are cropped on the host.
TEST_F(LentFrames, AreCroppedOnTheWayToTheHost)
{
    studio_.make_source("r.mkv", kFrames, "yuv420p -c:v ffv1", "66x50");
    studio_.ffmpeg("-i r.mkv -vf boxblur=1,scale=48:32 -pix_fmt yuv420p10le -c:v ffv1 d.mkv");
    studio_.ffmpeg("-i r.mkv -vf crop=40:32:6:8 -c:v ffv1 r_cropped.mkv");
    studio_.ffmpeg("-i d.mkv -vf crop=20:16:4:2 -c:v ffv1 d_cropped.mkv");
    tool::InputOptions crop;
    crop.ref.crop = tool::parse_crop("40:32:6:8").value();
    crop.dis.crop = tool::parse_crop("20:16:4:2").value();
    std::unique_ptr<VideoReader> ref = decoded_by_software("r_cropped.mkv"), dis = decoded_by_software("d_cropped.mkv");
    match(ref, dis);
    const auto expected = scores(*ref, *dis);
    ref = decoded_on_gpu("r.mkv", true);
    dis = decoded_on_gpu("d.mkv", true);
    match(ref, dis, crop);
    EXPECT_EQ(scores(*ref, *dis), expected);
}

TEST_F(LentFrames, AreConvertedToTheReferencesMatrix)
{
    studio_.make_source("r.mkv", kFrames, "yuv420p -colorspace bt709 -c:v ffv1", "66x50");
    studio_.make_source("d.mkv", kFrames, "yuv420p -colorspace bt2020nc -c:v ffv1", "66x50");
    std::unique_ptr<VideoReader> ref = decoded_by_software("r.mkv"), dis = decoded_by_software("d.mkv");
    match(ref, dis);
    const auto expected = scores(*ref, *dis);
    ref = decoded_on_gpu("r.mkv", true);
    dis = decoded_on_gpu("d.mkv", true);
    match(ref, dis);
    EXPECT_EQ(scores(*ref, *dis), expected);
}

// Turned frames have no layout that could be lent in place.
TEST_F(LentFrames, AreTurnedAsThoseInHostMemory)
{
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv444p"})
        for (const char *angle : {"90", "180"}) {
            SCOPED_TRACE(std::string(format) + " " + angle);
            studio_.make_source("s.mp4", kFrames, std::string(format) + " -c:v libx264 -qp 10", "66x50");
            studio_.ffmpeg(std::string("-i s.mp4 -c copy -metadata:s:v rotate=") + angle + " r.mp4");
            studio_.ffmpeg(std::string("-i r.mp4 -vf boxblur=1 -c:v ffv1 -pix_fmt ") + format + " d.mkv");
            std::unique_ptr<VideoReader> ref = decoded_by_software("r.mp4"), dis = decoded_by_software("d.mkv");
            EXPECT_NE(ref->tags().orientation, tool::Orientation());
            EXPECT_EQ(ref->format(), dis->format());
            const auto expected = scores(*ref, *dis);
            EXPECT_GT(expected.front(), 20) << "they are the same way up";
            EXPECT_EQ(scores(*decoded_on_gpu("r.mp4", true), *decoded_on_gpu("d.mkv", false)), expected);
        }
}

TEST_F(LentFrames, ComeBackAsSoftwareDecodesThem)
{
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv420p12le", "yuv444p", "yuv444p10le"}) {
        SCOPED_TRACE(format);
        studio_.make_source("v.mkv", 1, std::string(format) + " -c:v ffv1", "67x51");
        const auto source = [this] {
            return std::make_unique<tool::MediaSource>(tool::InputFile(studio_.path("v.mkv")), tool::MediaSettings{},
                                                       warnings_);
        };
        const AvFrame expected = source()->next(true);
        const AvFrame frame = DecodedOnGpu(source(), gpu_, true).next(true);
        EXPECT_TRUE(tool::have_same_samples(*frame, *expected));
    }
}

TEST_F(LentFrames, AreFilteredInHostMemory)
{
    if (!tool::has_filter_support())
        GTEST_SKIP() << "built without libavfilter";
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv444p"}) {
        SCOPED_TRACE(format);
        studio_.make_source("r.mkv", kFrames, std::string(format) + " -c:v ffv1", "66x50");
        studio_.ffmpeg("-i r.mkv -vf boxblur=1 -c:v ffv1 d.mkv");
        const auto filtered = [](std::unique_ptr<VideoReader> video) {
            tool::filter(video, "crop=48:32:5:3,hflip,fps=25", {});
            return video;
        };
        std::unique_ptr<VideoReader> ref = filtered(decoded_by_software("r.mkv")),
                                     dis = filtered(decoded_by_software("d.mkv"));
        const auto expected = scores(*ref, *dis);
        ref = filtered(decoded_on_gpu("r.mkv", true));
        dis = filtered(decoded_on_gpu("d.mkv", false));
        for (VideoReader *video : {ref.get(), dis.get()}) {
            EXPECT_TRUE(tool::is_decoded_on_gpu(*video));
            dynamic_cast<ConvertingReader &>(*video).lend_frames(gpu_);
        }
        EXPECT_EQ(scores(*ref, *dis), expected);
    }
}

// The library's scaler works there, with the same samples as on a CPU.
TEST_F(LentFrames, AreScaledWhereTheyLie)
{
    for (const char *format : {"yuv420p", "yuv420p10le", "yuv444p"}) {
        SCOPED_TRACE(format);
        studio_.make_source("r.mkv", kFrames, std::string(format) + " -c:v ffv1", "66x50");
        studio_.make_source("d.mkv", kFrames, std::string(format) + " -c:v ffv1", "48x32");
        tool::InputOptions options;
        options.scaler = tool::ScalerChoice::integer;
        std::unique_ptr<VideoReader> ref = decoded_by_software("r.mkv", options),
                                     dis = decoded_by_software("d.mkv", options);
        match(ref, dis, options);
        const auto expected = scores(*ref, *dis);
        ref = decoded_on_gpu("r.mkv", true, tool::Rounding::integer);
        dis = decoded_on_gpu("d.mkv", true, tool::Rounding::integer);
        match(ref, dis, options);
        EXPECT_EQ(scores(*ref, *dis), expected);
    }
}

class LumaOfLentFrames : public LentFrames {
  protected:
    /// Collects small luma as --align check does, while all frames are read. @param probe also
    /// looks at them.
    std::vector<tool::SmallLuma> collected(VideoReader &video, tool::FrameProbe *probe = nullptr,
                                           tool::ChromaUse chroma = tool::ChromaUse::scored)
    {
        constexpr tool::FrameWindow kWindows[] = {{0, 3}, {4, 100}};
        tool::LumaCollector collector(video.form(), kWindows);
        read_all(video, {&collector, 0, probe, chroma});
        return collector.small_luma(std::numeric_limits<unsigned>::max());
    }
    void read_all(VideoReader &video, const tool::WatchedFrames &watched)
    {
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, {VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0}), 0);
        tool::CudaState state;
        const tool::Context context(raw);
        if (video.lends_frames()) {
            VmafCudaState *raw_state = nullptr;
            EXPECT_EQ(vmaf_cuda_state_init(&raw_state, {}), 0);
            state.reset(raw_state);
            EXPECT_EQ(vmaf_cuda_import_state(context.get(), state.get()), 0);
        }
        const tool::SessionPictures pictures(context.get(), video.lends_frames() ? gpu_.get() : nullptr);
        EXPECT_EQ(pictures.allocate(video.format()), 0);
        tool::ReaderThread reader(pictures, video, {}, watched);
        const std::stop_source stop;
        while (auto item = reader.next(stop.get_token())) {
            if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
                std::rethrow_exception(*failure);
            if (std::holds_alternative<tool::EndOfVideo>(*item))
                break;
        }
    }

    static void expect_same(const std::vector<tool::SmallLuma> &found, const std::vector<tool::SmallLuma> &expected,
                            std::size_t frames)
    {
        ASSERT_EQ(expected.size(), 2U);
        ASSERT_EQ(found.size(), 2U);
        EXPECT_EQ(expected[0].frames() + expected[1].frames(), frames);
        for (std::size_t window = 0; window < 2; ++window) {
            EXPECT_EQ(found[window].grid, expected[window].grid);
            EXPECT_EQ(found[window].first_frame, expected[window].first_frame);
            EXPECT_EQ(found[window].samples, expected[window].samples);
        }
    }
};

TEST_F(LumaOfLentFrames, IsThatOfFramesInHostMemory)
{
    for (const char *format : {"yuv420p", "yuvj420p", "yuv420p10le", "yuv420p12le", "yuv444p", "yuv444p10le"})
        for (const bool cropped : {false, true}) {
            SCOPED_TRACE(std::string(format) + (cropped ? ", cropped" : ""));
            studio_.make_source("v.mkv", 7, std::string(format) + " -c:v ffv1", "195x109");
            const auto expected = collected(*decoded_by_software("v.mkv"));
            expect_same(collected(*decoded_on_gpu("v.mkv", cropped)), expected, 6);
        }
}

TEST_F(LumaOfLentFrames, IsCollectedOfMoreFramesThanAreInFlight)
{
    studio_.make_source("v.mkv", 80, "yuv420p -c:v ffv1", "66x50");
    const auto expected = collected(*decoded_by_software("v.mkv"));
    expect_same(collected(*decoded_on_gpu("v.mkv", false)), expected, 79);
}

TEST_F(LumaOfLentFrames, ShowsBars)
{
    studio_.make_source("whole.mkv", 24, "yuv420p10le -c:v ffv1", "192x144");
    studio_.ffmpeg("-i whole.mkv -vf crop=192:112,pad=192:144:0:16 -c:v ffv1 letterbox.mkv");
    studio_.ffmpeg("-i whole.mkv -vf crop=160:144,pad=192:144:16 -c:v ffv1 pillars.mkv");
    tool::FrameProbe whole;
    collected(*decoded_on_gpu("whole.mkv", false), &whole);
    for (const char *name : {"letterbox.mkv", "pillars.mkv"}) {
        tool::FrameProbe bars;
        collected(*decoded_on_gpu(name, false), &bars);
        EXPECT_TRUE(bars.has_bar_beside(whole)) << name;
        EXPECT_FALSE(whole.has_bar_beside(bars)) << name;
    }
}

// Without --align check nobody collects small luma, but the probe still sees all frames.
TEST_F(LumaOfLentFrames, IsLookedAtWhereNobodyCollectsIt)
{
    studio_.make_source("whole.mkv", 24, "yuv420p -c:v ffv1", "192x144");
    studio_.ffmpeg("-i whole.mkv -vf crop=192:112,pad=192:144:0:16,hue=s=0 -c:v ffv1 grey_letterbox.mkv");
    tool::FrameProbe probes[2];
    for (const char *name : {"whole.mkv", "grey_letterbox.mkv"}) {
        const std::unique_ptr<VideoReader> video = decoded_on_gpu(name, false);
        read_all(*video, {nullptr, 0, &probes[name[0] == 'g' ? 1 : 0], tool::ChromaUse::probed});
    }
    EXPECT_TRUE(probes[1].has_bar_beside(probes[0]));
    EXPECT_TRUE(probes[1].is_grey_beside(probes[0]));
}

// Chroma in pairs or in planes, scaled on the GPU, or converted and uploaded.
TEST_F(LumaOfLentFrames, ShowsThatChromaIsNeutral)
{
    tool::InputOptions options;
    options.scaler = tool::ScalerChoice::integer;
    for (const auto &[format, colour_size, grey_format] : {std::tuple("yuv420p", "66x50", "yuv420p"),
                                                           {"yuv444p10le", "66x50", "yuv444p10le"},
                                                           {"yuv420p10le", "66x50", "yuv420p"},
                                                           {"yuv420p", "48x32", "yuv420p"}})
        for (const auto chroma : {tool::ChromaUse::scored, tool::ChromaUse::probed, tool::ChromaUse::unread}) {
            SCOPED_TRACE(std::string(format) + " " + colour_size + ", " + std::to_string(static_cast<int>(chroma)));
            studio_.make_source("r.mkv", 24, std::string(format) + " -c:v ffv1", "66x50");
            studio_.ffmpeg(std::string("-i r.mkv -vf hue=s=0,scale=66:50 -pix_fmt ") + grey_format +
                           " -c:v ffv1 grey.mkv");
            studio_.ffmpeg(std::string("-i r.mkv -vf scale=") + colour_size + " -c:v ffv1 colour.mkv");
            tool::FrameProbe probes[2];
            for (const char *name : {"grey.mkv", "colour.mkv"}) {
                std::unique_ptr<VideoReader> ref = decoded_on_gpu("r.mkv", false, tool::Rounding::integer),
                                             dis = decoded_on_gpu(name, true, tool::Rounding::integer);
                match(ref, dis, options);
                collected(*dis, &probes[name[0] == 'c' ? 1 : 0], chroma);
            }
            EXPECT_EQ(probes[0].is_grey_beside(probes[1]), chroma != tool::ChromaUse::unread);
            EXPECT_FALSE(probes[1].is_grey_beside(probes[0]));
        }
}

TEST_F(LentFrames, TellOfColoursThatAreLeftOutBesideAGreyVideo)
{
    studio_.make_source("colour.mkv", kFrames, "yuv420p -c:v ffv1", "66x50");
    studio_.ffmpeg("-i colour.mkv -vf hue=s=0 -c:v ffv1 neutral.mkv");
    studio_.ffmpeg("-i colour.mkv -pix_fmt gray -color_range tv -c:v ffv1 grey.mkv");
    for (const char *name : {"colour.mkv", "neutral.mkv"}) {
        std::unique_ptr<VideoReader> ref = decoded_on_gpu(name, false), dis = decoded_by_software("grey.mkv");
        match(ref, dis);
        dynamic_cast<ConvertingReader &>(*dis).lend_frames(gpu_);
        scores(*ref, *dis);
        EXPECT_EQ(ref->leaves_out_colours(), std::string_view(name) == "colour.mkv");
        EXPECT_FALSE(dis->leaves_out_colours());
    }
}

// The luma is that of the scored frames, also if they are scaled on the GPU, or converted and
// uploaded.
TEST_F(LumaOfLentFrames, IsThatOfWhatIsScored)
{
    studio_.make_source("r.mkv", 6, "yuv420p10le -c:v ffv1", "166x150");
    studio_.make_source("d.mkv", 6, "yuv420p10le -c:v ffv1", "80x64");
    studio_.make_source("shallow.mkv", 6, "yuv420p -c:v ffv1", "166x150");
    for (const auto &[name, scaler] : {std::pair("d.mkv", tool::ScalerChoice::integer),
                                       {"d.mkv", tool::InputOptions().scaler},
                                       {"shallow.mkv", tool::ScalerChoice::integer}}) {
        SCOPED_TRACE(name);
        tool::InputOptions options;
        options.scaler = scaler;
        const auto rounding = scaler == tool::ScalerChoice::integer ? tool::Rounding::integer : tool::Rounding::fast;
        std::unique_ptr<VideoReader> ref = decoded_by_software("r.mkv", options),
                                     dis = decoded_by_software(name, options);
        match(ref, dis, options);
        const auto expected = collected(*dis);
        ref = decoded_on_gpu("r.mkv", true, rounding);
        dis = decoded_on_gpu(name, true, rounding);
        match(ref, dis, options);
        expect_same(collected(*dis), expected, 5);
    }
}

// As -m v1 measures SDR. The library shifts limited range and then scales it. Full range returns to
// the host.
TEST_F(LentFrames, AreRaisedWhereTheyLie)
{
    const auto copies = [this] {
        return ran_work(*double_,
                        [](const RanWork &work) { return std::string_view(work.name).starts_with("cuMemcpy"); })
            .size();
    };
    for (const char *range : {"tv", "pc"})
        for (const char *size : {"66x50", "48x32"}) {
            SCOPED_TRACE(std::string(range) + " " + size);
            studio_.make_source("r.mkv", kFrames, std::string("yuv420p -color_range ") + range + " -c:v ffv1", "66x50");
            studio_.make_source("d.mkv", kFrames, std::string("yuv420p -color_range ") + range + " -c:v ffv1", size);
            std::size_t copied[2] = {};
            for (const unsigned depth : {0U, 10U}) {
                tool::InputOptions options;
                options.scaler = tool::ScalerChoice::integer;
                options.sdr_depth = depth;
                std::unique_ptr<VideoReader> ref = decoded_by_software("r.mkv", options),
                                             dis = decoded_by_software("d.mkv", options);
                match(ref, dis, options);
                EXPECT_EQ(dis->format().depth, depth == 0 ? 8U : 10U);
                const auto expected = scores(*ref, *dis);
                ref = decoded_on_gpu("r.mkv", true, tool::Rounding::integer);
                dis = decoded_on_gpu("d.mkv", true, tool::Rounding::integer);
                match(ref, dis, options);
                const std::size_t before = copies();
                EXPECT_EQ(scores(*ref, *dis), expected);
                copied[depth == 0 ? 0 : 1] = copies() - before;
            }
            EXPECT_EQ(copied[0] == copied[1], std::string_view(range) == "tv") << copied[0] << " and " << copied[1];
        }
}

// Pictures outlive the reader that lent them, and a session that never read them.
TEST_F(LentFrames, AreFreedByTheirLastReader)
{
    studio_.make_source("r.mkv", kFrames, "yuv420p -c:v ffv1", "66x50");
    tool::Picture kept;
    {
        const auto reader = decoded_on_gpu("r.mkv", false);
        VmafContext *raw = nullptr;
        ASSERT_EQ(vmaf_init(&raw, {VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0}), 0);
        const tool::Context context(raw);
        VmafCudaState *raw_state = nullptr;
        ASSERT_EQ(vmaf_cuda_state_init(&raw_state, {}), 0);
        const tool::CudaState state(raw_state);
        ASSERT_EQ(vmaf_cuda_import_state(context.get(), state.get()), 0);
        ASSERT_TRUE(reader->lend_frame(context.get(), kept.raw()));
        EXPECT_GT(double_->live_total(), 0U);
    }
    kept = {};
}

} // namespace
} // namespace vmaf::test
