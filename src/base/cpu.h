#pragma once

#include <cstdint>

namespace vmaf {

/// Instruction sets that the hot loops are compiled for; each is a superset of the one before.
enum class CpuTarget { baseline, avx2, avx512 };

/// The best target that this processor runs and that the mask does not forbid. Mask bits *disable* (spec abi 3.1):
/// 8 AVX2, 16 AVX-512, 32 AVX-512 of Ice Lake; forbidding a set forbids those above it. Results never depend on the target.
CpuTarget cpu_target(std::uint64_t disabled_mask);

/// The process-wide mask of the last vmaf_init.
void set_cpu_mask(std::uint64_t disabled_mask);
std::uint64_t cpu_mask();

/// Hot loops are plain C++ in files of their own, `*_loops.cpp`, which meson.build compiles once for each target with
/// VMAF_CPU_TARGET naming the namespace (so keep every helper in them in an anonymous namespace and instantiate no
/// template of the standard library: a shared inline function compiled for AVX-512 could be the one that the linker keeps).
/// Each file defines one constant table of function pointers per target:
///
///     namespace vmaf::VMAF_CPU_TARGET { extern const VifLoops kVifLoops = {...}; }
///
/// and its header declares them with VMAF_DECLARE_CPU_VARIANTS(VifLoops, kVifLoops), which gives
/// `const VifLoops &select_kVifLoops(CpuTarget)`.
#if defined(__x86_64__)
#define VMAF_DECLARE_CPU_VARIANTS(Table, name)                                                                         \
    namespace baseline {                                                                                               \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx2 {                                                                                                   \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx512 {                                                                                                 \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    inline const Table &select_##name(CpuTarget target)                                                                \
    {                                                                                                                  \
        return target == CpuTarget::avx512 ? avx512::name : target == CpuTarget::avx2 ? avx2::name : baseline::name;   \
    }
#else
#define VMAF_DECLARE_CPU_VARIANTS(Table, name)                                                                         \
    namespace baseline {                                                                                               \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    inline const Table &select_##name(CpuTarget)                                                                       \
    {                                                                                                                  \
        return baseline::name;                                                                                         \
    }
#endif

} // namespace vmaf
