#include "report/scene_cuts.h"

#include <algorithm>
#include <cstddef>

namespace vmaf::tool {
namespace {

constexpr const char *kDifferenceToFrameBefore = "VMAF_integer_feature_motion_sad_score";
/// Least difference at a cut, in steps of 8 bits. Noise and fades differ less.
constexpr double kLeastDifference = 4;
constexpr double kLeastRatio = 3;

} // namespace

std::vector<unsigned> scene_cuts(const ScoreColumns &scores)
{
    std::vector<unsigned> cuts;
    const ScoreColumn *const column = scores.metric(kDifferenceToFrameBefore);
    if (column == nullptr)
        return cuts;
    const std::vector<double> &differences = column->scores;
    for (std::size_t i = 1; i + 1 < differences.size(); ++i) {
        const bool has_neighbours = scores.frames[i + 1] - scores.frames[i - 1] == 2;
        const double around = std::max(differences[i - 1], differences[i + 1]);
        if (has_neighbours && differences[i] >= std::max(kLeastDifference, kLeastRatio * around))
            cuts.push_back(scores.frames[i]);
    }
    return cuts;
}

} // namespace vmaf::tool
