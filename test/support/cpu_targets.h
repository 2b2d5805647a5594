#pragma once

#include <vector>

#include "base/cpu.h"

namespace vmaf::test {

/// Every target that this processor runs.
inline std::vector<CpuTarget> targets()
{
    std::vector<CpuTarget> list{CpuTarget::baseline};
    for (const CpuTarget target : {CpuTarget::avx2, CpuTarget::avx512, CpuTarget::avx512_vnni})
        if (target <= cpu_target(0))
            list.push_back(target);
    return list;
}

} // namespace vmaf::test
