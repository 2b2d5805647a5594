#pragma once

#include <algorithm>
#include <vector>

namespace vmaf::bench {

/// The upper one of two medians. Not for an empty list.
inline double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace vmaf::bench
