#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fault/judge.h"
#include "fault/script.h"

namespace vmaf::test {

/// One failure of a run.
struct Rule {
    Fault::Lasts lasts;
    int result;
};

constexpr auto kOnce = Fault::Lasts::once, kFromHereOn = Fault::Lasts::from_here_on;

/// The failures of a run: of one call, and of another one a little later.
struct Kind {
    const char *text;
    Rule first;
    std::optional<Rule> second = {};
    unsigned not_ready = 0; ///< number of event queries that wrongly say that the work is not done; kAlways: all
};
constexpr unsigned kAlways = ~0U;

/// A run that can be repeated, and the checks of it.
struct Subject {
    std::function<Account()> run;
    std::function<void(const Account &)> check_undisturbed;
    std::function<void(const Account &, const Faults &)> check;
};

/// Lets calls of a driver double fail in turn, and checks everything that is promised after each
/// (judge.h).
///
/// With VMAF_TEST_ALL_FAULTS=1 every call fails, otherwise the calls that CallSites picks.
class FailingCalls {
  public:
    /// @param prepare what a driver that was reset needs before a run.
    FailingCalls(const VmafDoubleControl &driver, std::span<const Kind> kinds,
                 void (*prepare)(const VmafDoubleControl &driver))
        : driver_(driver), kinds_(kinds), prepare_(prepare)
    {
    }

    void of_script(const Script &script) const;
    void of_states(const DeviceApi &api, bool in_clients_context) const;

  private:
    void start_anew() const;
    void fail_in_turn(const Subject &subject) const;
    std::vector<unsigned long> calls_to_fail(const Subject &subject, const Kind &kind, bool all) const;
    std::string fail_call(const Subject &subject, const Kind &kind, unsigned long call, unsigned distance) const;
    void run_undisturbed(const Subject &subject) const;

    const VmafDoubleControl &driver_;
    std::span<const Kind> kinds_;
    void (*prepare_)(const VmafDoubleControl &driver);
};

} // namespace vmaf::test
