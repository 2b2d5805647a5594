#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace vmaf {

/// Instruction sets that the hot loops are compiled for, the better one later. Each has what those
/// before have, but that AVX-512 does not bring the VNNI of AVX2 with it.
enum class CpuTarget { baseline, sse4, avx2, avx2_vnni, avx512, avx512_vnni };
constexpr std::size_t kCpuTargets = 6;

/// Whether this processor runs what is compiled for a target.
bool cpu_runs(CpuTarget target);

/// The best target that this processor runs and that the mask does not forbid. Mask bits *disable*
/// (spec abi 3.1): 1 SSE2, 2 SSSE3, 4 SSE4.1, 8 AVX2, 16 AVX-512, each with all above it; 32
/// AVX-512 of Ice Lake, here VNNI of either width. Results never depend on the target.
CpuTarget cpu_target(std::uint64_t disabled_mask);

/// The process-wide mask of the last vmaf_init.
void set_cpu_mask(std::uint64_t disabled_mask);
std::uint64_t cpu_mask();

/// Hot loops are plain C++ in files of their own, `*_loops.cpp`, which meson.build compiles once
/// for each target with VMAF_CPU_TARGET naming the namespace (so keep every helper in them in an
/// anonymous namespace and instantiate no template of the standard library: a shared inline
/// function compiled for AVX-512 could be the one that the linker keeps). Each file defines one
/// constant table of function pointers per target:
///
///     namespace vmaf::VMAF_CPU_TARGET { extern const VifLoops kVifLoops = {...}; }
///
/// and its header declares them with VMAF_DECLARE_CPU_VARIANTS(VifLoops, kVifLoops), which gives
/// `const VifLoops &select_kVifLoops(CpuTarget)`.
///
/// Loops that are written in the operations of base/vectors.h are compiled for sse4, avx2_vnni and
/// avx512_vnni too, and are declared with VMAF_DECLARE_VECTOR_VARIANTS; for the others these
/// targets have the next lower ones.
///
/// Code written for one target replaces single members. It lies in a file of its own, compiled with
/// that target's flags and under the same rules (`override_sources` in meson.build), which defines
/// a table with these members alone, the others null:
///
///     namespace vmaf::avx2 { extern constinit const VifLoops kVifOverrides = {.statistic =
///     statistic}; }
///
/// and is declared by VMAF_DECLARE_CPU_OVERRIDES(VifLoops, avx2, kVifOverrides) before the
/// variants. A target's table is made of the plain loops that are compiled for it, or else of the
/// next lower target's table, with the target's overrides. So an override holds for the targets
/// above too, up to the next one that the plain loops are compiled for.
///
/// What every member may rely on and must keep, unless its header says otherwise: a row starts at
/// any element, and has any length from 0 up; what is named is read or written, nothing before or
/// behind it; what is written overlaps nothing else.
#if defined(__x86_64__)
#define VMAF_DECLARE_PLAIN_LOOPS(Table, name)                                                                          \
    namespace baseline {                                                                                               \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx2 {                                                                                                   \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx512 {                                                                                                 \
    extern const Table name;                                                                                           \
    }
#define VMAF_PLAIN_LOOPS(name) &baseline::name, nullptr, &avx2::name, nullptr, &avx512::name, nullptr
#define VMAF_DECLARE_VECTOR_LOOPS(Table, name)                                                                         \
    VMAF_DECLARE_PLAIN_LOOPS(Table, name)                                                                              \
    namespace sse4 {                                                                                                   \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx2_vnni {                                                                                              \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    namespace avx512_vnni {                                                                                            \
    extern const Table name;                                                                                           \
    }
#define VMAF_VECTOR_LOOPS(name)                                                                                        \
    &baseline::name, &sse4::name, &avx2::name, &avx2_vnni::name, &avx512::name, &avx512_vnni::name
#else
#define VMAF_DECLARE_PLAIN_LOOPS(Table, name)                                                                          \
    namespace baseline {                                                                                               \
    extern const Table name;                                                                                           \
    }
#define VMAF_PLAIN_LOOPS(name) &baseline::name
#define VMAF_DECLARE_VECTOR_LOOPS(Table, name) VMAF_DECLARE_PLAIN_LOOPS(Table, name)
#define VMAF_VECTOR_LOOPS(name) VMAF_PLAIN_LOOPS(name)
#endif

#if defined(VMAF_CPU_TARGET)
// Inside the loops there is nothing to select, and no inline function to be shared.
#define VMAF_DECLARE_CPU_VARIANTS(Table, name) VMAF_DECLARE_PLAIN_LOOPS(Table, name)
#define VMAF_DECLARE_VECTOR_VARIANTS(Table, name) VMAF_DECLARE_VECTOR_LOOPS(Table, name)
#define VMAF_DECLARE_CPU_OVERRIDES(Table, target, name)                                                                \
    namespace target {                                                                                                 \
    extern const Table name;                                                                                           \
    }
#else
#define VMAF_SELECT_CPU_VARIANT(Table, name, ...)                                                                      \
    inline const Table &select_##name(CpuTarget target)                                                                \
    {                                                                                                                  \
        static const CpuTables<Table> tables({__VA_ARGS__});                                                           \
        return tables[target];                                                                                         \
    }
#define VMAF_DECLARE_CPU_VARIANTS(Table, name)                                                                         \
    VMAF_DECLARE_PLAIN_LOOPS(Table, name)                                                                              \
    VMAF_SELECT_CPU_VARIANT(Table, name, VMAF_PLAIN_LOOPS(name))
#define VMAF_DECLARE_VECTOR_VARIANTS(Table, name)                                                                      \
    VMAF_DECLARE_VECTOR_LOOPS(Table, name)                                                                             \
    VMAF_SELECT_CPU_VARIANT(Table, name, VMAF_VECTOR_LOOPS(name))
#define VMAF_DECLARE_CPU_OVERRIDES(Table, target, name)                                                                \
    namespace target {                                                                                                 \
    extern const Table name;                                                                                           \
    }                                                                                                                  \
    template <> inline constexpr const Table *kCpuOverrides<Table, CpuTarget::target> = &target::name;

/// The members of a table that are written for a target; null if there are none.
template <class Table, CpuTarget Target> inline constexpr const Table *kCpuOverrides = nullptr;

/// `table` with the members that `overrides` has.
template <class Table> Table with_overrides(const Table &table, const Table &overrides)
{
    using Member = void (*)();
    using Members = std::array<Member, sizeof(Table) / sizeof(Member)>;
    static_assert(sizeof(Members) == sizeof(Table), "a table holds function pointers and nothing else");
    auto members = std::bit_cast<Members>(table);
    const auto replacing = std::bit_cast<Members>(overrides);
    for (std::size_t i = 0; i < members.size(); ++i)
        if (replacing[i] != nullptr)
            members[i] = replacing[i];
    return std::bit_cast<Table>(members);
}

/// The table of every target.
template <class Table> class CpuTables {
  public:
    /// Tables by target; null if the plain loops are not compiled for it.
    using Plain = std::array<const Table *, kCpuTargets>;

    explicit CpuTables(const Plain &plain) : CpuTables(plain, std::make_index_sequence<kCpuTargets>()) {}

    const Table &operator[](CpuTarget target) const { return tables_[static_cast<std::size_t>(target)]; }

  private:
    template <std::size_t... Target> CpuTables(const Plain &plain, std::index_sequence<Target...>)
    {
        const Plain overrides{kCpuOverrides<Table, static_cast<CpuTarget>(Target)>...};
        for (std::size_t target = 0; target < kCpuTargets; ++target) {
            tables_[target] = plain[target] != nullptr ? *plain[target] : tables_[target - 1];
            if (overrides[target] != nullptr)
                tables_[target] = with_overrides(tables_[target], *overrides[target]);
        }
    }

    std::array<Table, kCpuTargets> tables_;
};
#endif

} // namespace vmaf
