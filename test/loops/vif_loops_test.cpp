#include "feature/vif/vif_loops.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/round_up.h"
#include "feature/vif/vif_log_table.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kColumns{0, kVifRowPx}, kPixels{0, kVifStripPx}, kNextPixels{0, kVifStripPx / 2};

/// The elements of a row of structures that mean something, and those that the loops may run on over.
template <class T, std::size_t Size> void fill(Run &run, T (&row)[Size], unsigned count, T peak)
{
    run.fill(row, row + count, Range<T>{0, peak});
    run.scramble(row + count, row + std::min(Size, round_up(count, kVifRoundPx)));
}

void widen(decltype(VifLoops::widen) loop, Run &run)
{
    const std::uint8_t *samples = run.input(run.all(), Range<std::uint8_t>{0, 255});
    auto *out = run.output<std::uint16_t>("out", run.all());
    run.call(loop, samples, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return samples[x]; });
}

// ---- products ----

template <bool HasHighHalves> void products(VifLoops::Products loop, Run &run)
{
    auto &window = run.object<VifWindow>();
    const unsigned row = run.between(0, kVifWindowRows - 1);
    const auto peak = static_cast<std::uint16_t>(HasHighHalves ? (1U << run.between(9, 16)) - 1 : 255);
    const std::uint16_t *side[2];
    for (unsigned p = kVifRef; p <= kVifDis; ++p) {
        fill(run, window.plane[p][row], run.length(), peak);
        side[p] = window.plane[p][row];
    }
    for (unsigned p = kVifLow; p < kVifPlanes; ++p)
        run.scramble(window.plane[p][row], window.plane[p][row] + kVifRowPx);
    run.call(loop, window, row, run.length());
    for (unsigned p = 0; p < 3; ++p) { // ref * ref, dis * dis, ref * dis
        const std::uint16_t *a = side[p == 1], *b = side[p != 0];
        const auto product = [&](auto x) { return std::uint32_t{a[x]} * b[x]; };
        run.compare("low", window.plane[kVifLow + p][row], run.all());
        run.expect("low", window.plane[kVifLow + p][row], run.all(), [&](auto x) { return product(x) & 0xffff; });
        if constexpr (HasHighHalves) {
            run.compare("high", window.plane[kVifHigh + p][row], run.all());
            run.expect("high", window.plane[kVifHigh + p][row], run.all(), [&](auto x) { return product(x) >> 16; });
        }
    }
}

// ---- the vertical pass ----

/// spec vif 3.3: the filter's sum over values at distances from -half to half.
template <class Get> std::uint64_t filter_sum(unsigned scale, const Get &value)
{
    std::uint64_t sum = 0;
    const int half = static_cast<int>(kVifHalf[scale]);
    for (int d = -half; d <= half; ++d)
        sum += std::uint64_t{kVifFilter[scale][std::abs(d)]} * value(d);
    return sum;
}

std::uint64_t shifted(std::uint64_t sum, unsigned shift)
{
    return shift == 0 ? sum : (sum + (std::uint64_t{1} << (shift - 1))) >> shift;
}

template <unsigned Scale, bool HasHighHalves> void vertical(VifLoops::Vertical loop, Run &run)
{
    const unsigned columns = run.length(), half = kVifHalf[Scale];
    const unsigned bpc = !HasHighHalves ? 8 : Scale == 0 ? run.between(9, 16) : 16;
    const VifShifts shifts = Scale == 0 ? VifShifts{bpc, 2 * (bpc - 8)} : VifShifts{16, 16};
    const auto peak = static_cast<std::uint16_t>((1U << bpc) - 1);
    const auto high_peak = static_cast<std::uint16_t>((std::uint64_t{peak} * peak) >> 16);
    auto &window = run.object<VifWindow>();
    const unsigned row = run.between(half, kVifWindowRows - 1 - half);
    for (unsigned y = row - half; y <= row + half; ++y)
        for (unsigned p = kVifRef; p < (HasHighHalves ? kVifPlanes : kVifHigh); ++p)
            fill(run, window.plane[p][y], columns,
                 p <= kVifDis    ? peak
                 : p >= kVifHigh ? high_peak
                 : HasHighHalves ? std::uint16_t{65535}
                                 : std::uint16_t{255 * 255});
    auto &out = run.object<VifColumns>();
    run.scramble(&out, &out + 1);
    run.call(loop, window, row, columns, shifts, out);

    const auto at = [&](unsigned p, int d, auto x) {
        return std::uint64_t{window.plane[p][static_cast<int>(row) + d][x]};
    };
    for (unsigned p = kVifRef; p < kVifPlanes; ++p)
        run.compare("columns", out.plane[p], run.all());
    for (unsigned p = kVifRef; p <= kVifDis; ++p)
        run.expect("columns", out.plane[p], run.all(),
                   [&](auto x) { return shifted(filter_sum(Scale, [&](int d) { return at(p, d, x); }), shifts.mean); });
    for (unsigned p = kVifLow; p < kVifHigh; ++p) {
        const auto square = [&](auto x) {
            return shifted(
                filter_sum(Scale, [&](int d) { return at(p, d, x) + (HasHighHalves ? at(p + 3, d, x) << 16 : 0); }),
                shifts.square);
        };
        run.expect("low halves", out.plane[p], run.all(), [&](auto x) { return square(x) & 0xffff; });
        run.expect("high halves", out.plane[p + 3], run.all(), [&](auto x) { return square(x) >> 16; });
    }
}

// ---- the horizontal pass ----

template <unsigned Scale> void horizontal(VifLoops::Horizontal loop, Run &run)
{
    constexpr unsigned kHalf = kVifHalf[Scale];
    const unsigned width_px = run.length();
    auto &columns = run.object<VifColumns>();
    for (auto &plane : columns.plane) {
        run.fill(plane, plane + width_px + 2 * kHalf, Range<std::uint32_t>{0, 65535});
        run.scramble(plane + width_px + 2 * kHalf, plane + round_up(width_px, kVifRoundPx) + 2 * kHalf);
    }
    auto &out = run.object<VifMoments>();
    run.scramble(&out, &out + 1);
    run.call(loop, columns, width_px, out);

    const auto sum = [&](unsigned p, auto x) {
        return filter_sum(Scale, [&](int d) { return std::uint64_t{columns.plane[p][x + kHalf + d]}; });
    };
    const auto moment = [&](unsigned p, unsigned a, unsigned b) {
        return [=](auto x) {
            const std::uint64_t square = shifted(sum(p, x) + (sum(p + 3, x) << 16), 16);
            return static_cast<std::uint32_t>(square - shifted(sum(a, x) * sum(b, x), 32));
        };
    };
    run.compare("s1", out.s1, run.all());
    run.compare("s2", out.s2, run.all());
    run.compare("s12", out.s12, run.all());
    run.expect("s1", out.s1, run.all(), moment(kVifLow, kVifRef, kVifRef));
    run.expect("s2", out.s2, run.all(), moment(kVifLow + 1, kVifDis, kVifDis));
    run.expect("s12", out.s12, run.all(), moment(kVifLow + 2, kVifRef, kVifDis));
}

// ---- the next scale ----

/// spec vif 3.2. `Scale` is the one that it is made from.
template <unsigned Scale> void next_scale(VifLoops::NextScale loop, Run &run)
{
    constexpr unsigned kHalf = kVifHalf[Scale + 1]; // of the filter; pixels are centred behind the half of this scale's
    const unsigned count = run.length(), mean_shift = Scale == 0 ? run.between(8, 16) : 16;
    const unsigned columns = count == 0 ? 0 : 2 * count - 1 + kVifHalf[Scale] + kHalf;
    auto &window = run.object<VifWindow>();
    const unsigned row = run.between(kVifHalf[Scale], kVifWindowRows - 1 - kVifHalf[Scale]);
    const auto side = run.pick({kVifRef, kVifDis});
    for (unsigned y = row - kHalf; y <= row + kHalf; ++y) {
        auto &samples = window.plane[side][y];
        run.scramble(samples, samples + kVifRowPx);
        run.fill(samples, samples + columns,
                 Range<std::uint16_t>{0, static_cast<std::uint16_t>((1U << mean_shift) - 1)});
    }
    auto *out = run.output<std::uint16_t>("out", run.all());
    run.call(loop, window, row, side, mean_shift, count, out);
    run.expect("out", out, run.all(), [&](auto x) {
        return shifted(filter_sum(Scale + 1,
                                  [&](int d) {
                                      const auto column = 2 * x + std::ptrdiff_t{kVifHalf[Scale]} + d;
                                      return shifted(filter_sum(Scale + 1,
                                                                [&](int dy) {
                                                                    const int y = static_cast<int>(row) + dy;
                                                                    return std::uint64_t{window.plane[side][y][column]};
                                                                }),
                                                     mean_shift);
                                  }),
                       16);
    });
}

// ---- the statistic ----

// spec vif 3.3
constexpr std::int32_t kLargestVariance = (1 << 30) + (1 << 16);
constexpr double kRounding = 65537; ///< how far a moment may be from that of the samples

/// Related moments, equal ones, gains near an integer, next to no variance on either side.
void fill(Run &run, VifMoments &moments)
{
    RandomStream &random = run.random();
    const auto any = [&] { return static_cast<std::int32_t>(random.between(0, kLargestVariance) >> random.below(31)); };
    for (unsigned x = 0; x < run.length(); ++x) {
        std::int32_t s1 = any(), s2 = any();
        const auto bound = static_cast<std::int64_t>(std::sqrt(static_cast<double>(s1) * s2));
        auto s12 = static_cast<std::int32_t>(random.between(-bound, bound));
        switch (run.content() == Content::ends ? 7 : random.below(7)) {
        case 0:
            s2 = s12 = s1;
            break;
        case 1:
            s1 >>= 6;
            s12 = static_cast<std::int32_t>(s1 * random.between(0, 60) + random.between(-1, 1));
            break;
        case 2:
            s1 -= 32000;
            s2 = static_cast<std::int32_t>(random.between(-1, 1));
            s12 = static_cast<std::int32_t>(random.between(-32000, 32000));
            break;
        case 3:
            s1 = kVifNoise + static_cast<std::int32_t>(random.between(-2, 2));
            break;
        case 7:
            s1 = run.pick({-32000, 0, kVifNoise - 1, kVifNoise, kLargestVariance});
            s2 = run.pick({-32000, 0, 1, kLargestVariance});
            s12 = run.pick({-kLargestVariance, -1, 0, 1, kLargestVariance});
            break;
        }
        const auto related = static_cast<std::int32_t>(
            std::min(std::sqrt((s1 + kRounding) * (s2 + kRounding)), static_cast<double>(kLargestVariance)));
        moments.s1[x] = s1;
        moments.s2[x] = s2;
        moments.s12[x] = std::clamp(s12, -related, related);
    }
    for (std::int32_t *row : {moments.s1, moments.s2, moments.s12})
        run.scramble(row + run.length(), row + kVifRowPx);
}

void statistic(decltype(VifLoops::statistic) loop, Run &run)
{
    auto &moments = run.object<VifMoments>();
    fill(run, moments);
    const double gain_limit = run.pick({1.0, 1.0001, 1.5, 20.25, 100.0});
    auto *sums = run.in_out("sums", {0, 4}, Range<std::int64_t>{0, 1 << 20});
    run.call(loop, moments, run.length(), gain_limit, vif_log_table().data(), reinterpret_cast<VifScaleSums &>(*sums));
}

const auto kDeclared = LoopsOf<VifLoops>("VifLoops", select_kVifLoops)
                           .member("widen", &VifLoops::widen, widen)
                           .member("products_8bit", &VifLoops::products_8bit, products<false>, kColumns)
                           .member("products_16bit", &VifLoops::products_16bit, products<true>, kColumns)
                           .member("vertical_8bit", &VifLoops::vertical_8bit, vertical<0, false>, kColumns)
                           .member("vertical_16bit[0]", &VifLoops::vertical_16bit, 0, vertical<0, true>, kColumns)
                           .member("vertical_16bit[1]", &VifLoops::vertical_16bit, 1, vertical<1, true>, kColumns)
                           .member("vertical_16bit[2]", &VifLoops::vertical_16bit, 2, vertical<2, true>, kColumns)
                           .member("vertical_16bit[3]", &VifLoops::vertical_16bit, 3, vertical<3, true>, kColumns)
                           .member("horizontal[0]", &VifLoops::horizontal, 0, horizontal<0>, kPixels)
                           .member("horizontal[1]", &VifLoops::horizontal, 1, horizontal<1>, kPixels)
                           .member("horizontal[2]", &VifLoops::horizontal, 2, horizontal<2>, kPixels)
                           .member("horizontal[3]", &VifLoops::horizontal, 3, horizontal<3>, kPixels)
                           .member("next_scale[0]", &VifLoops::next_scale, 0, next_scale<0>, kNextPixels)
                           .member("next_scale[1]", &VifLoops::next_scale, 1, next_scale<1>, kNextPixels)
                           .member("next_scale[2]", &VifLoops::next_scale, 2, next_scale<2>, kNextPixels)
                           .member("statistic", &VifLoops::statistic, statistic, kPixels);

} // namespace
} // namespace vmaf::test
