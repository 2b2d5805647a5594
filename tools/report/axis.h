#pragma once

#include <cmath>
#include <vector>

namespace vmaf::tool {

/// A scale of one axis of a plot: values, or their logarithms, to places.
struct Axis {
    double low, high;  ///< values at the ends
    double begin, end; ///< their places
    bool is_logarithmic = false;

    double place(double value) const
    {
        const double share =
            is_logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
        return begin + share * (end - begin);
    }
};

/// Round numbers within the axis, about so many.
std::vector<double> marks(const Axis &axis, double count);

} // namespace vmaf::tool
