#pragma once

#include "fault/account.h"
#include "fault/recorder.h"
#include "fault/script.h"

namespace vmaf::test {

/// Runs the script once. A call that fails is repeated once. If it fails again, its session gets no
/// more frames. Close and free are always called.
/// @param columns columns_of(script).
/// @param frames at most this many are fed.
Account run_script(const Script &script, const std::vector<ScoreColumn> &columns, unsigned frames,
                   const VmafDoubleControl &driver, ErrorLines &lines, AroundCalls around = {});

/// States that are never imported, imported twice, freed early, and imported again after the last
/// close.
Account run_states(const DeviceApi &api, bool in_clients_context, const VmafDoubleControl &driver, ErrorLines &lines);

} // namespace vmaf::test
