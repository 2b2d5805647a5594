#include "alignment/lag_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vmaf::tool {
namespace {

/// Rounding alone makes equal pictures differ that much, in codes².
constexpr float kRounding = 0.1F;
constexpr float kUnknown = std::numeric_limits<float>::infinity();
constexpr double kFlatVariance = 6;
/// A flat frame of another level, in codes².
constexpr double kOtherLevel = 36;

} // namespace

LagCosts::LagCosts(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames)
    : ref_(ref), dis_(dis), most_(most_frames),
      shift_(static_cast<long>(dis.first_frame) - static_cast<long>(ref.first_frame)), likely_(most_frames),
      changes_(ref_.frames()), distances_(lags())
{
    for (std::size_t i = 1; i < ref_.frames(); ++i) {
        constexpr float kHeld = 0.1F;
        changes_[i] = {1, static_cast<float>(Descriptors::distance(ref_, i, ref_, i - 1))};
        if (i < 2)
            continue;
        const auto of_two = static_cast<float>(Descriptors::distance(ref_, i, ref_, i - 2));
        if (changes_[i].distance < kHeld * of_two)
            changes_[i] = {2, of_two};
    }
}

float LagCosts::distance_of(std::size_t frame, std::size_t k, float least) const
{
    // Codecs repeat what moves too little to be worth its bits, so an encode's pictures lie between
    // two of the reference: farther back, the larger its errors are beside the motion. In x264's
    // encodes by 0.14 times their ratio on average. By how much, follows from the three distances.
    constexpr float kStalePerError = 0.3F, kStalest = 0.7F;
    const Change change = changes_[static_cast<std::size_t>(ref_position(frame, k))];
    const float now = distances_[k];
    const float before = k + change.frames < lags() ? distances_[k + change.frames] : kUnknown;
    const float motion = change.distance;
    if (before == kUnknown || motion == 0)
        return now;
    const float along = (now + motion - before) / 2; // of the way back, times its length
    const float stalest = std::min(kStalest, kStalePerError * least / motion);
    const float part = std::clamp(along / motion, 0.F, stalest);
    return std::max(0.F, now - 2 * part * along + part * part * motion);
}

LagCosts::Fit LagCosts::costs_of(std::size_t frame, std::span<float> costs)
{
    constexpr float kFarthest = 20.1F; // exp(kMost)
    float least = kUnknown;
    const auto distance = [&](std::size_t k) {
        const long i = ref_position(frame, k);
        if (i < 0 || i >= ref_frames())
            return kUnknown;
        const auto position = static_cast<std::size_t>(i);
        if (Descriptors::least_distance(ref_, position, dis_, frame) > (least + kRounding) * kFarthest)
            return kUnknown;
        return static_cast<float>(Descriptors::distance(ref_, position, dis_, frame));
    };
    // The lag of the frame before tells early what is too far away.
    least = distance(likely_);
    for (std::size_t k = 0; k < lags(); ++k) {
        distances_[k] = distance(k);
        if (distances_[k] < least) {
            least = distances_[k];
            likely_ = k;
        }
    }
    const float nearest = least;
    const float farthest = (least + kRounding) * kFarthest;
    for (std::size_t k = 0; k < lags(); ++k) {
        costs[k] = distances_[k] < farthest ? distance_of(frame, k, nearest) : kUnknown;
        least = std::min(least, costs[k]);
    }
    const float log_least = std::log(least + kRounding);
    for (std::size_t k = 0; k < lags(); ++k) {
        const long i = ref_position(frame, k);
        if (i < 0 || i >= ref_frames())
            costs[k] = kOutside;
        else
            costs[k] = costs[k] == kUnknown ? kMost : std::min(kMost, std::log(costs[k] + kRounding) - log_least);
    }
    Fit fit;
    const double variance = dis_.variance(frame);
    fit.is_flat = variance < kFlatVariance;
    fit.shows_none = fit.is_flat ? least > kOtherLevel : least > variance;
    return fit;
}

} // namespace vmaf::tool
