#pragma once

#include <cstdint>
#include <vector>

#include "alignment/small_luma.h"

/// Small luma of known frames.
namespace vmaf::test {

/// A film with pictures of 48 x 27 samples, named by numbers. Equal numbers are equal pictures. A
/// texture moves slowly behind one that moves faster. Every 60 pictures both are replaced.
constexpr int kBlack = -1;
tool::SmallLuma small_film(const std::vector<int> &pictures, double noise = 0, unsigned seed = 1);

/// first, first + 1, ...
std::vector<int> pictures(int first, int count);

/// An encode of it: level errors of some codes that stay in place for some frames.
tool::SmallLuma encoded(tool::SmallLuma film, double error, unsigned seed = 2);

} // namespace vmaf::test
