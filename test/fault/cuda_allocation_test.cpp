#include <gtest/gtest.h>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "fault/failing_allocations.h"
#include "feature/cuda_backends.h"

// Makes every allocation of the library fail in turn, in sessions on the driver double.

namespace vmaf::test {
namespace {

class FailingCudaAllocations : public testing::TestWithParam<Script> {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
    }
    void TearDown() override { driver_->reset(); }

    const VmafDoubleControl *driver_ = loaded_driver_double();
};

TEST_P(FailingCudaAllocations, KeepEveryPromise)
{
    FailingAllocations(*driver_, GetParam(), emulate_kernels_and_recall).fail_in_turn();
}

std::vector<Script> scripts()
{
    std::vector<Script> list{
        {.name = "model_device", .model = "vmaf_v0.6.1", .asks_again = true},
        {.name = "model_pinned", .pictures = Pictures::pinned_pool, .model = "vmaf_v0.6.1", .asks_again = true},
        {.name = "model_plain", .pictures = Pictures::plain, .model = "vmaf_v0.6.1", .asks_again = true},
        {.name = "mixed_device_threads",
         .features = {"vif_cuda", "psnr", "float_motion"},
         .n_threads = 2,
         .gpumask = 1,
         .asks_again = true},
        {.name = "mixed_plain",
         .pictures = Pictures::plain,
         .features = {"vif_cuda", "psnr"},
         .gpumask = 1,
         .asks_again = true},
        {.name = "lent_device",
         .pictures = Pictures::lent_device,
         .features = {"psnr_cuda", "motion_cuda", "float_motion"},
         .gpumask = 1,
         .asks_again = true},
        {.name = "scaled_device",
         .pictures = Pictures::lent_device,
         .are_scaled = true,
         .features = {"psnr_cuda", "motion_cuda"},
         .asks_again = true},
        {.name = "scaled_luma_boxes",
         .pictures = Pictures::lent_device,
         .are_scaled = true,
         .sums_luma = true,
         .features = {"psnr_cuda"},
         .asks_again = true},
        {.name = "lent_host",
         .pictures = Pictures::lent_host,
         .features = {"psnr_cuda", "motion_cuda", "float_motion"},
         .n_threads = 2,
         .gpumask = 1,
         .asks_again = true},
        {.name = "late_feature", .features = {"psnr"}, .late_feature = "adm", .asks_again = true},
        {.name = "two_sessions", .features = {"motion"}, .sessions = 2, .asks_again = true},
        {.name = "ssimulacra2_slow",
         .features = {"ssimulacra2"},
         .preallocates_again = true,
         .asks_again = true,
         .time = VMAF_DOUBLE_AFTER_QUERIES,
         .queries = 1},
    };
    for (const CudaBackend *backend : cuda_backends())
        list.push_back({.name = std::string(backend->spec->name) + "_device",
                        .format = small_format(*backend->spec),
                        .features = {backend->spec->name},
                        .frames = 2,
                        .asks_again = true});
    return list;
}

INSTANTIATE_TEST_SUITE_P(Every, FailingCudaAllocations, testing::ValuesIn(scripts()),
                         [](const testing::TestParamInfo<Script> &script) { return script.param.name; });

} // namespace
} // namespace vmaf::test
