#include "alignment/course.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

namespace vmaf::tool {
namespace {

constexpr float kStart = 0.05F; ///< cost of a lag other than 0 at the start

/// Cost of a frame, also of one before or after the reference's.
float inside(float cost)
{
    constexpr float kOutsideCost = 0.4F;
    return cost == LagCosts::kOutside ? kOutsideCost : cost;
}

/// Looks for the cheapest course.
class Search {
  public:
    explicit Search(LagCosts &costs) : costs_(costs), totals_(costs.lags()), before_(totals_), row_(totals_)
    {
        // The longer a video is, the more of its changes of lag are noise.
        constexpr float kChange = 0.5F, kOfLength = 0.25F, kFrames = 240;
        change_ = kChange + kOfLength * std::log(std::max(1.F, static_cast<float>(costs.frames()) / kFrames));
        std::ranges::fill(totals_, kStart);
        totals_[totals_.size() / 2] = 0;
    }

    Course find()
    {
        for (std::size_t j = 0; j < costs_.frames(); ++j) {
            const LagCosts::Fit fit = costs_.costs_of(j, row_);
            found_.shows_none.push_back(fit.shows_none);
            if (j > 0)
                move(fit.shows_none || fit.is_flat);
            if (!fit.shows_none && !fit.is_flat)
                for (std::size_t k = 0; k < totals_.size(); ++k)
                    totals_[k] += inside(row_[k]);
            const float least = *std::ranges::min_element(totals_);
            for (float &total : totals_)
                total -= least; // so that sums stay small
            if (from_.size() >= (kCommitted + kAhead) * totals_.size())
                commit(kCommitted);
        }
        commit(known());
        return std::move(found_);
    }

  private:
    /// Frames are settled when so many later ones are known.
    static constexpr std::size_t kAhead = 1024, kCommitted = 1024;

    /// Frames that are not settled.
    std::size_t known() const { return costs_.frames() == 0 ? 0 : from_.size() / totals_.size() + 1; }

    /// Move the costs from one frame to the next.
    void move(bool says_nothing)
    {
        const std::size_t lags = totals_.size(), first = from_.size();
        from_.resize(first + lags);
        before_.swap(totals_);
        const float repeat = says_nothing ? change_ / 8 : change_;
        // Repeated frames are often made up for by dropped ones: two changes, but one cause.
        const float drop = change_ / 2;
        std::size_t later = lags - 1; // the cheapest lag above
        for (std::size_t k = lags; k-- > 0;) {
            float total = before_[k];
            std::size_t source = k;
            if (k > 0 && before_[k - 1] + repeat < total) {
                total = before_[k - 1] + repeat;
                source = k - 1;
            }
            if (before_[later] + drop < total) {
                total = before_[later] + drop;
                source = later;
            }
            if (before_[k] < before_[later])
                later = k;
            totals_[k] = total;
            from_[first + k] = static_cast<std::uint16_t>(source);
        }
    }

    /// Follow the cheapest course back and keep its first frames.
    void commit(std::size_t frames)
    {
        auto k = static_cast<std::size_t>(std::ranges::min_element(totals_) - totals_.begin());
        std::vector<std::size_t> path(known());
        for (std::size_t j = path.size(); j-- > 0;) {
            path[j] = k;
            if (j > 0)
                k = from_[(j - 1) * totals_.size() + k];
        }
        found_.lags.insert(found_.lags.end(), path.begin(), path.begin() + static_cast<std::ptrdiff_t>(frames));
        const std::size_t gone = std::min(from_.size(), frames * totals_.size());
        from_.erase(from_.begin(), from_.begin() + static_cast<std::ptrdiff_t>(gone));
    }

    LagCosts &costs_;
    float change_; ///< cost of a repeated frame
    std::vector<float> totals_, before_, row_;
    std::vector<std::uint16_t> from_; ///< the lag before each unsettled frame, except the first
    Course found_;
};

/// Keep the changes of lag only if the frames that they move fit clearly better for it. Codecs that
/// repeat pictures look like a change of lag too, but a small one.
void settle(Course &course, LagCosts &costs)
{
    constexpr double kLeast = 0.2, kLeastOfAll = 2; // least cost of each frame that moves, and of all together
    if (std::ranges::adjacent_find(course.lags, std::not_equal_to<>()) == course.lags.end())
        return;
    std::vector<float> row(costs.lags());
    std::vector<double> gains(row.size()), moved(row.size());
    for (std::size_t j = 0; j < costs.frames(); ++j) {
        const LagCosts::Fit fit = costs.costs_of(j, row);
        if (fit.shows_none || fit.is_flat)
            continue;
        for (std::size_t k = 0; k < row.size(); ++k) {
            gains[k] += inside(row[k]) - inside(row[course.lags[j]]);
            moved[k] += k == course.lags[j] ? 0 : 1;
        }
    }
    // Lags that the course never takes would leave most frames outside the reference.
    const std::size_t k = *std::ranges::min_element(course.lags, {}, [&](std::size_t lag) { return gains[lag]; });
    if (gains[k] < std::max(kLeastOfAll, kLeast * moved[k]))
        std::ranges::fill(course.lags, k);
}

} // namespace

Course cheapest_course(LagCosts &costs)
{
    Course course = Search(costs).find();
    settle(course, costs);
    return course;
}

} // namespace vmaf::tool
