#include <gtest/gtest.h>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "fault/failing_calls.h"
#include "feature/cuda_backends.h"
#include "support/registry.h"

// Makes driver calls of whole sessions fail in turn: alone, with all later ones, or with another
// one; as out of memory, as an unknown error, or so that the context is broken (spec cuda 7.2).
// After each failure, judge.h checks everything that spec cuda 3 promises. Runs on the driver
// double, and with VMAF_DOUBLE_FORWARD on a real driver.

namespace vmaf::test {
namespace {

constexpr Kind kKinds[] = {
    {"out of memory, once", {kOnce, kOutOfMemory}},
    {"unknown error, once", {kOnce, kUnknown}},
    {"out of memory, from here on", {kFromHereOn, kOutOfMemory}},
    {"unknown error, from here on", {kFromHereOn, kUnknown}},
    {"illegal address", {Fault::Lasts::breaks_the_context, kIllegalAddress}},
    {"out of memory, then an unknown error", {kOnce, kOutOfMemory}, Rule{kOnce, kUnknown}},
    {"unknown error, then out of memory from there on", {kOnce, kUnknown}, Rule{kFromHereOn, kOutOfMemory}},
    {"out of memory, then an illegal address",
     {kOnce, kOutOfMemory},
     Rule{Fault::Lasts::breaks_the_context, kIllegalAddress}},
    {"some not ready, and an unknown error", {kOnce, kUnknown}, {}, 3},
    {"never ready, and out of memory from here on", {kFromHereOn, kOutOfMemory}, {}, kAlways},
};

class DriverFaults : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
    }
    void TearDown() override { driver_->reset(); }

    FailingCalls failing() const { return {*driver_, kKinds, emulate_kernels_and_recall}; }

  private:
    const VmafDoubleControl *driver_ = loaded_driver_double();
};

class DriverFaultsOfScript : public DriverFaults, public testing::WithParamInterface<Script> {};

TEST_P(DriverFaultsOfScript, KeepEveryPromise)
{
    failing().of_script(GetParam());
}

class DriverFaultsOfStates : public DriverFaults, public testing::WithParamInterface<bool> {};

TEST_P(DriverFaultsOfStates, KeepEveryPromise)
{
    failing().of_states(kCudaApi, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Primary, DriverFaultsOfStates, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Clients, DriverFaultsOfStates, testing::Values(true));

std::vector<Script> scripts()
{
    constexpr const char *kModel = "vmaf_v0.6.1";
    std::vector<Script> list{
        {.name = "model_device", .model = kModel, .in_clients_context = true},
        {.name = "model_device_threads", .model = kModel, .n_threads = 2, .in_clients_context = true},
        {.name = "model_pinned", .pictures = Pictures::pinned_pool, .model = kModel},
        {.name = "model_plain", .pictures = Pictures::plain, .model = kModel},
        {.name = "model_host_pool", .pictures = Pictures::host_pool, .model = kModel},
        {.name = "mixed_device", .features = {"vif_cuda", "psnr", "float_motion"}, .gpumask = 1},
        {.name = "mixed_device_threads",
         .features = {"vif_cuda", "psnr", "float_motion"},
         .n_threads = 2,
         .gpumask = 1},
        {.name = "mixed_plain", .pictures = Pictures::plain, .features = {"vif_cuda", "psnr"}, .gpumask = 1},
        {.name = "mixed_plain_threads",
         .pictures = Pictures::plain,
         .features = {"vif_cuda", "psnr"},
         .n_threads = 2,
         .gpumask = 1},
        {.name = "asks_on_the_way", .model = kModel, .asks_on_the_way = true},
        {.name = "asks_on_the_way_threads",
         .pictures = Pictures::plain,
         .model = kModel,
         .n_threads = 2,
         .asks_on_the_way = true},
        {.name = "late_feature", .features = {"psnr"}, .late_feature = "adm"},
        {.name = "late_feature_plain", .pictures = Pictures::plain, .features = {"motion"}, .late_feature = "psnr"},
        {.name = "two_sessions", .features = {"psnr", "motion"}, .sessions = 2},
        {.name = "subsampled", .features = {"vif"}, .subsample = 2, .frames = 5},
        {.name = "subsampled_plain",
         .pictures = Pictures::plain,
         .features = {"vif", "motion"},
         .subsample = 2,
         .frames = 5},
        {.name = "preallocates_again", .features = {"psnr"}, .preallocates_again = true},
        {.name = "holds_pictures", .features = {"psnr"}, .held_at_close = 5},
        {.name = "holds_pinned_pictures",
         .pictures = Pictures::pinned_pool,
         .features = {"psnr"},
         .preallocates_again = true,
         .held_at_close = 3},
        {.name = "starts_over",
         .pictures = Pictures::pinned_pool,
         .features = {"psnr"},
         .starts_over = true,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "starts_over_device",
         .features = {"psnr_cuda", "float_motion"},
         .gpumask = 1,
         .starts_over = true,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "without_flush", .model = kModel, .flushes = false},
        {.name = "in_flight_at_close",
         .pictures = Pictures::plain,
         .features = {"psnr", "motion"},
         .flushes = false,
         .asks_at_the_end = false,
         .held_at_close = 0,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "in_flight_at_close_device",
         .features = {"psnr"},
         .flushes = false,
         .asks_at_the_end = false,
         .held_at_close = 2,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "lent_device", .pictures = Pictures::lent_device, .features = {"psnr", "motion"}},
        {.name = "lent_device_model",
         .pictures = Pictures::lent_device,
         .model = kModel,
         .n_threads = 2,
         .asks_on_the_way = true},
        {.name = "lent_device_mixed",
         .pictures = Pictures::lent_device,
         .features = {"motion_cuda", "psnr", "float_motion"},
         .n_threads = 2,
         .gpumask = 1},
        {.name = "lent_host_mixed",
         .pictures = Pictures::lent_host,
         .features = {"psnr_cuda", "float_motion", "float_psnr"},
         .n_threads = 2,
         .gpumask = 1},
        {.name = "scaled_device",
         .pictures = Pictures::lent_device,
         .are_scaled = true,
         .features = {"psnr", "motion"},
         .flushes = false},
        {.name = "scaled_host_mixed",
         .pictures = Pictures::lent_host,
         .are_scaled = true,
         .features = {"psnr_cuda", "float_motion"},
         .n_threads = 2,
         .gpumask = 1},
        {.name = "luma_boxes",
         .pictures = Pictures::lent_device,
         .sums_luma = true,
         .features = {"psnr"},
         .time = VMAF_DOUBLE_AFTER_QUERIES,
         .queries = 2},
        {.name = "scaled_luma_boxes",
         .pictures = Pictures::lent_device,
         .are_scaled = true,
         .sums_luma = true,
         .features = {"psnr"}},
        {.name = "lent_in_flight_at_close",
         .pictures = Pictures::lent_device,
         .features = {"psnr", "motion"},
         .flushes = false,
         .asks_at_the_end = false,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "lent_host_in_flight_at_close",
         .pictures = Pictures::lent_host,
         .features = {"psnr", "motion"},
         .flushes = false,
         .asks_at_the_end = false,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
        {.name = "lent_slow",
         .pictures = Pictures::lent_device,
         .features = {"psnr", "motion"},
         .subsample = 2,
         .frames = 5,
         .time = VMAF_DOUBLE_AFTER_QUERIES,
         .queries = 2},
        {.name = "slow_device", .model = kModel, .time = VMAF_DOUBLE_AFTER_QUERIES, .queries = 2},
        {.name = "slow_plain",
         .pictures = Pictures::plain,
         .features = {"vif_cuda", "psnr"},
         .gpumask = 1,
         .time = VMAF_DOUBLE_ON_SYNCHRONISE},
    };
    for (const CudaBackend *backend : cuda_backends()) {
        const std::string name = std::string("alone_") + backend->spec->name;
        const PictureFormat format = small_format(*backend->spec);
        list.push_back({.name = name + "_device", .format = format, .features = {backend->spec->name}, .frames = 3});
        list.push_back({.name = name + "_plain",
                        .pictures = Pictures::plain,
                        .format = format,
                        .features = {backend->spec->name},
                        .frames = 3});
    }
    return list;
}

INSTANTIATE_TEST_SUITE_P(Every, DriverFaultsOfScript, testing::ValuesIn(scripts()),
                         [](const testing::TestParamInfo<Script> &script) { return script.param.name; });

} // namespace
} // namespace vmaf::test
