#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// Expects scores that depend on logarithms, powers or exponentials. The expected ones come from
/// the GNU C library; other C libraries differ in the last digits.
namespace vmaf::test {

inline bool is_the_score(double score, double expected)
{
#ifdef __GLIBC__
    return score == expected;
#else
    constexpr double kLastDigits = 1e-10; // for the spread of a collection; scores are within 1e-11
    return score == expected || std::abs(score - expected) <= kLastDigits * std::max(1.0, std::abs(expected));
#endif
}

inline ::testing::AssertionResult are_the_scores(const std::vector<double> &scores, std::span<const double> expected)
{
    if (std::equal(scores.begin(), scores.end(), expected.begin(), expected.end(), is_the_score))
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << ::testing::PrintToString(scores) << " instead of "
                                         << ::testing::PrintToString(std::vector(expected.begin(), expected.end()));
}

} // namespace vmaf::test
