#include "feature/vif/vif_loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/round_up.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kColumns{0, kVifRowPx - kVifRoundPx}, kPixels{0, kVifStripPx}, kNextPixels{0, kVifStripPx / 2};

/// The elements of a row of structures that mean something, and those behind them that the loops
/// may also process.
template <class T, std::size_t Size> void fill(Run &run, T (&row)[Size], unsigned count, T peak)
{
    run.fill(row, row + count, Range<T>{0, peak});
    run.scramble(row + count, row + Size);
}

void widen(decltype(VifLoops::widen) loop, Run &run)
{
    const std::uint8_t *samples = run.input(run.all(), Range<std::uint8_t>{0, 255});
    auto *out = run.output<std::uint16_t>("out", run.all());
    run.call(loop, samples, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return samples[x]; });
}

/// The stored form of a value that needs 16 bits in a plane.
std::int16_t biased(std::uint64_t value)
{
    return static_cast<std::int16_t>(static_cast<std::int64_t>(value) - 32768);
}
std::uint64_t unbiased(std::int16_t value)
{
    return static_cast<std::uint64_t>(value + 32768);
}

// ---- pairs of rows ----

/// Where a target stores the two values of each column's pair.
class ColumnOrder {
  public:
    explicit ColumnOrder(const VifLoops &loops)
    {
        const auto rows = std::make_unique<VifRows>();
        const auto pairs = std::make_unique<VifPairs>();
        for (unsigned row = 0; row < 2; ++row)
            for (unsigned x = 0; x < kVifRowPx; ++x)
                rows->row[row][x] = static_cast<std::uint16_t>(row * kVifRowPx + x);
        for (auto &slots : pairs->slot)
            std::ranges::fill(slots[0], kNothing);
        loops.pairs_of_samples(*rows, *rows, kVifRowPx, {12, 0}, *pairs, 0);
        const unsigned made = pairs->slot[kVifRef][0][0] != kNothing ? kVifRef : kVifDis;
        for (unsigned place = 0; place < place_.size(); ++place)
            place_[static_cast<unsigned>(pairs->slot[made][0][place])] = place;
    }

    std::int16_t &at(std::int16_t *pairs, std::ptrdiff_t column, unsigned row) const
    {
        return pairs[place_[row * kVifRowPx + static_cast<std::size_t>(column)]];
    }

  private:
    static constexpr std::int16_t kNothing = -1;

    std::array<unsigned, 2 * kVifRowPx> place_{};
};

enum class Made { low, low_and_high, samples };

template <PairPart kPart, Made kMade> void pairs(VifLoops::Pairs loop, const VifLoops &loops, Run &run)
{
    const unsigned bpc = kMade == Made::low ? 8 : run.between(kMade == Made::samples ? 8 : 9, 16);
    const VifShifts shifts{bpc, 2 * (bpc - 8)};
    auto &rows = run.object<std::array<VifRows, 2>>();
    for (VifRows &side : rows)
        for (auto &row : side.row)
            fill(run, row, run.length(), static_cast<std::uint16_t>((1U << bpc) - 1));
    auto &out = run.object<VifPairs>();
    run.scramble(&out, &out + 1);
    const unsigned slot = run.between(0, kVifPairSlots - 1);
    run.call(loop, rows[0], rows[1], run.length(), shifts, out, slot);

    const ColumnOrder order(loops);
    auto &in_order = run.object<std::array<std::array<std::array<std::int16_t, kVifRowPx>, 2>, kVifPlanes>>();
    const auto expect = [&](unsigned plane, auto value) {
        for (unsigned row = 0; row < 2 && vif_has_plane(kPart, plane); ++row) {
            auto &made = in_order[plane][row];
            for (unsigned x = 0; x < run.length(); ++x)
                made[x] = order.at(out.slot[plane][slot], x, row);
            run.compare("pairs", made.data(), run.all());
            run.expect("pairs", made.data(), run.all(), [&](auto x) { return value(row, x); });
        }
    };
    for (unsigned side = 0; side < 2; ++side)
        expect(kVifRef + side, [&](auto row, auto x) {
            const std::uint16_t sample = rows[side].row[row][x];
            return bpc == 16 ? biased(sample) : static_cast<std::int16_t>(sample);
        });
    for (unsigned p = 0; p < 3 && kMade != Made::samples; ++p) { // ref * ref, dis * dis, ref * dis
        const auto product = [&](auto row, auto x) {
            return std::uint32_t{rows[p == 1].row[row][x]} * rows[p != 0].row[row][x];
        };
        expect(kVifLow + p, [&](auto row, auto x) { return biased(product(row, x) & 0xffff); });
        if (kMade == Made::low_and_high)
            expect(kVifHigh + p, [&](auto row, auto x) { return biased(product(row, x) >> 16); });
    }
}

// ---- the vertical pass ----

/// The filter sum of spec vif 3.3 over values at distances from -half to half.
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

/// Rows of a block and their neighbours in every plane, as they are and as a target's pairs.
class FilledWindow {
  public:
    FilledWindow(Run &run, const VifLoops &loops, unsigned scale, unsigned bpc, unsigned columns)
        : half_(static_cast<int>(kVifHalf[scale])), pairs_(run.object<VifPairs>()), rows_(run.object<Rows>())
    {
        const ColumnOrder order(loops);
        const std::uint64_t peak = (1U << bpc) - 1;
        const unsigned first_slot = run.between(0, kVifPairSlots - 1);
        run.scramble(&pairs_, &pairs_ + 1);
        for (unsigned p = 0; p < kVifPlanes; ++p) {
            const std::uint64_t most = p <= kVifDis    ? peak
                                       : p >= kVifHigh ? peak * peak >> 16
                                                       : std::min<std::uint64_t>(peak * peak, 65535);
            const int bias = p > kVifDis || bpc == 16 ? 32768 : 0;
            for (unsigned i = 0; i < kVifHalf[scale] + kVifBlockRows / 2; ++i) {
                std::int16_t *pair = pairs_.slot[p][(first_slot + i) % kVifPairSlots];
                window.pair[p][i] = pair;
                for (unsigned row = 0; row < 2; ++row) {
                    auto &values = rows_[p][2 * i + row];
                    run.fill(values.data(), values.data() + columns,
                             Range<std::uint16_t>{0, static_cast<std::uint16_t>(most)});
                    for (unsigned x = 0; x < columns; ++x)
                        order.at(pair, x, row) = static_cast<std::int16_t>(values[x] - bias);
                }
            }
        }
    }

    /// Value of a plane at column x in row y of the block.
    std::uint64_t at(unsigned plane, int y, std::ptrdiff_t x) const
    {
        return rows_[plane][static_cast<std::size_t>(y + half_)][static_cast<std::size_t>(x)];
    }

    VifWindow window{};

  private:
    using Rows = std::array<std::array<std::array<std::uint16_t, kVifRowPx>, 2 * kVifPairSlots>, kVifPlanes>;

    int half_;
    VifPairs &pairs_;
    Rows &rows_;
};

template <PairPart kPart, unsigned Scale, bool HasHighHalves>
void vertical(VifLoops::Vertical loop, const VifLoops &loops, Run &run)
{
    const unsigned columns = run.length();
    const unsigned bpc = !HasHighHalves ? 8 : Scale == 0 ? run.between(9, 16) : 16;
    const VifShifts shifts = Scale == 0 ? VifShifts{bpc, 2 * (bpc - 8)} : VifShifts{16, 16};
    const FilledWindow given(run, loops, Scale, bpc, columns);
    auto &out = run.object<std::array<VifColumns, kVifBlockRows>>();
    run.scramble(&out, &out + 1);
    run.call(loop, given.window, columns, shifts, out.data());

    for (unsigned y = 0; y < kVifBlockRows; ++y) {
        const auto sum = [&](unsigned p, auto x) {
            return filter_sum(Scale, [&](int d) { return given.at(p, static_cast<int>(y) + d, x); });
        };
        const auto square = [&](unsigned p, auto x) {
            return shifted(sum(p, x) + (HasHighHalves ? sum(p + 3, x) << 16 : 0), shifts.square);
        };
        for (unsigned p = kVifRef; p < kVifPlanes; ++p)
            if (vif_has_plane(kPart, p))
                run.compare("columns", out[y].plane[p], run.all());
        for (unsigned p = kVifRef; p <= kVifDis; ++p)
            if (vif_has_plane(kPart, p))
                run.expect("columns", out[y].plane[p], run.all(),
                           [&](auto x) { return biased(shifted(sum(p, x), shifts.mean)); });
        for (unsigned p = kVifLow; p < kVifHigh; ++p) {
            if (!vif_has_plane(kPart, p))
                continue;
            run.expect("low halves", out[y].plane[p], run.all(), [&](auto x) { return biased(square(p, x) & 0xffff); });
            run.expect("high halves", out[y].plane[p + 3], run.all(),
                       [&](auto x) { return biased(square(p, x) >> 16 & 0xffff); });
        }
    }
}

// ---- the horizontal pass ----

template <PairPart kPart, unsigned Scale> void horizontal(VifLoops::Horizontal loop, Run &run)
{
    constexpr unsigned kHalf = kVifHalf[Scale];
    const unsigned width_px = run.length();
    auto &columns = run.object<VifColumns>();
    for (auto &plane : columns.plane) {
        run.fill(plane, plane + width_px + 2 * kHalf, Range<std::int16_t>{-32768, 32767});
        run.scramble(plane + width_px + 2 * kHalf, plane + kVifRowPx);
    }
    const auto sum = [&](unsigned p, unsigned x) {
        return filter_sum(Scale, [&](int d) { return unbiased(columns.plane[p][static_cast<int>(x + kHalf) + d]); });
    };
    const auto mean1 = [&](unsigned x) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum(kVifRef, x)));
    };
    auto &reference = run.object<VifReferenceMoments>();
    auto &out = run.object<VifMoments>();
    run.scramble(&out, &out + 1);
    run.scramble(&reference, &reference + 1);
    if (kPart == PairPart::distorted)
        for (unsigned x = 0; x < width_px; ++x)
            reference.mean1[vif_moment_place(x)] = mean1(x);
    run.call(loop, columns, width_px, reference, out);

    const auto moment = [&](unsigned x, unsigned p, unsigned a, unsigned b) {
        const std::uint64_t square = shifted(sum(p, x) + (sum(p + 3, x) << 16), 16);
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(square - shifted(sum(a, x) * sum(b, x), 32)));
    };
    const auto expect = [&](const char *name, const std::int32_t(&row)[kVifStripPx], auto value) {
        const auto end = static_cast<std::ptrdiff_t>(round_up(width_px, kVifRoundPx));
        std::vector<std::int32_t> wanted(static_cast<std::size_t>(end));
        for (unsigned x = 0; x < width_px; ++x)
            wanted[vif_moment_place(x)] = value(x);
        run.compare(name, row, {0, end});
        run.expect(name, row, {0, end}, [&](auto at) { return wanted[static_cast<std::size_t>(at)]; });
    };
    if (kPart != PairPart::distorted)
        expect("s1", reference.s1, [&](unsigned x) { return moment(x, kVifLow, kVifRef, kVifRef); });
    if (kPart == PairPart::reference)
        for (unsigned x = 0; x < width_px; ++x) {
            const auto at = static_cast<std::ptrdiff_t>(vif_moment_place(x));
            run.expect("mean1", reference.mean1, {at, at + 1}, [&](auto) { return mean1(x); });
        }
    if (kPart == PairPart::reference)
        return;
    expect("s2", out.s2, [&](unsigned x) { return std::max(moment(x, kVifLow + 1, kVifDis, kVifDis), 0); });
    expect("s12", out.s12, [&](unsigned x) { return moment(x, kVifLow + 2, kVifRef, kVifDis); });
}

// ---- the next scale ----

/// The next scale of spec vif 3.2. `Scale` is the one from which it is made.
template <unsigned Scale> void next_scale(VifLoops::NextScale loop, const VifLoops &loops, Run &run)
{
    const unsigned count = run.length(), bpc = Scale == 0 ? run.between(8, 16) : 16;
    const VifShifts shifts = Scale == 0 ? VifShifts{bpc, 2 * (bpc - 8)} : VifShifts{16, 16};
    const unsigned columns = count == 0 ? 0 : 2 * count - 1 + kVifHalf[Scale] + kVifHalf[Scale + 1];
    const FilledWindow given(run, loops, Scale, bpc, columns);
    const auto side = run.pick({kVifRef, kVifDis});
    const unsigned row = run.between(0, kVifBlockRows / 2 - 1);
    const auto run_on = static_cast<std::ptrdiff_t>(round_up(count, kVifRoundPx / 2) - count);
    auto *out = run.output<std::uint16_t>("out", {0, run.all().end, run_on});
    run.call(loop, given.window, row, side, shifts, count, out);
    run.expect("out", out, run.all(), [&](auto x) {
        return shifted(filter_sum(Scale + 1,
                                  [&](int d) {
                                      const auto column = 2 * x + std::ptrdiff_t{kVifHalf[Scale]} + d;
                                      return shifted(filter_sum(Scale + 1,
                                                                [&](int dy) {
                                                                    const int y = static_cast<int>(2 * row) + dy;
                                                                    return given.at(side, y, column);
                                                                }),
                                                     shifts.mean);
                                  }),
                       16);
    });
}

// ---- the statistic ----

// spec vif 3.3
constexpr std::int32_t kLargestVariance = (1 << 30) + (1 << 16);
constexpr double kRounding = 65537; ///< largest distance of a moment from that of the samples

/// Related moments, equal moments, gains near an integer, and hardly any variance on either side.
void fill(Run &run, VifReferenceMoments &reference, VifMoments &moments)
{
    RandomStream &random = run.random();
    const auto any = [&] { return static_cast<std::int32_t>(random.between(0, kLargestVariance) >> random.below(31)); };
    const auto end = round_up(run.length(), kVifRoundPx);
    for (std::int32_t *row : {reference.s1, moments.s2, moments.s12}) {
        std::fill(row, row + end, 0);
        run.scramble(row + end, row + kVifStripPx);
    }
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
            s2 = static_cast<std::int32_t>(random.between(0, 1));
            s12 = static_cast<std::int32_t>(random.between(-32000, 32000));
            break;
        case 3:
            s1 = kVifNoise + static_cast<std::int32_t>(random.between(-2, 2));
            break;
        case 7:
            s1 = run.pick({-32000, 0, kVifNoise - 1, kVifNoise, kLargestVariance});
            s2 = run.pick({0, 1, kLargestVariance});
            s12 = run.pick({-kLargestVariance, -1, 0, 1, kLargestVariance});
            break;
        }
        const auto related = static_cast<std::int32_t>(
            std::min(std::sqrt((s1 + kRounding) * (s2 + kRounding)), static_cast<double>(kLargestVariance)));
        const unsigned at = vif_moment_place(x);
        reference.s1[at] = s1;
        moments.s2[at] = s2;
        moments.s12[at] = std::clamp(s12, -related, related);
    }
}

void statistic(decltype(VifLoops::statistic) loop, Run &run)
{
    auto &reference = run.object<VifReferenceMoments>();
    auto &moments = run.object<VifMoments>();
    fill(run, reference, moments);
    const double gain_limit = run.pick({1.0, 1.0001, 1.5, 20.25, 100.0});
    auto *sums = run.in_out("sums", {0, 4}, Range<std::int64_t>{0, 1 << 20});
    run.call(loop, reference, moments, run.length(), gain_limit, reinterpret_cast<VifScaleSums &>(*sums));
}

template <PairPart kPart> auto declare_loops(const char *name, const VifLoops &select(CpuTarget))
{
    return LoopsOf<VifLoops>(name, select)
        .member("widen", &VifLoops::widen, widen)
        .member("pairs_8bit", &VifLoops::pairs_8bit, pairs<kPart, Made::low>, kColumns)
        .member("pairs_16bit", &VifLoops::pairs_16bit, pairs<kPart, Made::low_and_high>, kColumns)
        .member("pairs_of_samples", &VifLoops::pairs_of_samples, pairs<kPart, Made::samples>, kColumns)
        .member("vertical_8bit", &VifLoops::vertical_8bit, vertical<kPart, 0, false>, kColumns)
        .member("vertical_16bit[0]", &VifLoops::vertical_16bit, 0, vertical<kPart, 0, true>, kColumns)
        .member("vertical_16bit[1]", &VifLoops::vertical_16bit, 1, vertical<kPart, 1, true>, kColumns)
        .member("vertical_16bit[2]", &VifLoops::vertical_16bit, 2, vertical<kPart, 2, true>, kColumns)
        .member("vertical_16bit[3]", &VifLoops::vertical_16bit, 3, vertical<kPart, 3, true>, kColumns)
        .member("horizontal[0]", &VifLoops::horizontal, 0, horizontal<kPart, 0>, kPixels)
        .member("horizontal[1]", &VifLoops::horizontal, 1, horizontal<kPart, 1>, kPixels)
        .member("horizontal[2]", &VifLoops::horizontal, 2, horizontal<kPart, 2>, kPixels)
        .member("horizontal[3]", &VifLoops::horizontal, 3, horizontal<kPart, 3>, kPixels)
        .member("next_scale[0]", &VifLoops::next_scale, 0, next_scale<0>, kNextPixels)
        .member("next_scale[1]", &VifLoops::next_scale, 1, next_scale<1>, kNextPixels)
        .member("next_scale[2]", &VifLoops::next_scale, 2, next_scale<2>, kNextPixels)
        .member("statistic", &VifLoops::statistic, statistic, kPixels);
}
const auto kLoops = declare_loops<PairPart::all>("VifLoops", select_kVifLoops);
const auto kReferenceLoops = declare_loops<PairPart::reference>("VifReferenceLoops", select_kVifReferenceLoops);
const auto kDistortedLoops = declare_loops<PairPart::distorted>("VifDistortedLoops", select_kVifDistortedLoops);

} // namespace
} // namespace vmaf::test
