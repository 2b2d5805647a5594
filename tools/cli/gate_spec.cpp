#include "cli/gate_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view reason)
{
    throw UsageError(formatted("invalid argument \"{}\" for option --fail_under; {}", printable(text), reason));
}

} // namespace

/// A metric may be a model's name, which may be anything: the last '=' and '@' are those that count.
GateSpec parse_gate_spec(std::string_view text)
{
    GateSpec gate;
    const std::size_t equals = text.rfind('=');
    const std::string_view number = equals == text.npos ? text : text.substr(equals + 1);
    const auto [end, error] = std::from_chars(number.begin(), number.end(), gate.least);
    if (error != std::errc() || end != number.end() || !std::isfinite(gate.least))
        refuse(text, "should be [METRIC[@STATISTIC]=]NUMBER");
    if (equals == text.npos)
        return gate;
    std::string_view metric = text.substr(0, equals);
    if (const std::size_t at = metric.rfind('@'); at != metric.npos) {
        gate.statistic = metric.substr(at + 1);
        metric = metric.substr(0, at);
        if (std::ranges::find(kGateStatistics, std::string_view(gate.statistic)) == kGateStatistics.end())
            refuse(text, "the statistic should be mean, harmonic_mean, min, p1, p5, median or max");
    }
    if (metric.empty())
        refuse(text, "the metric is missing before \"=\" or \"@\"");
    gate.metric = metric;
    return gate;
}

} // namespace vmaf::tool
