#pragma once

namespace vmaf {

/// As the specification has it: the second operand wins a tie or a NaN.
inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

} // namespace vmaf
