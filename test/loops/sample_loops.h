#pragma once

#include "base/cpu.h"

namespace vmaf {

/// A table whose functions only say who they are: for which target they were compiled, and how.
struct SampleLoops {
    const char *(*first)();
    const char *(*second)();
    const char *(*by_scale[2])();
};

#if defined(__x86_64__)
VMAF_DECLARE_CPU_OVERRIDES(SampleLoops, avx2, kSampleOverrides)
#endif
VMAF_DECLARE_CPU_VARIANTS(SampleLoops, kSampleLoops)

} // namespace vmaf
