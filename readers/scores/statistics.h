#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

/// What a column of scores is summed up to (spec cli 10.2).
namespace vmaf::tool {

struct Statistics {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    std::size_t scored = 0;  ///< values that all others are taken over
    std::size_t missing = 0; ///< values left out: not there, or not finite
    double mean = kNone;     ///< this and the following: kNone if nothing is scored
    double harmonic_mean = kNone;
    double min = kNone;
    double p1 = kNone;
    double p5 = kNone;
    double median = kNone;
    double max = kNone;
    double stddev = kNone; ///< of the whole population
};

/// @param scores a missing one is NaN.
Statistics statistics_of(std::span<const double> scores);

/// A statistic by name, as options and reports call it.
struct StatisticName {
    const char *name;
    const char *heading; ///< of a table's column
    double Statistics::*value;
};

inline constexpr std::array kStatisticNames{
    StatisticName{"mean", "mean", &Statistics::mean},
    StatisticName{"harmonic_mean", "harmonic", &Statistics::harmonic_mean},
    StatisticName{"min", "min", &Statistics::min},
    StatisticName{"p1", "1 %", &Statistics::p1},
    StatisticName{"p5", "5 %", &Statistics::p5},
    StatisticName{"median", "median", &Statistics::median},
    StatisticName{"max", "max", &Statistics::max},
    StatisticName{"stddev", "stddev", &Statistics::stddev},
};

} // namespace vmaf::tool
