#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "sample_loops.h"
#include "support/cpu_targets.h"

// How a target is chosen and its table put together (base/cpu.h), tested on a table of its own.

namespace vmaf::test {
namespace {

/// A target, and bits of spec abi 3.1 that forbid the targets before it but not itself.
struct Choice {
    CpuTarget target;
    std::uint64_t mask;
};

class CpuTargets : public testing::TestWithParam<Choice> {};

TEST_P(CpuTargets, IsChosenWhereTheMaskLeavesNoBetterOne)
{
    const auto &[target, mask] = GetParam();
    if (!cpu_runs(target))
        GTEST_SKIP() << "this processor does not have " << name_of(target);
    EXPECT_STREQ(name_of(cpu_target(mask)), name_of(target));
}

INSTANTIATE_TEST_SUITE_P(All, CpuTargets,
                         testing::Values(Choice{CpuTarget::baseline, 1}, Choice{CpuTarget::baseline, 2},
                                         Choice{CpuTarget::baseline, 4}, Choice{CpuTarget::baseline, ~0ULL},
                                         Choice{CpuTarget::sse4, 8}, Choice{CpuTarget::avx2, 16 | 32},
                                         Choice{CpuTarget::avx2_vnni, 16}, Choice{CpuTarget::avx512, 32},
                                         Choice{CpuTarget::avx512_vnni, 0}),
                         [](const testing::TestParamInfo<Choice> &choice) {
                             return std::string(name_of(choice.param.target)) + "_mask_" +
                                    (choice.param.mask == ~0ULL ? "all" : std::to_string(choice.param.mask));
                         });

TEST(CpuTables, OverridesDoNotReachTheTargetsBelow)
{
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::baseline);
    for (const auto function : {loops.first, loops.second, loops.by_scale[0], loops.by_scale[1]})
        EXPECT_STREQ(function(), "baseline");
}

#if defined(__x86_64__)

#if defined(__linux__)
/// Flags of the first processor in /proc/cpuinfo.
std::set<std::string> processor_flags()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("flags")) {
            std::istringstream words(line.substr(line.find(':') + 1));
            return {std::istream_iterator<std::string>(words), {}};
        }
    }
    return {};
}

TEST(CpuTargetList, IsWhatTheSystemSaysOfTheProcessor)
{
    const std::set<std::string> flags = processor_flags();
    const auto has_all = [&](std::initializer_list<const char *> names) {
        return std::all_of(names.begin(), names.end(), [&](const char *name) { return flags.contains(name); });
    };
    const bool avx2 = has_all({"avx2", "fma", "bmi1", "bmi2", "popcnt"});
    const bool avx512 = avx2 && has_all({"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"});
    EXPECT_EQ(cpu_runs(CpuTarget::sse4), has_all({"sse4_1"}));
    EXPECT_EQ(cpu_runs(CpuTarget::avx2), avx2);
    EXPECT_EQ(cpu_runs(CpuTarget::avx2_vnni), avx2 && has_all({"avx_vnni"}));
    EXPECT_EQ(cpu_runs(CpuTarget::avx512), avx512);
    EXPECT_EQ(cpu_runs(CpuTarget::avx512_vnni), avx512 && has_all({"avx512_vnni"}));
}
#endif

constexpr const char *kOverride = "avx2 with FMA";

TEST(CpuTables, OverridesReplaceSingleMembers)
{
    if (!cpu_runs(CpuTarget::avx2))
        GTEST_SKIP() << "no AVX2 with FMA";
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::avx2);
    EXPECT_STREQ(loops.first(), "avx2");
    EXPECT_STREQ(loops.second(), kOverride);
    EXPECT_STREQ(loops.by_scale[0](), "avx2");
    EXPECT_STREQ(loops.by_scale[1](), kOverride);
}

TEST(CpuTables, PlainLoopsOfATargetStandBeforeOverridesOfALowerOne)
{
    if (!cpu_runs(CpuTarget::avx512))
        GTEST_SKIP() << "no AVX-512";
    const SampleLoops &loops = select_kSampleLoops(CpuTarget::avx512);
    for (const auto function : {loops.first, loops.second, loops.by_scale[0], loops.by_scale[1]})
        EXPECT_STREQ(function(), "avx512");
}

TEST(CpuTables, ATargetWithoutAFileOfItsOwnTakesTheNextLowerTable)
{
    const CpuTables<SampleLoops> tables({&baseline::kSampleLoops});
    const SampleLoops &below = baseline::kSampleLoops, &overrides = avx2::kSampleOverrides;
    EXPECT_EQ(tables[CpuTarget::sse4].second, below.second);
    for (const CpuTarget target : {CpuTarget::avx2, CpuTarget::avx2_vnni, CpuTarget::avx512}) {
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
