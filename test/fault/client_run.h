#pragma once

#include "fault/account.h"
#include "fault/recorder.h"
#include "fault/script.h"

namespace vmaf::test {

/// Runs it once; a call that fails is repeated once, and its session is fed no more if it fails
/// again. Close and free always come.
/// @param columns columns_of(script).
/// @param frames how many to feed at most.
Account run_script(const Script &script, const std::vector<ScoreColumn> &columns, unsigned frames,
                   const VmafDoubleControl &driver, ErrorLines &lines, AroundCalls around = {});

/// States that are never imported, imported twice, freed early and imported again after the last
/// close.
Account run_states(const DeviceApi &api, bool in_clients_context, const VmafDoubleControl &driver, ErrorLines &lines);

} // namespace vmaf::test
