#include "feature/delta_e_itp/delta_e_itp.h"
#include "feature/delta_e_itp/delta_e_itp_cuda_params.h"
#include "feature/hdr_cuda_checks.h"

namespace vmaf::test {
namespace {

using Cuda = HdrCuda<DeltaEItpSums>;

TEST(DeltaEItpCuda, EqualsCpuAroundTheSizesOfBlocks)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {1U, 2U, kDeltaEItpColumns - 1, kDeltaEItpColumns, kDeltaEItpColumns + 1})
        for (const unsigned height : {1U, 2U, 3U, kDeltaEItpRows, kDeltaEItpRows + 1})
            Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV444P, 8, width, height});
    // One block counts the digits of 128 x 128 pixels. Taller pictures need a second block.
    static_assert(kDeltaEItpCountPixels == 128 * 128);
    for (const unsigned height : {127U, 128U, 129U})
        Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums({VMAF_PIX_FMT_YUV400P, 10, 128, height});
}

TEST(DeltaEItpCuda, EqualsCpuForEveryContentAndSignal)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums_of_every_content();
    Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums_of_every_signal();
}

TEST(DeltaEItpCuda, EqualsCpuForEveryFormatDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums_of_every_format_and_depth();
}

TEST(DeltaEItpCuda, EqualsCpuInBatchesAndParts)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Cuda(*gpu, kDeltaEItpCuda)
        .expect_cpu_sums_of_batches({VMAF_PIX_FMT_YUV420P, 10, 131, 19}, hdr_oracle::options_of({4, "pq", "bt2020"}));
}

// Neighbours of the percentile that differ in the last digit only, and in the first.
TEST(DeltaEItpCuda, FindsThePercentileAmongCloseDifferences)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned step : {1U, 7U, 500U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, 16, 101, 7};
        TestPicture ref(format), dis(format);
        ref.fill([](unsigned, unsigned, unsigned) { return 20000; });
        dis.fill([&](unsigned, unsigned x, unsigned y) { return 20500 + (x + 101 * y) * step % 40000; });
        FloatCuda<DeltaEItpSums> feature(*gpu, kDeltaEItpCuda, format);
        const FramePlanes planes = planes_of(ref, dis);
        const DeviceFrame device(*gpu, planes);
        const DeltaEItpSums sums = feature.cuda({device.frame()})[0], expected = feature.cpu(planes);
        EXPECT_EQ(sums.percentile, expected.percentile) << step;
    }
}

TEST(DeltaEItpCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Cuda(*gpu, kDeltaEItpCuda).expect_cpu_sums_of_every_clip();
}

} // namespace
} // namespace vmaf::test
