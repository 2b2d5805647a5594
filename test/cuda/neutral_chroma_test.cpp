#include <cstring>

#include "cuda/driver_sessions/fixture.h"
#include "cuda/emulation/kernels.h"

// A client that copies only luma into pictures on the device, as ffmpeg's filter libvmaf_cuda does.
// It gets the scores of neutral chroma (spec cuda 5; the sequence of its calls: abi 8).

namespace vmaf::test {
namespace {

struct Run {
    const char *clip, *model;
};

constexpr const char *kFeatures[] = {"psnr", "ciede", "psnr_hvs"};
constexpr const char *kChromaScores[] = {"psnr_cb", "psnr_cr", "psnr_hvs_cb", "psnr_hvs_cr"};

class NeutralChroma : public DriverSessions, public testing::WithParamInterface<Run> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        emulate_kernels(*driver_);
    }

    const Clip &clip() const { return Clip::get(GetParam().clip); }

    int use_all(VmafContext *vmaf) const
    {
        int error = vmaf_use_features_from_model(vmaf, model_.get());
        for (const char *feature : kFeatures)
            if (error == 0)
                error = use_feature(vmaf, feature);
        return error;
    }

    /// A picture of the library on the device. It has the clip's luma; the other planes are not
    /// written.
    int fetch_and_copy_luma(VmafContext *vmaf, VmafPicture &picture, Side side, unsigned frame) const
    {
        if (const int error = vmaf_cuda_fetch_preallocated_picture(vmaf, &picture); error != 0)
            return error;
        const PlaneView from = clip().plane(side, frame, 0);
        const CudaFunctions &cuda = client_->cuda();
        cuda.cuCtxPushCurrent(client_->context());
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = from.data;
        copy.srcPitch = static_cast<std::size_t>(from.stride_bytes);
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = reinterpret_cast<CUdeviceptr>(picture.data[0]);
        copy.dstPitch = static_cast<std::size_t>(picture.stride[0]);
        copy.WidthInBytes = picture.w[0] * clip().format().sample_bytes();
        copy.Height = picture.h[0];
        const CUresult result = cuda.cuMemcpy2D(&copy);
        cuda.cuCtxPopCurrent(nullptr);
        return result == CUDA_SUCCESS ? 0 : -EIO;
    }

    int read_luma_only(VmafContext *vmaf, unsigned frame) const
    {
        VmafPicture ref{}, dis{};
        int error = fetch_and_copy_luma(vmaf, ref, Side::ref, frame);
        if (error == 0)
            error = fetch_and_copy_luma(vmaf, dis, Side::dis, frame);
        return error == 0 ? vmaf_read_pictures(vmaf, &ref, &dis, frame) : error;
    }

    /// The clip's luma with both other planes at half the range, in host memory.
    VmafPicture with_neutral_chroma(Side side, unsigned frame) const
    {
        VmafPicture picture{};
        EXPECT_EQ(make_picture(picture, clip(), side, frame), 0);
        const unsigned grey = 1U << (picture.bpc - 1);
        for (unsigned plane = 1; plane < 3; ++plane)
            for (unsigned y = 0; y < picture.h[plane]; ++y) {
                auto *row = static_cast<unsigned char *>(picture.data[plane]) + picture.stride[plane] * y;
                for (unsigned x = 0; x < picture.w[plane]; ++x)
                    if (picture.bpc == 8) {
                        row[x] = static_cast<unsigned char>(grey);
                    } else {
                        const auto sample = static_cast<std::uint16_t>(grey);
                        std::memcpy(row + 2 * x, &sample, 2);
                    }
            }
        return picture;
    }

    std::vector<double> model_scores(VmafContext *vmaf) const
    {
        const unsigned frames = clip().spec().frames;
        std::vector<double> scores(frames + 1, -1);
        for (unsigned frame = 0; frame < frames; ++frame)
            EXPECT_EQ(vmaf_score_at_index(vmaf, model_.get(), &scores[frame], frame), 0) << frame;
        EXPECT_EQ(vmaf_score_pooled(vmaf, model_.get(), VMAF_POOL_METHOD_MEAN, &scores[frames], 0, frames - 1), 0);
        return scores;
    }

    const ModelHandle model_ = load_model(GetParam().model);
};

TEST_P(NeutralChroma, IsWhatAClientThatCopiesLumaOnlyScores)
{
    const unsigned frames = clip().spec().frames;
    const Context cpu = open_context(0);
    ASSERT_EQ(use_all(cpu.get()), 0);
    for (unsigned frame = 0; frame < frames; ++frame) {
        VmafPicture ref = with_neutral_chroma(Side::ref, frame), dis = with_neutral_chroma(Side::dis, frame);
        ASSERT_EQ(vmaf_read_pictures(cpu.get(), &ref, &dis, frame), 0);
    }
    ASSERT_EQ(flush(cpu.get()), 0);

    Context context;
    const std::vector<std::string> warnings =
        lines_at("WARNING", log_of([&] {
                     context = open_on_device(clip(), Feeding::device, logging_at(VMAF_LOG_LEVEL_WARNING));
                     EXPECT_EQ(use_all(context.get()), 0);
                     for (unsigned frame = 0; frame < frames; ++frame)
                         EXPECT_EQ(read_luma_only(context.get(), frame), 0);
                     EXPECT_EQ(flush(context.get()), 0);
                 }));
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0],
              "speed_chroma reads chroma, which is neutral in pictures on the device until the client writes it");
    EXPECT_EQ(model_scores(context.get()), model_scores(cpu.get()));
    for (const char *name : kChromaScores)
        EXPECT_EQ(scores_of(context.get(), name, 0, frames), scores_of(cpu.get(), name, 0, frames)) << name;
    const std::vector<double> ciede = scores_of(context.get(), "ciede2000", 0, frames),
                              expected = scores_of(cpu.get(), "ciede2000", 0, frames);
    for (unsigned frame = 0; frame < frames; ++frame)
        EXPECT_NEAR(ciede[frame], expected[frame], 1e-5); // spec ciede 5
}

INSTANTIATE_TEST_SUITE_P(All, NeutralChroma,
                         testing::Values(Run{"tiles_640x360_8", "vmaf_v1.0.16_3d0h"},
                                         Run{"tiles_643x361_10", "vmaf_v1.0.16_hfr_5d0h"}),
                         [](const auto &run) { return "With" + std::to_string(run.index); });

} // namespace
} // namespace vmaf::test
