#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "alignment/doubts.h"
#include "alignment/lag.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

/// Frames of both videos that show the same picture, by one lag for each window.
struct Pairs {
    std::vector<std::span<const std::uint8_t>> ref, dis;
    SmallGrid grid;
};

Pairs pairs_of(std::span<const LumaWindow> windows)
{
    Pairs all;
    for (const LumaWindow &window : windows) {
        const std::size_t first = std::max(window.ref.first_frame, window.dis.first_frame);
        all.grid = window.ref.grid;
        for (std::size_t n = first;
             n < window.ref.first_frame + window.ref.frames() && n < window.dis.first_frame + window.dis.frames();
             ++n) {
            all.ref.push_back(window.ref.frame(n - window.ref.first_frame));
            all.dis.push_back(window.dis.frame(n - window.dis.first_frame));
        }
    }
    return all;
}

bool are_identical(const Pairs &pairs)
{
    constexpr std::size_t kLeastFrames = 2;
    for (std::size_t i = 0; i < pairs.ref.size(); ++i)
        if (!std::ranges::equal(pairs.ref[i], pairs.dis[i]))
            return false;
    return pairs.ref.size() >= kLeastFrames;
}

/// dis = slope ref + offset, by least squares over all samples.
struct Fit {
    double slope = 0, offset = 0, correlation = 0;
};

std::optional<Fit> fit_of(const Pairs &pairs)
{
    std::uint64_t count = 0, ref = 0, dis = 0, ref_squares = 0, products = 0, dis_squares = 0;
    for (std::size_t i = 0; i < pairs.ref.size(); ++i) {
        // A frame has too few samples for its sums to leave 32 bits.
        std::uint32_t x = 0, y = 0, xx = 0, xy = 0, yy = 0;
        for (std::size_t k = 0; k < pairs.ref[i].size(); ++k) {
            const std::uint32_t a = pairs.ref[i][k], b = pairs.dis[i][k];
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
            yy += b * b;
        }
        count += pairs.ref[i].size();
        ref += x;
        dis += y;
        ref_squares += xx;
        products += xy;
        dis_squares += yy;
    }
    constexpr double kLeastVariance = 100; // codes²
    if (count == 0)
        return std::nullopt;
    const auto n = static_cast<double>(count);
    const auto mean = [n](std::uint64_t sum) { return static_cast<double>(sum) / n; };
    const double x = mean(ref), y = mean(dis);
    const double variance = mean(ref_squares) - x * x, other = mean(dis_squares) - y * y;
    const double common = mean(products) - x * y;
    if (variance < kLeastVariance || other < kLeastVariance)
        return std::nullopt;
    Fit fit;
    fit.slope = common / variance;
    fit.offset = y - fit.slope * x;
    fit.correlation = common / std::sqrt(variance * other);
    return fit;
}

/// Limited range has 219 codes from 16 on where full range has 255 from 0 on.
std::string range_doubt(const std::optional<Fit> &fit, const PairNames &names)
{
    constexpr double kStretch = 255. / 219, kNear = 0.03, kNearCodes = 4, kLeastCorrelation = 0.98;
    if (!fit || fit->correlation < kLeastCorrelation)
        return {};
    const auto is_near = [&](double slope, double offset) {
        return std::abs(fit->slope / slope - 1) < kNear && std::abs(fit->offset - offset) < kNearCodes;
    };
    if (!is_near(kStretch, -16 * kStretch) && !is_near(1 / kStretch, 16))
        return {};
    // A stretched encode was taken for limited range or expanded once too often.
    const bool is_stretched = fit->slope > 1;
    return formatted("luma of {} is {:.2f} times that of {} {} {:.0f}, as if one of them had a wrong range tag: "
                     "--range_dist {}, or --range_ref {}",
                     names.dis, fit->slope, names.ref, fit->offset < 0 ? "minus" : "plus", std::abs(fit->offset),
                     is_stretched ? "full" : "limited", is_stretched ? "limited" : "full");
}

/// How much stronger detail of the distorted frame is where the reference has the same: noise that
/// was added does not count. 0 if there is none.
double detail_gain(std::span<const std::uint8_t> ref, std::span<const std::uint8_t> dis, const SmallGrid &grid)
{
    constexpr double kLeastDetail = 1; // least detail of a sample, in codes²
    std::int64_t own = 0, common = 0;
    for (std::size_t y = 0; y < grid.height_px; ++y) {
        const std::uint8_t *const r = ref.data() + y * grid.width_px, *const d = dis.data() + y * grid.width_px;
        std::int32_t of_row = 0, common_of_row = 0;
        for (std::size_t x = 1; x + 1 < grid.width_px; ++x) {
            const int a = 2 * r[x] - r[x - 1] - r[x + 1], b = 2 * d[x] - d[x - 1] - d[x + 1];
            of_row += a * a;
            common_of_row += a * b;
        }
        own += of_row;
        common += common_of_row;
    }
    if (static_cast<double>(own) < kLeastDetail * static_cast<double>(ref.size()))
        return 0;
    return static_cast<double>(common) / static_cast<double>(own);
}

std::string exchange_doubt(const Pairs &pairs, const std::optional<Fit> &fit, const PairNames &names)
{
    constexpr double kGain = 1.04, kMost = 0.9; // gain of detail over contrast; share of the frames
    constexpr std::size_t kLeastFrames = 10;
    std::size_t blurrier = 0;
    for (std::size_t i = 0; i < pairs.ref.size(); ++i)
        if (fit && detail_gain(pairs.ref[i], pairs.dis[i], pairs.grid) > kGain * std::max(1.0, fit->slope))
            ++blurrier;
    if (blurrier < kLeastFrames || static_cast<double>(blurrier) < kMost * static_cast<double>(pairs.ref.size()))
        return {};
    return formatted("{} is blurrier than {} in {} of {} frames, as if it were the encode: exchange -r and -d",
                     names.ref, names.dis, blurrier, pairs.ref.size());
}

bool is_black(std::span<const std::uint8_t> frame)
{
    constexpr int kBlack = 20;
    return std::ranges::all_of(frame, [](int code) { return code <= kBlack; });
}

/// Frames first to last of a window.
struct Stretch {
    unsigned first = 0, last = 0;
    bool is_black = false;
};

/// The longest stretch in which one video stands still while the other moves.
std::optional<Stretch> frozen_stretch(const SmallLuma &one, const SmallLuma &other, std::size_t least_frames)
{
    constexpr double kMoves = 8; // codes² of a sample from frame to frame: more than grain makes
    const double moves = kMoves * static_cast<double>(other.frame_size());
    std::optional<Stretch> longest;
    const std::size_t frames = std::min(one.frames(), other.frames());
    for (std::size_t first = 0; first + 1 < frames;) {
        std::size_t last = first, moving = 0;
        while (last + 1 < frames && std::ranges::equal(one.frame(last), one.frame(last + 1))) {
            moving += squared_difference(other.frame(last), other.frame(last + 1)) > moves ? 1 : 0;
            ++last;
        }
        const std::size_t length = last - first + 1;
        if (length >= least_frames && 2 * moving > length && (!longest || length > longest->last - longest->first + 1U))
            longest = {one.first_frame + static_cast<unsigned>(first), one.first_frame + static_cast<unsigned>(last),
                       is_black(one.frame(first))};
        first = last + 1;
    }
    return longest;
}

std::string frozen_doubt(const SmallLuma &one, const SmallLuma &other, const std::string &name,
                         const std::string &other_name, std::size_t least_frames)
{
    const std::optional<Stretch> found = frozen_stretch(one, other, least_frames);
    if (!found)
        return {};
    std::string text = formatted("{} {} in frames {} to {} while {} moves: ", name,
                                 found->is_black ? "is black" : "stands still", found->first, found->last, other_name);
    if (found->first > 0)
        text += formatted("--frame_cnt {} ends before, ", found->first);
    return text + formatted("--frame_skip_ref {0} --frame_skip_dist {0} begins after", found->last + 1);
}

} // namespace

PictureDoubts picture_doubts(std::span<const LumaWindow> windows, const PairNames &names, double frame_rate)
{
    constexpr double kUsualRate = 25;
    const Pairs pairs = pairs_of(windows);
    PictureDoubts all;
    if (are_identical(pairs)) {
        all.note =
            formatted("identical videos? {} looks like {} in every frame that was compared", names.dis, names.ref);
        return all;
    }
    const auto add = [&](std::string text) {
        if (!text.empty())
            all.warnings.push_back(std::move(text));
    };
    const std::optional<Fit> fit = fit_of(pairs);
    add(range_doubt(fit, names));
    add(exchange_doubt(pairs, fit, names));
    const auto second = static_cast<std::size_t>(std::ceil(frame_rate > 0 ? frame_rate : kUsualRate));
    for (const LumaWindow &window : windows) {
        add(frozen_doubt(window.dis, window.ref, names.dis, names.ref, second));
        add(frozen_doubt(window.ref, window.dis, names.ref, names.dis, second));
    }
    return all;
}

} // namespace vmaf::tool
