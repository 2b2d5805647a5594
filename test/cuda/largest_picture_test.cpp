#include <gtest/gtest.h>

#include <string>

#include "feature/cuda_backends.h"
#include "support/cuda_client.h"
#include "support/registry.h"

// The largest picture that CUDA backends accept, 16384 x 16384 (spec cuda 5), on a real GPU. Every
// feature with a backend scores it like the CPU.

namespace vmaf::test {
namespace {

constexpr unsigned kSidePx = 16384;
constexpr unsigned kFrames = 2;

/// Noise of eight grey levels around a slope. It is the same for every caller with the same seed.
void fill(const VmafPicture &picture, std::uint32_t seed)
{
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < picture.h[plane]; ++y) {
            auto *row = static_cast<unsigned char *>(picture.data[plane]) + picture.stride[plane] * y;
            for (unsigned x = 0; x < picture.w[plane]; ++x) {
                seed = seed * 1664525U + 1013904223U;
                row[x] = static_cast<unsigned char>((x + y) / 256 + (seed >> 29));
            }
        }
}

/// The feature's first output of the last frame.
double score(VmafContext *context, const FeatureSpec &spec)
{
    const Result<OptionValues> options = OptionValues::parse(spec, OptionDict{});
    const std::string output =
        spec.create(options.value())->outputs({VMAF_PIX_FMT_YUV420P, 8, kSidePx, kSidePx}).front().name;
    EXPECT_EQ(vmaf_use_feature(context, spec.name, nullptr), 0);
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref{}, dis{};
        EXPECT_EQ(vmaf_picture_alloc(&ref, VMAF_PIX_FMT_YUV420P, 8, kSidePx, kSidePx), 0);
        EXPECT_EQ(vmaf_picture_alloc(&dis, VMAF_PIX_FMT_YUV420P, 8, kSidePx, kSidePx), 0);
        fill(ref, frame + 1);
        fill(dis, frame + 100);
        EXPECT_EQ(vmaf_read_pictures(context, &ref, &dis, frame), 0) << spec.name;
    }
    EXPECT_EQ(vmaf_read_pictures(context, nullptr, nullptr, 0), 0) << spec.name;
    double value = -1;
    EXPECT_EQ(vmaf_feature_score_at_index(context, output.c_str(), &value, kFrames - 1), 0) << spec.name;
    return value;
}

class LargestPictureCuda : public testing::TestWithParam<const CudaBackend *> {};

TEST_P(LargestPictureCuda, ScoresLikeTheCpu)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    if (!client)
        GTEST_SKIP() << why;
    if (!takes(*GetParam()->spec, {VMAF_PIX_FMT_YUV420P, 8, kSidePx, kSidePx}))
        GTEST_SKIP() << "the feature takes no such picture";
    const Context cuda = open_context(0), cpu = open_context(0);
    ASSERT_EQ(client->attach(cuda.get(), Clip::get("tiles_176x144_8").spec(), Feeding::plain_host), 0);
    EXPECT_NEAR(score(cuda.get(), *GetParam()->spec), score(cpu.get(), *GetParam()->spec),
                GetParam()->spec->gpu_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Every, LargestPictureCuda, testing::ValuesIn(cuda_backends().begin(), cuda_backends().end()),
                         [](const testing::TestParamInfo<const CudaBackend *> &backend) {
                             return backend.param->spec->name;
                         });

} // namespace
} // namespace vmaf::test
