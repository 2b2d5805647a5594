#pragma once

#include <string>
#include <vector>

#include "fault/account.h"
#include "fault/fault.h"
#include "fault/script.h"

namespace vmaf::test {

/// Checks the library's promises for a run with faults (spec cuda 3). Reports breaches as
/// GoogleTest failures.
class Judge {
  public:
    /// @param undisturbed accounts of the same script without a fault: number m is of a session
    /// with m frames.
    Judge(const Script &script, const std::vector<ScoreColumn> &columns, const std::vector<Account> &undisturbed)
        : script_(script), columns_(columns), undisturbed_(undisturbed)
    {
    }

    /// @param live_before driver objects that are not the library's.
    void check(const Account &account, const Faults &faults, unsigned long live_before) const;
    /// Checks a run without a fault.
    void check_undisturbed(const Account &account, unsigned long live_before) const;

  private:
    const Script &script_;
    const std::vector<ScoreColumn> &columns_;
    const std::vector<Account> &undisturbed_;
};

/// Checks a run of a script that computes no scores. The second function is for a run without
/// faults.
void check_states(const Account &account, const Faults &faults, unsigned long live_before);
void check_undisturbed_states(const Account &account, unsigned long live_before);

bool is_getter(CallKind kind);
/// Whether no driver call fails in it.
bool can_succeed(const PublicCall &call, const Faults &faults);
std::string describe(const PublicCall &call);

} // namespace vmaf::test
