#pragma once

#include <algorithm>

namespace vmaf {

/// Index -1 -> 1, n -> n-2: reflection that does not repeat the edge sample, as often as it takes
/// (spec vif 3.1). A line of one sample repeats it.
inline unsigned mirror(int index, unsigned size)
{
    if (size == 1)
        return 0;
    const int period = 2 * (static_cast<int>(size) - 1);
    const int folded = (index % period + period) % period;
    return static_cast<unsigned>(std::min(folded, period - folded));
}

} // namespace vmaf
