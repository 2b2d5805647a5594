#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <functional>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "fault/client_run.h"
#include "fault/failing_malloc.h"
#include "fault/judge.h"
#include "fault/session_judge.h"
#include "feature/cuda_backends.h"

// Every allocation that the library makes in sessions on the driver double is made to fail in turn,
// alone and with all later ones. What the double and the test themselves allocate does not fail.
// After each, as after a driver's fault: judge.h.

namespace vmaf::test {
namespace {

void suspend(const char *, void *)
{
    FailingMalloc::suspend();
}

void resume(const char *, void *)
{
    FailingMalloc::resume();
}

/// The calling thread's allocations are the test's, but for those in public calls, and of these not
/// those in driver calls.
class OnlyTheLibrarysAllocations {
  public:
    explicit OnlyTheLibrarysAllocations(const VmafDoubleControl &driver) : driver_(driver)
    {
        driver.on_calls(suspend, resume, nullptr);
        FailingMalloc::suspend();
    }
    ~OnlyTheLibrarysAllocations()
    {
        FailingMalloc::resume();
        driver_.on_calls(nullptr, nullptr, nullptr);
    }
    OnlyTheLibrarysAllocations(const OnlyTheLibrarysAllocations &) = delete;
    OnlyTheLibrarysAllocations &operator=(const OnlyTheLibrarysAllocations &) = delete;

    static constexpr AroundCalls kAround{FailingMalloc::resume, FailingMalloc::suspend};

  private:
    const VmafDoubleControl &driver_;
};

// No memory is the one thing that can be wrong, and a call that lacks it says so in one line at
// most.
void check_calls(const Account &account, FailMode mode)
{
    unsigned lines = 0;
    for (const PublicCall &call : account.calls) {
        // While all memory is lacking, there may be no session or state to call for.
        const bool has_nothing = is_getter(call.kind) || call.kind == CallKind::flush || mode == FailMode::from_here_on;
        EXPECT_TRUE(call.error == 0 || call.error == -ENOMEM || (has_nothing && call.error == -EINVAL))
            << describe(call);
        EXPECT_LE(call.lines.size(), 1U) << describe(call) << "\n" << call.lines[1];
        for (const std::string &line : call.lines)
            EXPECT_TRUE(call.error != 0 || line.find(" ERROR ") == std::string::npos) << describe(call) << "\n" << line;
        lines += call.error == -ENOMEM && !call.lines.empty() ? 1 : 0;
    }
    EXPECT_TRUE(lines <= 1 || mode == FailMode::from_here_on) << lines;
}

class FailingCudaAllocations : public testing::TestWithParam<Script> {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
    }
    void TearDown() override { driver_->reset(); }

    Account run(unsigned frames) { return run(frames, 0, FailMode::once).account; }

    struct Run {
        Account account;
        unsigned long allocations;
        long blocks_more; ///< at the end
    };
    Run run(unsigned frames, unsigned long k, FailMode mode)
    {
        driver_->reset();
        emulate_kernels_and_recall(*driver_);
        const OnlyTheLibrarysAllocations only(*driver_);
        const long blocks_before = FailingMalloc::live_blocks();
        FailingMalloc::arm(k, mode);
        Run run;
        run.account = run_script(GetParam(), columns_, frames, *driver_, lines_, OnlyTheLibrarysAllocations::kAround);
        run.allocations = FailingMalloc::disarm();
        run.blocks_more = FailingMalloc::live_blocks() - blocks_before;
        return run;
    }

    /// Whether there was such an allocation.
    bool fail_allocation(unsigned long k, FailMode mode, const std::vector<Account> &undisturbed)
    {
        const unsigned long objects_before = driver_->live_total();
        const Run run = this->run(GetParam().frames, k, mode);
        for (const std::string &promise : run.account.broken)
            ADD_FAILURE() << "broken: " << promise;
        EXPECT_EQ(run.blocks_more, 0) << "blocks of memory after the last close and free";
        EXPECT_EQ(run.account.live_at_end, objects_before) << "driver objects after the last close and free";
        EXPECT_EQ(driver_->violations(), 0U) << driver_->violation(0);
        const Faults faults({{~0UL, kAllocation, kOutOfMemory,
                              mode == FailMode::once ? Fault::Lasts::once : Fault::Lasts::from_here_on}});
        check_calls(run.account, mode);
        for (unsigned i = 0; i < run.account.sessions.size(); ++i) {
            const SessionJudge session(GetParam(), columns_, undisturbed, run.account, i, faults);
            mode == FailMode::once ? session.check() : session.check_survivors();
            EXPECT_TRUE(mode == FailMode::from_here_on || !session.lost_frames()) << "lost a frame";
        }
        return run.allocations >= k;
    }

    const VmafDoubleControl *driver_ = loaded_driver_double();
    ErrorLines lines_;
    const std::vector<ScoreColumn> columns_ = columns_of(GetParam());
};

TEST_P(FailingCudaAllocations, KeepEveryPromise)
{
    run(GetParam().frames); // makes what the process keeps
    std::vector<Account> undisturbed;
    for (unsigned frames = 0; frames <= GetParam().frames; ++frames)
        undisturbed.push_back(run(frames));
    unsigned long failed = 0;
    for (const FailMode mode : {FailMode::once, FailMode::from_here_on})
        for (unsigned long k = 1; fail_allocation(k, mode, undisturbed); ++k) {
            ++failed;
            if (HasFailure())
                FAIL() << "allocation " << k << (mode == FailMode::once ? "" : " and all later ones");
        }
    std::printf("%lu allocations failed in turn\n", failed);
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
