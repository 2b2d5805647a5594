#pragma once

#include <gtest/gtest.h>

#include "feature/ssim/ssim.h"

namespace vmaf::test {

/// The CPU adds in raster order, the GPU in a tree (spec ssim 5). No term exceeds 1.
inline void expect_near(const SsimSums &cuda, const SsimSums &cpu, double terms)
{
    const double slack = 1e-12 * terms;
    EXPECT_NEAR(cuda.l, cpu.l, slack);
    EXPECT_NEAR(cuda.c, cpu.c, slack);
    EXPECT_NEAR(cuda.s, cpu.s, slack);
    EXPECT_NEAR(cuda.q, cpu.q, slack);
}

} // namespace vmaf::test
