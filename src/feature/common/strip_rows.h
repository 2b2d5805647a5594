#pragma once

#include "base/round_up.h"

namespace vmaf {

/// Rows that a strip may have, down which a block of a kernel walks.
struct StripRowsRange {
    unsigned least, most, step;
};

/// So many rows that all blocks are done soonest, if each begins when another one ends.
/// @param at_once blocks that the device has room for. @param beside rows whose time a block takes
/// besides. @param blocks how many there are with strips of so many rows.
template <class Blocks>
unsigned best_strip_rows(const StripRowsRange &range, unsigned at_once, unsigned beside, Blocks &&blocks)
{
    unsigned best = 0, least_time = ~0U;
    for (unsigned rows = range.least; rows <= range.most; rows += range.step)
        if (const unsigned time = blocks_for(blocks(rows), at_once) * (rows + beside); time < least_time) {
            least_time = time;
            best = rows;
        }
    return best;
}

} // namespace vmaf
