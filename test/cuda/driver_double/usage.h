#pragma once

#include <gtest/gtest.h>

#include <array>
#include <ostream>

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// What is alive on the driver double, for comparing.
struct DoubleUsage {
    std::array<unsigned long, VMAF_DOUBLE_KINDS> live{}; ///< by VmafDoubleKind
    std::size_t device_bytes = 0;

    static DoubleUsage now(const VmafDoubleControl &driver)
    {
        DoubleUsage usage;
        for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
            usage.live[static_cast<std::size_t>(kind)] = driver.live(static_cast<VmafDoubleKind>(kind));
        usage.device_bytes = driver.live_bytes();
        return usage;
    }
    bool operator==(const DoubleUsage &) const = default;
};

inline std::ostream &operator<<(std::ostream &out, const DoubleUsage &usage)
{
    constexpr const char *kNames[VMAF_DOUBLE_KINDS] = {"contexts",       "pushes",        "streams", "events",
                                                       "device buffers", "pinned blocks", "modules"};
    for (std::size_t kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
        out << usage.live[kind] << ' ' << kNames[kind] << ", ";
    return out << usage.device_bytes << " device bytes";
}

/// Whether `cycle`, run so many times, leaves alive after each but the first what it left after
/// that one, and never takes more device memory at once than in the second. Calls mark().
template <class Cycle>
testing::AssertionResult memory_stays_constant(const VmafDoubleControl &driver, int cycles, Cycle &&cycle)
{
    cycle();
    const DoubleUsage expected = DoubleUsage::now(driver);
    std::size_t peak = 0;
    for (int i = 1; i < cycles; ++i) {
        driver.mark();
        cycle();
        if (const DoubleUsage usage = DoubleUsage::now(driver); !(usage == expected))
            return testing::AssertionFailure() << "after cycle " << i + 1 << ": " << usage << "; before: " << expected;
        if (i == 1)
            peak = driver.peak_bytes();
        if (driver.peak_bytes() > peak)
            return testing::AssertionFailure() << "cycle " << i + 1 << " took " << driver.peak_bytes()
                                               << " device bytes at once, the second " << peak;
    }
    return testing::AssertionSuccess();
}

} // namespace vmaf::test
