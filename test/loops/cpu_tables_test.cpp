#include <gtest/gtest.h>

#include "sample_loops.h"

// How the table of a target is put together (base/cpu.h), on a table of its own.

namespace vmaf::test {
namespace {

TEST(CpuTables, OverridesDoNotReachTheTargetsBelow)
{
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::baseline);
    for (const auto function : {loops.first, loops.second, loops.by_scale[0], loops.by_scale[1]})
        EXPECT_STREQ(function(), "baseline");
}

#if defined(__x86_64__)

constexpr const char *kOverride = "avx2 with FMA";

/// Nothing of it is executed unless the processor runs it.
bool runs(CpuTarget target)
{
    return cpu_target(0) >= target;
}

TEST(CpuTables, OverridesReplaceSingleMembers)
{
    if (!runs(CpuTarget::avx2) || !__builtin_cpu_supports("fma"))
        GTEST_SKIP() << "no AVX2 with FMA";
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::avx2);
    EXPECT_STREQ(loops.first(), "avx2");
    EXPECT_STREQ(loops.second(), kOverride);
    EXPECT_STREQ(loops.by_scale[0](), "avx2");
    EXPECT_STREQ(loops.by_scale[1](), kOverride);
}

TEST(CpuTables, PlainLoopsOfATargetStandBeforeOverridesOfALowerOne)
{
    if (!runs(CpuTarget::avx512))
        GTEST_SKIP() << "no AVX-512";
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::avx512);
    for (const auto function : {loops.first, loops.second, loops.by_scale[0], loops.by_scale[1]})
        EXPECT_STREQ(function(), "avx512");
}

TEST(CpuTables, ATargetWithoutAFileOfItsOwnTakesTheNextLowerTable)
{
    const CpuTables<SampleLoops> tables({&baseline::kSampleLoops, nullptr, nullptr});
    const SampleLoops &below = baseline::kSampleLoops, &overrides = avx2::kSampleOverrides;
    for (const CpuTarget target : {CpuTarget::avx2, CpuTarget::avx512}) {
        EXPECT_EQ(tables[target].first, below.first);
        EXPECT_EQ(tables[target].second, overrides.second);
        EXPECT_EQ(tables[target].by_scale[0], below.by_scale[0]);
        EXPECT_EQ(tables[target].by_scale[1], overrides.by_scale[1]);
    }
    EXPECT_EQ(tables[CpuTarget::baseline].second, below.second);
}

#endif

} // namespace
} // namespace vmaf::test
