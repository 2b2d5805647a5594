#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "fault/failing_malloc.h"
#include "feature/cuda_backends.h"
#include "support/cuda_client.h"

// Once a session with a device is under way, a frame allocates nothing: no heap block, no driver
// object, and nothing that waits for the whole device (docs/memory-and-threads.md, spec cuda 2).
// Runs on the driver double, whose own allocations do not count.

namespace vmaf::test {
namespace {

constexpr unsigned kFirst = 64, kFrames = 64;
constexpr unsigned long kMany = 50; // fewer than one a frame
static_assert(kMany < kFrames);

struct Setup {
    std::string name;
    std::vector<const char *> features;
    Feeding feeding;
    bool demands = false; ///< names of features for the device; the others run on the CPU
};

class CudaFrameAllocations : public testing::TestWithParam<Setup> {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
        driver_->reset();
        if (GetParam().features.front() == std::string_view("float_motion"))
            emulate_kernels_and_recall(*driver_); // its sums name the frame; the other features' sums may be zero
        driver_->on_calls([](const char *, void *) { FailingMalloc::suspend(); },
                          [](const char *, void *) { FailingMalloc::resume(); }, nullptr);
    }
    void TearDown() override { driver_->reset(); }

    /// Heap allocations of kFrames frames after kFirst. If there are kMany, the next kFrames are
    /// counted instead, up to `attempts` times in all.
    unsigned long allocations_of_frames(unsigned n_threads, unsigned attempts) const
    {
        std::string why;
        const std::unique_ptr<CudaClient> client = CudaClient::open(why);
        const Clip &clip = Clip::get("tiles_256x192_12");
        const ClipSpec &spec = clip.spec();
        const Context context = GetParam().demands ? open_with_features_on_cpu(n_threads) : open_context(n_threads);
        EXPECT_EQ(client->attach(context.get(), spec, GetParam().feeding), 0);
        if (GetParam().feeding == Feeding::plain_host) { // pictures of a pool are not allocated again
            EXPECT_EQ(vmaf_cuda_preallocate_pictures(context.get(), {{spec.width, spec.height, spec.bits, spec.pix_fmt},
                                                                     VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST}),
                      0);
        }
        for (const char *feature : GetParam().features)
            EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
        const auto feeding = GetParam().feeding == Feeding::plain_host ? Feeding::pinned_host : GetParam().feeding;
        unsigned frame = 0;
        const auto feed = [&](unsigned frames) {
            for (const unsigned end = frame + frames; frame < end; ++frame)
                EXPECT_EQ(client->feed(context.get(), clip, frame % spec.frames, frame, feeding), 0);
        };
        feed(kFirst);
        unsigned long allocations = 0;
        do {
            driver_->mark();
            waits_ = driver_->waits();
            FailingMalloc::arm(0, FailMode::once);
            feed(kFrames);
            allocations = FailingMalloc::disarm();
        } while (allocations >= kMany && --attempts > 0);
        waits_ = driver_->waits() - waits_;
        objects_ = 0;
        for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
            objects_ += driver_->made(static_cast<VmafDoubleKind>(kind));
        return allocations;
    }

    const VmafDoubleControl *const driver_ = loaded_driver_double();
    // Counts of the last kFrames frames.
    mutable unsigned long objects_ = 0; ///< driver objects that were made
    mutable unsigned long waits_ = 0;   ///< waits for the whole device
};

TEST_P(CudaFrameAllocations, AreNoneOnceTheSessionHasGotGoing)
{
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_AFTER_QUERIES, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        driver_->set_time(time, 5);
        EXPECT_EQ(allocations_of_frames(0, 1), 0U) << time;
        EXPECT_EQ(objects_, 0U) << time;
        EXPECT_EQ(waits_, 0U) << time;
    }
}

// If threads are delayed, a slot or a picture may be used late for the first time. Their number is
// limited.
TEST_P(CudaFrameAllocations, AreFewWithThreads)
{
    EXPECT_LT(allocations_of_frames(2, 20), kMany);
}

std::vector<Setup> setups()
{
    std::vector<Setup> list;
    const std::pair<const char *, Feeding> feedings[] = {
        {"plain", Feeding::plain_host}, {"pinned", Feeding::pinned_host}, {"device", Feeding::device}};
    for (const auto &[name, feeding] : feedings) {
        for (const CudaBackend *backend : cuda_backends())
            list.push_back({std::string(backend->spec->name) + "_" + name, {backend->spec->name}, feeding});
        list.push_back({std::string("model_") + name, {"vif", "adm", "motion"}, feeding});
        list.push_back({std::string("mixed_") + name,
                        {"psnr_cuda", "motion_cuda", "float_moment", "speed_temporal", "cambi"},
                        feeding,
                        true});
    }
    return list;
}

INSTANTIATE_TEST_SUITE_P(Of, CudaFrameAllocations, testing::ValuesIn(setups()),
                         [](const testing::TestParamInfo<Setup> &tested) { return tested.param.name; });

} // namespace
} // namespace vmaf::test
