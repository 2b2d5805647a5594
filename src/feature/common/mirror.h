#pragma once

#include <algorithm>

namespace vmaf {

/// Index -1 -> 1, n -> n-2: reflection that does not repeat the edge sample, as often as it takes
/// (spec vif 3.1). A line of one sample repeats it.
inline unsigned mirror(int index, unsigned size)
{
    const int last = static_cast<int>(size) - 1;
    // One reflection is nearly always enough, and much faster than divisions.
    const int once = index < 0 ? -index : index > last ? 2 * last - index : index;
    if (once >= 0 && once <= last)
        return static_cast<unsigned>(once);
    if (size == 1)
        return 0;
    const int period = 2 * last;
    const int folded = (index % period + period) % period;
    return static_cast<unsigned>(std::min(folded, period - folded));
}

} // namespace vmaf
