#pragma once

// For hot loops that the compiler does not vectorise well (adr/0008): the operations that they are written in, for the target
// that the file is compiled for. Like the loops themselves, everything is local to the file (base/cpu.h).

#include <cstddef>
#include <cstdint>

#if defined(__AVX512BW__)
#include "base/vectors_avx512.h"
#elif defined(__AVX2__)
#include "base/vectors_avx2.h"
#elif defined(__SSE4_1__)
#include "base/vectors_sse4.h"
namespace vmaf::VMAF_CPU_TARGET {
using Vectors = Sse4Vectors;
}
#elif defined(__SSE2__)
#include "base/vectors_sse2.h"
namespace vmaf::VMAF_CPU_TARGET {
using Vectors = Sse2Vectors;
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include "base/vectors_neon.h"
#else
#include "base/vectors_plain.h"
#endif
