#include "cuda/driver_sessions/fixture.h"

// The warning that chroma planes of device pictures are neutral until the client writes them (spec
// cuda 5).

namespace vmaf::test {
namespace {

constexpr PictureFormat kFormat{VMAF_PIX_FMT_YUV420P, 8, 64, 64};

class ChromaWarning : public DriverSessions {
  protected:
    static int preallocate(VmafContext *vmaf, VmafCudaPicturePreallocationMethod method,
                           const PictureFormat &format = kFormat)
    {
        return vmaf_cuda_preallocate_pictures(vmaf,
                                              {{format.width, format.height, format.bpc, format.pix_fmt}, method});
    }
    static int preallocate(VmafContext *vmaf, const PictureFormat &format = kFormat)
    {
        return preallocate(vmaf, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE, format);
    }

    /// Warnings of a session in which the client does this before its pictures are read.
    template <class Prepare> std::vector<std::string> warnings_of(Prepare &&prepare) const
    {
        const Context context = open_on_device(kFormat, Feeding::plain_host, logging_at(VMAF_LOG_LEVEL_WARNING));
        return lines_at("WARNING", log_of([&] { prepare(context.get()); }));
    }
};

TEST_F(ChromaWarning, IsOneLineInEachOrder)
{
    for (const char *feature : {"psnr", "psnr_cuda", "ssimulacra2", "ciede", "psnr_hvs", "speed_chroma"}) {
        const auto feature_first = warnings_of([&](VmafContext *vmaf) {
            EXPECT_EQ(use_feature(vmaf, feature), 0);
            EXPECT_EQ(preallocate(vmaf), 0);
        });
        const auto pool_first = warnings_of([&](VmafContext *vmaf) {
            EXPECT_EQ(preallocate(vmaf), 0);
            EXPECT_EQ(use_feature(vmaf, feature), 0);
        });
        ASSERT_EQ(feature_first.size(), 1U) << feature;
        EXPECT_NE(feature_first[0].find("chroma"), std::string::npos) << feature_first[0];
        EXPECT_EQ(pool_first, feature_first) << feature;
    }
}

TEST_F(ChromaWarning, IsOneLineForManyFeaturesAndPools)
{
    EXPECT_EQ(warnings_of([](VmafContext *vmaf) {
                  EXPECT_EQ(use_feature(vmaf, "vif"), 0);
                  EXPECT_EQ(use_feature(vmaf, "ciede"), 0);
                  EXPECT_EQ(preallocate(vmaf), 0);
                  EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
                  EXPECT_EQ(preallocate(vmaf), 0);
                  EXPECT_EQ(use_feature(vmaf, "ssimulacra2"), 0);
              }).size(),
              1U);
}

TEST_F(ChromaWarning, ComesWithThePoolThatNeedsIt)
{
    const auto warnings = warnings_of([](VmafContext *vmaf) {
        EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
        EXPECT_EQ(preallocate(vmaf, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED), 0);
        EXPECT_EQ(preallocate(vmaf), 0);
    });
    EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ChromaWarning, IsNotGivenForFeaturesThatReadLuma)
{
    EXPECT_EQ(
        warnings_of([](VmafContext *vmaf) {
            const ModelHandle model = load_model("vmaf_v0.6.1");
            EXPECT_EQ(vmaf_use_features_from_model(vmaf, model.get()), 0);
            EXPECT_EQ(preallocate(vmaf), 0);
            for (const char *feature : {"vif", "adm", "motion", "cambi", "float_ssim", "float_psnr", "float_motion"})
                EXPECT_EQ(use_feature(vmaf, feature), 0);
            EXPECT_EQ(use_feature(vmaf, "psnr", {{"enable_chroma", "false"}}), 0);
        }),
        std::vector<std::string>());
}

TEST_F(ChromaWarning, IsNotGivenForOtherPicturesThanThoseOfADevicePool)
{
    for (const auto method : {VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST,
                              VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED})
        EXPECT_EQ(warnings_of([&](VmafContext *vmaf) {
                      EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
                      EXPECT_EQ(preallocate(vmaf, method), 0);
                      EXPECT_EQ(use_feature(vmaf, "ciede"), 0);
                  }),
                  std::vector<std::string>())
            << method;
}

TEST_F(ChromaWarning, IsNotGivenForPicturesWithoutChroma)
{
    constexpr PictureFormat kGrey{VMAF_PIX_FMT_YUV400P, 8, 64, 64};
    EXPECT_EQ(warnings_of([&](VmafContext *vmaf) {
                  EXPECT_EQ(use_feature(vmaf, "psnr"), 0);
                  EXPECT_EQ(preallocate(vmaf, kGrey), 0);
                  EXPECT_EQ(use_feature(vmaf, "ssimulacra2"), 0);
              }),
              std::vector<std::string>());
}

// The warning is true: if the client writes luma only, the chroma of two pictures is equal.
TEST_F(ChromaWarning, SpeaksOfNeutralPlanes)
{
    for (const unsigned bpc : {8U, 10U, 16U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV422P, bpc, 33, 17};
        const Context context = open_on_device(format, Feeding::device);
        VmafPicture picture{};
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &picture), 0);
        client_->cuda().cuCtxPushCurrent(client_->context());
        for (unsigned plane = 1; plane < 3; ++plane)
            for (unsigned y = 0; y < picture.h[plane]; ++y) {
                std::vector<unsigned char> row(picture.w[plane] * format.sample_bytes());
                EXPECT_EQ(client_->cuda().cuMemcpyDtoH(
                              row.data(),
                              reinterpret_cast<CUdeviceptr>(static_cast<unsigned char *>(picture.data[plane]) +
                                                            picture.stride[plane] * static_cast<std::ptrdiff_t>(y)),
                              row.size()),
                          CUDA_SUCCESS);
                for (unsigned x = 0; x < picture.w[plane]; ++x) {
                    const unsigned sample = bpc == 8 ? row[x] : row[2 * x] + 256U * row[2 * x + 1];
                    EXPECT_EQ(sample, 1U << (bpc - 1)) << "plane " << plane << ", row " << y << ", column " << x;
                }
            }
        client_->cuda().cuCtxPopCurrent(nullptr);
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    }
}

} // namespace
} // namespace vmaf::test
