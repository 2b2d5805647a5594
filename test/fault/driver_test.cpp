#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "fault/call_sites.h"
#include "fault/client_run.h"
#include "fault/judge.h"
#include "feature/cuda_backends.h"
#include "support/registry.h"

// Driver calls of whole sessions are made to fail in turn, alone, with all later ones and with
// another one, as out of memory and as an unknown error, or such that the context is broken (spec
// cuda 7.2). After each, everything that spec cuda 3 promises is looked at: judge.h. On the driver
// double, and with VMAF_DOUBLE_FORWARD over a real driver.
//
// VMAF_TEST_ALL_FAULTS=1 makes every call fail; else those that CallSites picks.

namespace vmaf::test {
namespace {

/// A failure among those of a run.
struct Rule {
    Fault::Lasts lasts;
    int result;
};

/// What fails in a run: a call, and another one a little later.
struct Kind {
    const char *text;
    Rule first;
    std::optional<Rule> second = {};
    unsigned not_ready = 0; ///< so many queries of events say falsely that their work is not done; kAlways: all
};
constexpr unsigned kAlways = ~0U;

constexpr auto kOnce = Fault::Lasts::once, kFromHereOn = Fault::Lasts::from_here_on;
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

void add_fault(const VmafDoubleControl &driver, const Rule &rule, unsigned long call)
{
    const VmafDoubleFault fault{nullptr, call + 1, rule.lasts == kFromHereOn ? 0UL : 1UL, rule.result,
                                rule.lasts == Fault::Lasts::breaks_the_context ? 1 : 0};
    driver.add_fault(&fault);
}

constexpr std::size_t kShare = 4;

// Takes every kShare-th call. Trying lasting or combined errors at each call takes too long.
std::vector<unsigned long> some_of(const std::vector<unsigned long> &calls, std::size_t first)
{
    std::vector<unsigned long> some;
    for (std::size_t i = first; i < calls.size(); i += kShare)
        some.push_back(calls[i]);
    return some;
}

/// A run that can be repeated, and what is checked of it.
struct Subject {
    std::function<Account()> run;
    std::function<void(const Account &)> check_undisturbed;
    std::function<void(const Account &, const Faults &)> check;
};

class DriverFaults : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_NE(driver_, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
    }
    void TearDown() override { driver_->reset(); }

    /// A driver without faults, from the first call on.
    void start_anew() const
    {
        driver_->reset();
        emulate_kernels_and_recall(*driver_);
    }

    void fail_calls(const Subject &subject) const
    {
        const bool all = std::getenv("VMAF_TEST_ALL_FAULTS") != nullptr;
        unsigned long failed = 0;
        for (const Kind &kind : kKinds) {
            std::set<std::string> entry_points;
            for (const unsigned long call : calls_to_fail(subject, kind, all)) {
                // Right after it, in what follows from it, in later frames.
                constexpr unsigned kDistances[] = {1, 2, 3, 5, 9, 23, 61};
                const unsigned distance = kDistances[failed % std::size(kDistances)];
                const std::string name = fail_calls(subject, kind, call, distance);
                // It costs as much again, so it follows each kind of call once.
                if (entry_points.insert(name).second || all)
                    run_undisturbed(subject);
                ++failed;
                if (HasFailure())
                    FAIL() << "call " << call << ", " << name << ": " << kind.text << " (" << distance
                           << ')'; // one piece of evidence is enough
            }
        }
        std::printf("%lu calls failed in turn\n", failed);
    }

    const VmafDoubleControl *driver_ = loaded_driver_double();

  private:
    std::vector<unsigned long> calls_to_fail(const Subject &subject, const Kind &kind, bool all) const
    {
        start_anew();
        const CallSites sites(*driver_);
        subject.run();
        if (all) {
            std::vector<unsigned long> calls(driver_->calls());
            std::iota(calls.begin(), calls.end(), 0UL);
            return calls;
        }
        const bool alone = !kind.second && kind.not_ready == 0;
        if (alone && kind.first.lasts == kOnce)
            return sites.representatives(CallSites::Second::yes);
        const std::vector<unsigned long> calls = sites.representatives(CallSites::Second::no);
        if (alone && kind.first.lasts == Fault::Lasts::breaks_the_context)
            return calls;
        return some_of(calls, kind.first.result == kUnknown ? 1 : 0);
    }

    /// The name of the first call.
    std::string fail_calls(const Subject &subject, const Kind &kind, unsigned long call, unsigned distance) const
    {
        start_anew();
        add_fault(*driver_, kind.first, call);
        if (kind.second)
            add_fault(*driver_, *kind.second, call + distance);
        if (kind.not_ready > 0) {
            const VmafDoubleFault fault{"cuEventQuery", 1, kind.not_ready == kAlways ? 0UL : kind.not_ready, kNotReady,
                                        0};
            driver_->add_fault(&fault);
        }
        const Account account = subject.run();
        const char *name = driver_->call_name(call);
        std::vector<Fault> faults{{call, name != nullptr ? name : "none", kind.first.result, kind.first.lasts}};
        if (const char *second = driver_->call_name(call + distance); kind.second && second != nullptr)
            faults.push_back({call + distance, second, kind.second->result, kind.second->lasts});
        driver_->heal();
        if (name == nullptr)
            return "none"; // there are fewer calls if events are not ready, and a real driver is done sooner at times
        subject.check(account, Faults(faults));
        EXPECT_EQ(driver_->violations(), 0U) << driver_->violation(0);
        if (HasFailure())
            for (const PublicCall &failed : account.calls)
                if (!is_getter(failed.kind) && (failed.error != 0 || !failed.lines.empty()))
                    std::printf("%s, driver calls %lu to %lu: %s\n", describe(failed).c_str(), failed.first_driver_call,
                                failed.end_driver_call, failed.lines.empty() ? "" : failed.lines[0].c_str());
        return faults[0].name;
    }

    void run_undisturbed(const Subject &subject) const
    {
        SCOPED_TRACE("the next session");
        start_anew();
        subject.check_undisturbed(subject.run());
        EXPECT_EQ(driver_->violations(), 0U) << driver_->violation(0);
    }
};

class DriverFaultsOfScript : public DriverFaults, public testing::WithParamInterface<Script> {};

TEST_P(DriverFaultsOfScript, KeepEveryPromise)
{
    const Script &script = GetParam();
    ErrorLines lines;
    const std::vector<ScoreColumn> columns = columns_of(script);
    const auto run = [&](unsigned frames) { return run_script(script, columns, frames, *driver_, lines); };
    run(script.frames); // makes what the process keeps
    const unsigned long live_before = driver_->live_total();
    std::vector<Account> undisturbed;
    for (unsigned frames = 0; frames <= script.frames; ++frames) {
        start_anew();
        undisturbed.push_back(run(frames));
    }
    const Judge judge(script, columns, undisturbed);
    const Subject subject{
        [&] { return run(script.frames); },
        [&](const Account &account) {
            judge.check_undisturbed(account, live_before);
            // Fills of new pictures on the device are waited for by nobody.
            EXPECT_TRUE(script.pictures == Pictures::device_pool || driver_->waits() == 0) << driver_->wait(0);
        },
        [&](const Account &account, const Faults &faults) { judge.check(account, faults, live_before); },
    };
    subject.check_undisturbed(undisturbed.back());
    fail_calls(subject);
}

class DriverFaultsOfStates : public DriverFaults, public testing::WithParamInterface<bool> {};

TEST_P(DriverFaultsOfStates, KeepEveryPromise)
{
    ErrorLines lines;
    const auto run = [&] { return run_states(GetParam(), *driver_, lines); };
    run();
    const unsigned long live_before = driver_->live_total();
    fail_calls({
        run,
        [&](const Account &account) { check_undisturbed_states(account, live_before); },
        [&](const Account &account, const Faults &faults) { check_states(account, faults, live_before); },
    });
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
