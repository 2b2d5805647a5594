#pragma once

#include "base/cpu.h"

namespace vmaf {

/// A table that only says who is called: what was compiled for which target, and how.
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
