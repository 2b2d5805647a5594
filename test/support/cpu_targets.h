#pragma once

#include <vector>

#include "base/cpu.h"

namespace vmaf::test {

/// All targets that this processor runs.
inline std::vector<CpuTarget> targets()
{
    std::vector<CpuTarget> list;
    for (std::size_t target = 0; target < kCpuTargets; ++target)
        if (cpu_runs(static_cast<CpuTarget>(target)))
            list.push_back(static_cast<CpuTarget>(target));
    return list;
}

inline const char *name_of(CpuTarget target)
{
    constexpr const char *kNames[kCpuTargets] = {"baseline", "sse4", "avx2", "avx2_vnni", "avx512", "avx512_vnni"};
    return kNames[static_cast<std::size_t>(target)];
}

} // namespace vmaf::test
