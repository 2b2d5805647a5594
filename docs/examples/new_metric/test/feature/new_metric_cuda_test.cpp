#include "feature/float_cuda_checks.h"
#include "feature/new_metric/new_metric.h"

namespace vmaf {

extern const CudaBackend kNewMetricCuda; // the template is in no list

namespace test {
namespace {

TEST(NewMetricCuda, EqualsCpuAtEverySmallSizeAndDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 65; width += 7)
        for (unsigned height = 1; height <= 17; height += 2)
            for (const unsigned bpc : {8U, 10U, 16U})
                for (const PlaneLayout &layout : {PlaneLayout{}, unaligned_layout(bpc)})
                    expect_cpu_sums<NewMetricSums>(*gpu, kNewMetricCuda, luma_only(bpc, width, height), {}, layout);
}

TEST(NewMetricCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_batches_of_any_size<NewMetricSums>(*gpu, kNewMetricCuda, luma_only(10, 131, 67), 5);
}

} // namespace
} // namespace test
} // namespace vmaf
