#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comparison/pairing.h"
#include "report/report_json.h"

namespace vmaf::tool {

/// The lag of an encode in a report; empty: no lag was found.
/// @param pairing what is compared, or what was seen without a method.
/// @param frames that were scored.
std::optional<ReportLag> report_lag(const Pairing &pairing, std::size_t frames);

/// The lag of each encode that has one: a curve, and the same as text. Empty:
/// none has.
std::string lag_section(std::span<const SummedEncode> encodes);

} // namespace vmaf::tool
