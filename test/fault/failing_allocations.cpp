#include "fault/failing_allocations.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>

#include "fault/client_run.h"
#include "fault/judge.h"
#include "fault/session_judge.h"

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

/// Counts the library's allocations alone. Those of the calling thread count only inside public
/// calls, and there not inside driver calls.
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

// Only memory can be missing. A call that lacks it logs at most one line.
void check_calls(const Account &account, FailMode mode)
{
    unsigned lines = 0;
    for (const PublicCall &call : account.calls) {
        // If all memory is missing, there may be no session or state to call a function for.
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

} // namespace

FailingAllocations::Run FailingAllocations::run(unsigned frames, unsigned long k, FailMode mode)
{
    driver_.reset();
    prepare_(driver_);
    const OnlyTheLibrarysAllocations only(driver_);
    const long blocks_before = FailingMalloc::live_blocks();
    FailingMalloc::arm(k, mode);
    Run run;
    run.account = run_script(script_, columns_, frames, driver_, lines_, OnlyTheLibrarysAllocations::kAround);
    run.allocations = FailingMalloc::disarm();
    run.blocks_more = FailingMalloc::live_blocks() - blocks_before;
    return run;
}

/// Whether there was such an allocation.
bool FailingAllocations::fail_allocation(unsigned long k, FailMode mode, const std::vector<Account> &undisturbed)
{
    const unsigned long objects_before = driver_.live_total();
    Run run = this->run(script_.frames, k, mode);
    if (run.blocks_more != 0) // a driver's threads may keep or free some at any time; a leak of the library comes again
        run = this->run(script_.frames, k, mode);
    for (const std::string &promise : run.account.broken)
        ADD_FAILURE() << "broken: " << promise;
    EXPECT_EQ(run.blocks_more, 0) << "blocks of memory after the last close and free";
    EXPECT_EQ(run.account.live_at_end, objects_before) << "driver objects after the last close and free";
    EXPECT_EQ(driver_.violations(), 0U) << driver_.violation(0);
    const Faults faults(
        {{~0UL, kAllocation, kOutOfMemory, mode == FailMode::once ? Fault::Lasts::once : Fault::Lasts::from_here_on}});
    check_calls(run.account, mode);
    for (unsigned i = 0; i < run.account.sessions.size(); ++i) {
        const SessionJudge session(script_, columns_, undisturbed, run.account, i, faults);
        mode == FailMode::once ? session.check() : session.check_survivors();
        EXPECT_TRUE(mode == FailMode::from_here_on || !session.lost_frames()) << "lost a frame";
    }
    return run.allocations >= k;
}

void FailingAllocations::fail_in_turn()
{
    run(script_.frames, 0, FailMode::once); // makes what the process keeps
    std::vector<Account> undisturbed;
    for (unsigned frames = 0; frames <= script_.frames; ++frames)
        undisturbed.push_back(run(frames, 0, FailMode::once).account);
    unsigned long failed = 0;
    for (const FailMode mode : {FailMode::once, FailMode::from_here_on})
        for (unsigned long k = 1; fail_allocation(k, mode, undisturbed); ++k) {
            ++failed;
            if (testing::Test::HasFailure())
                FAIL() << "allocation " << k << (mode == FailMode::once ? "" : " and all later ones");
        }
    std::printf("%lu allocations failed in turn\n", failed);
}

} // namespace vmaf::test
