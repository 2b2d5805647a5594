#pragma once

#include <array>
#include <string>
#include <string_view>

namespace vmaf::tool {

/// One --fail_under argument (spec cli 10.5).
struct GateSpec {
    std::string metric;             ///< a column or aggregate; empty: the first model
    std::string statistic = "mean"; ///< one of kGateStatistics
    double least = 0;
};

inline constexpr std::array kGateStatistics{"mean", "harmonic_mean", "min", "p1", "p5", "median", "max"};

/// Throws UsageError.
GateSpec parse_gate_spec(std::string_view text);

} // namespace vmaf::tool
