#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include "libvmaf/libvmaf_ext.h"

/// Statistics of a column of scores (spec cli 10.2).
namespace vmaf::tool {

struct Statistics {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    std::size_t scored = 0;  ///< values that all others are taken over; infinite ones count
    std::size_t missing = 0; ///< frames without a value
    double mean = kNone;     ///< this and the following: kNone if nothing is scored
    double harmonic_mean = kNone;
    double min = kNone;
    double p1 = kNone;
    double p5 = kNone;
    double median = kNone;
    double p95 = kNone;
    double p99 = kNone;
    double max = kNone;
    double stddev = kNone; ///< over all values; kNone if a value is infinite
};

/// @param scores a missing one is NaN.
Statistics statistics_of(std::span<const double> scores);

/// A statistic by name, as options and files call it.
struct StatisticName {
    const char *name;
    double Statistics::*value;
    bool is_score; ///< on the scale of the scores, so that a gate may look at it
};

inline constexpr std::array kStatisticNames{
    StatisticName{"mean", &Statistics::mean, true}, StatisticName{"harmonic_mean", &Statistics::harmonic_mean, true},
    StatisticName{"min", &Statistics::min, true},   StatisticName{"p1", &Statistics::p1, true},
    StatisticName{"p5", &Statistics::p5, true},     StatisticName{"median", &Statistics::median, true},
    StatisticName{"p95", &Statistics::p95, true},   StatisticName{"p99", &Statistics::p99, true},
    StatisticName{"max", &Statistics::max, true},   StatisticName{"stddev", &Statistics::stddev, false},
};

/// Null if there is none of that name.
const StatisticName *find_statistic(std::string_view name);

/// A column of the tables that people read. The worst 1 % of a score that is better the lower it is
/// lie above its 99th percentile.
struct TableStatistic {
    const char *heading;
    double Statistics::*value;
    double Statistics::*if_lower_is_better;

    double of(const Statistics &statistics, VmafDirection direction) const
    {
        return statistics.*(direction == VMAF_DIRECTION_LOWER ? if_lower_is_better : value);
    }
};

inline constexpr TableStatistic kTableMean{"mean", &Statistics::mean, &Statistics::mean};
inline constexpr TableStatistic kTableHarmonicMean{"harmonic", &Statistics::harmonic_mean, &Statistics::harmonic_mean};
inline constexpr TableStatistic kTableWorst1{"worst 1 %", &Statistics::p1, &Statistics::p99};
inline constexpr TableStatistic kTableWorst5{"worst 5 %", &Statistics::p5, &Statistics::p95};
inline constexpr TableStatistic kTableWorst{"worst", &Statistics::min, &Statistics::max};

inline constexpr std::array kTableStatistics{
    kTableMean,
    kTableHarmonicMean,
    TableStatistic{"min", &Statistics::min, &Statistics::min},
    kTableWorst1,
    kTableWorst5,
    TableStatistic{"median", &Statistics::median, &Statistics::median},
    TableStatistic{"max", &Statistics::max, &Statistics::max},
    TableStatistic{"stddev", &Statistics::stddev, &Statistics::stddev},
};

} // namespace vmaf::tool
