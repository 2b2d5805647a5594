#include "feature/vif/vif_log_table.h"

#include <cmath>

namespace vmaf {
namespace {

constexpr unsigned kBlock = 8;

/// spec vif 3.4: T(m) - 30720.
std::uint32_t log_entry(unsigned m)
{
    const float log2_m = static_cast<float>(std::log2(static_cast<double>(m)));
    return static_cast<std::uint32_t>(std::floor(static_cast<double>(log2_m) * 2048 + 0.5)) - 30720;
}

VifLogTable make_table()
{
    VifLogTable table;
    for (unsigned block = 0; block < table.size(); ++block) {
        const unsigned m = 32768 + kBlock * block;
        const std::uint32_t first = log_entry(m);
        unsigned after_step = 0;
        for (unsigned i = 1; i < kBlock; ++i)
            after_step += log_entry(m + i) != first;
        table[block] = kBlock * first + after_step;
    }
    return table;
}

} // namespace

const VifLogTable &vif_log_table()
{
    static const VifLogTable table = make_table();
    return table;
}

} // namespace vmaf
