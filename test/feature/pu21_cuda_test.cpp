#include "feature/hdr_cuda_checks.h"
#include "feature/pu21/pu21.h"
#include "feature/pu21/pu21_cuda_params.h"
#include "feature/ssim/ssim_cuda_params.h"

namespace vmaf::test {
namespace {

using Psnr = HdrCuda<Pu21PsnrSums>;
using Ssim = HdrCuda<SsimSums>;

TEST(Pu21PsnrCuda, EqualsCpuAroundTheSizesOfBlocks)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {1U, 2U, kPu21Columns - 1, kPu21Columns, kPu21Columns + 1})
        for (const unsigned height : {1U, 2U, 3U, kPu21Rows, kPu21Rows + 1})
            Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV444P, 8, width, height});
}

TEST(Pu21SsimCuda, EqualsCpuAroundTheSizesOfStrips)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {11U, kSsimStripColumns + 10, kSsimStripColumns + 11})
        for (const unsigned height : {11U, kSsimShortStripRows + 10, kSsimShortStripRows + 11})
            Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV420P, 10, width, height});
}

TEST(Pu21PsnrCuda, EqualsCpuForEveryContentAndSignal)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums_of_every_content();
    Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums_of_every_signal();
}

TEST(Pu21SsimCuda, EqualsCpuForEveryContentAndSignal)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums_of_every_content();
    Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums_of_every_signal();
}

TEST(Pu21PsnrCuda, EqualsCpuForEveryDisplay)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *transfer : {"sdr", "pq", "hlg"})
        for (const char *peak : {"0", "300", "1500"}) {
            Options options = hdr_oracle::options_of({4, transfer, "bt2020"});
            options.emplace_back("display_peak", peak);
            options.emplace_back("display_ambient", "50");
            Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV420P, 10, 37, 13}, options);
            Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV420P, 10, 37, 13}, options);
        }
}

TEST(Pu21PsnrCuda, EqualsCpuForEveryFormatDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums_of_every_format_and_depth();
}

TEST(Pu21SsimCuda, EqualsCpuForEveryFormatDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums_of_every_format_and_depth();
}

TEST(Pu21PsnrCuda, EqualsCpuInBatches)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const Options pq = hdr_oracle::options_of({4, "pq", "bt2020"});
    Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums_of_batches({VMAF_PIX_FMT_YUV420P, 10, 131, 19}, pq);
    Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums_of_batches({VMAF_PIX_FMT_YUV420P, 10, 83, 19}, pq);
}

TEST(Pu21PsnrCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Psnr(*gpu, kPu21PsnrCuda).expect_cpu_sums_of_every_clip();
}

TEST(Pu21SsimCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Ssim(*gpu, kPu21SsimCuda).expect_cpu_sums_of_every_clip();
}

} // namespace
} // namespace vmaf::test
