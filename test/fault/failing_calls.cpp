#include "fault/failing_calls.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>

#include "fault/call_sites.h"
#include "fault/client_run.h"

namespace vmaf::test {
namespace {

void add_fault(const VmafDoubleControl &driver, const Rule &rule, unsigned long call)
{
    const VmafDoubleFault fault{nullptr, call + 1, rule.lasts == kFromHereOn ? 0UL : 1UL, rule.result,
                                rule.lasts == Fault::Lasts::breaks_the_context ? 1 : 0};
    driver.add_fault(&fault);
}

constexpr std::size_t kShare = 4;

// Takes every kShare-th call, because trying lasting or combined errors at each call takes too
// long.
std::vector<unsigned long> some_of(const std::vector<unsigned long> &calls, std::size_t first)
{
    std::vector<unsigned long> some;
    for (std::size_t i = first; i < calls.size(); i += kShare)
        some.push_back(calls[i]);
    return some;
}

} // namespace

void FailingCalls::of_script(const Script &script) const
{
    ErrorLines lines;
    const std::vector<ScoreColumn> columns = columns_of(script);
    const auto run = [&](unsigned frames) { return run_script(script, columns, frames, driver_, lines); };
    run(script.frames); // makes what the process keeps
    const unsigned long live_before = driver_.live_total();
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
            // Nobody waits for fills of new pictures on the device.
            EXPECT_TRUE(script.pictures == Pictures::device_pool || driver_.waits() == 0) << driver_.wait(0);
        },
        [&](const Account &account, const Faults &faults) { judge.check(account, faults, live_before); },
    };
    subject.check_undisturbed(undisturbed.back());
    fail_in_turn(subject);
}

void FailingCalls::of_states(const DeviceApi &api, bool in_clients_context) const
{
    ErrorLines lines;
    const auto run = [&] { return run_states(api, in_clients_context, driver_, lines); };
    run();
    const unsigned long live_before = driver_.live_total();
    fail_in_turn({
        run,
        [&](const Account &account) { check_undisturbed_states(account, live_before); },
        [&](const Account &account, const Faults &faults) { check_states(account, faults, live_before); },
    });
}

/// A driver without faults, from the first call on.
void FailingCalls::start_anew() const
{
    driver_.reset();
    prepare_(driver_);
}

void FailingCalls::fail_in_turn(const Subject &subject) const
{
    const bool all = std::getenv("VMAF_TEST_ALL_FAULTS") != nullptr;
    unsigned long failed = 0;
    for (const Kind &kind : kinds_) {
        std::set<std::string> entry_points;
        for (const unsigned long call : calls_to_fail(subject, kind, all)) {
            // A second call fails at once, in the consequences of the first, or in later frames.
            constexpr unsigned kDistances[] = {1, 2, 3, 5, 9, 23, 61};
            const unsigned distance = kDistances[failed % std::size(kDistances)];
            const std::string name = fail_call(subject, kind, call, distance);
            // This costs as much again, so each kind of call is followed only once.
            if (entry_points.insert(name).second || all)
                run_undisturbed(subject);
            ++failed;
            if (testing::Test::HasFailure())
                FAIL() << "call " << call << ", " << name << ": " << kind.text << " (" << distance
                       << ')'; // one example is enough
        }
    }
    std::printf("%lu calls failed in turn\n", failed);
}

std::vector<unsigned long> FailingCalls::calls_to_fail(const Subject &subject, const Kind &kind, bool all) const
{
    start_anew();
    const CallSites sites(driver_);
    subject.run();
    if (all) {
        std::vector<unsigned long> calls(driver_.calls());
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

/// Name of the first failed call.
std::string FailingCalls::fail_call(const Subject &subject, const Kind &kind, unsigned long call,
                                    unsigned distance) const
{
    start_anew();
    add_fault(driver_, kind.first, call);
    if (kind.second)
        add_fault(driver_, *kind.second, call + distance);
    if (kind.not_ready > 0) {
        const VmafDoubleFault fault{"cuEventQuery", 1, kind.not_ready == kAlways ? 0UL : kind.not_ready, kNotReady, 0};
        driver_.add_fault(&fault);
    }
    const Account account = subject.run();
    const char *name = driver_.call_name(call);
    std::vector<Fault> faults{{call, name != nullptr ? name : "none", kind.first.result, kind.first.lasts}};
    if (const char *second = driver_.call_name(call + distance); kind.second && second != nullptr)
        faults.push_back({call + distance, second, kind.second->result, kind.second->lasts});
    driver_.heal();
    if (name == nullptr)
        return "none"; // there are fewer calls if events are ready, and a real driver sometimes finishes sooner
    subject.check(account, Faults(faults));
    EXPECT_EQ(driver_.violations(), 0U) << driver_.violation(0);
    if (testing::Test::HasFailure())
        for (const PublicCall &failed : account.calls)
            if (!is_getter(failed.kind) && (failed.error != 0 || !failed.lines.empty()))
                std::printf("%s, driver calls %lu to %lu: %s\n", describe(failed).c_str(), failed.first_driver_call,
                            failed.end_driver_call, failed.lines.empty() ? "" : failed.lines[0].c_str());
    return faults[0].name;
}

void FailingCalls::run_undisturbed(const Subject &subject) const
{
    SCOPED_TRACE("the next session");
    start_anew();
    subject.check_undisturbed(subject.run());
    EXPECT_EQ(driver_.violations(), 0U) << driver_.violation(0);
}

} // namespace vmaf::test
