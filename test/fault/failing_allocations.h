#pragma once

#include <vector>

#include "fault/account.h"
#include "fault/error_lines.h"
#include "fault/failing_malloc.h"
#include "fault/script.h"

namespace vmaf::test {

/// Lets every allocation of the library in the sessions of a script fail in turn, alone and with
/// all later ones. Allocations of the driver double and of the test do not fail. After each one,
/// judge.h checks the same promises as after a failed driver call.
class FailingAllocations {
  public:
    /// @param prepare what a driver that was reset needs before a run.
    FailingAllocations(const VmafDoubleControl &driver, const Script &script,
                       void (*prepare)(const VmafDoubleControl &driver))
        : driver_(driver), script_(script), prepare_(prepare), columns_(columns_of(script))
    {
    }

    void fail_in_turn();

  private:
    struct Run {
        Account account;
        unsigned long allocations;
        long blocks_more; ///< at the end
    };
    Run run(unsigned frames, unsigned long k, FailMode mode);
    bool fail_allocation(unsigned long k, FailMode mode, const std::vector<Account> &undisturbed);

    const VmafDoubleControl &driver_;
    const Script script_;
    void (*prepare_)(const VmafDoubleControl &driver);
    ErrorLines lines_;
    const std::vector<ScoreColumn> columns_;
};

} // namespace vmaf::test
