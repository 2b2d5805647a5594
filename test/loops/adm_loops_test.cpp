#include "feature/adm/adm_loops.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

// Largest values of a line at scale 0, of bands at scale 0, and of bands at other scales (spec adm
// 3.1 and 5).
constexpr std::int32_t kLargestLine = 27411, kLargestFine = 22930, kLargestCoarse = 1491500000;

/// Some columns of a row, from any column on.
AdmSpan span_of(Run &run)
{
    const std::size_t begin = run.pick<std::size_t>({0, 0, 1, 2, 5, 8, 16, 17, 31});
    return {begin, begin + run.length()};
}
Extent elements(const AdmSpan &span, std::ptrdiff_t beside = 0)
{
    return {static_cast<std::ptrdiff_t>(span.begin) - beside, static_cast<std::ptrdiff_t>(span.end) + beside};
}

const std::int32_t *taps_of(Run &run)
{
    return run.pick({kAdmLow, kAdmHigh});
}

// ---- spec adm 3.1 ----

/// Values in halves, as the loops store them. With a distance of 0: 16-bit values.
std::int32_t value_at(const std::int16_t *row, std::ptrdiff_t x, std::ptrdiff_t low)
{
    return low == 0 ? row[x] : row[x] * 65536 + (row[x + low] + 32768);
}
constexpr std::ptrdiff_t kLowHalf = 40000; ///< behind the end of every test's row

/// A row of values, with halves if there are any. The bytes between the halves are not read.
const std::int16_t *row_of_values(Run &run, const Extent &extent, std::int32_t largest, bool in_halves)
{
    if (!in_halves)
        return run.input(extent,
                         Range<std::int16_t>{static_cast<std::int16_t>(-largest), static_cast<std::int16_t>(largest)});
    const std::int32_t *values = run.input(extent, Range<std::int32_t>{-largest, largest});
    return run.input<std::int16_t>({extent.begin, extent.end + kLowHalf}, [&](auto x) {
        if (x < extent.end)
            return values[x] >> 16;
        return x < extent.begin + kLowHalf ? 0 : (values[x - kLowHalf] & 0xffff) - 32768;
    });
}

void expect_values(Run &run, const std::int16_t *row, const Extent &extent, bool in_halves, const auto &plain)
{
    run.compare("values", row, extent);
    if (in_halves)
        run.compare("low halves", row + kLowHalf, extent);
    run.expect("values", row, extent, [&](auto x) { return in_halves ? plain(x) >> 16 : plain(x); });
    if (in_halves)
        run.expect("low halves", row + kLowHalf, extent, [&](auto x) { return (plain(x) & 0xffff) - 32768; });
}

/// Range of a row's values, including its low halves if the row has halves.
Extent with_low_halves(const Extent &extent, bool in_halves)
{
    return {extent.begin, extent.end + (in_halves ? kLowHalf : 0)};
}

/// The filter, or two filters that differ in taps and offset.
struct Filters {
    AdmFilter filter[2];
    unsigned count;
};

template <class Sample>
void filter_rows(auto loop, Filters by, std::int32_t least, std::int32_t most, bool to_halves, Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent extent = elements(span);
    const bool from_halves = most > 65535;
    for (AdmFilter &filter : by.filter) {
        filter.from_low = from_halves ? kLowHalf : 0;
        filter.to_low = to_halves ? kLowHalf : 0;
    }
    const void *rows[4];
    for (const void *&row : rows) {
        if constexpr (std::is_same_v<Sample, std::int16_t>)
            row = row_of_values(run, extent, most, from_halves);
        else
            row = run.input(extent, Range<Sample>{static_cast<Sample>(least), static_cast<Sample>(most)});
    }
    std::int16_t *lines[2];
    for (std::int16_t *&line : lines)
        line = run.scratch<std::int16_t>(with_low_halves(extent, to_halves));
    if constexpr (std::is_invocable_v<decltype(loop), const void *const *, const AdmFilter &, AdmSpan, std::int16_t *>)
        run.call(loop, rows, by.filter[0], span, lines[0]);
    else
        run.call(loop, rows, by.filter, span, lines);
    for (unsigned i = 0; i < by.count; ++i)
        expect_values(run, lines[i], extent, to_halves, [&](auto x) {
            const AdmFilter &filter = by.filter[i];
            std::int64_t sum = filter.offset;
            for (unsigned k = 0; k < 4; ++k) {
                const auto *row = static_cast<const Sample *>(rows[k]);
                if constexpr (std::is_same_v<Sample, std::int16_t>)
                    sum += std::int64_t{value_at(row, x, filter.from_low)} * filter.taps[k];
                else
                    sum +=
                        std::int64_t{std::min<Sample>(row[x], static_cast<Sample>(filter.max_sample))} * filter.taps[k];
            }
            return static_cast<std::int32_t>(sum >> filter.shift);
        });
}

/// Samples of `bpc` bits. The loop maps mid-grey to 0.
AdmFilter of_samples(const std::int32_t *taps, unsigned bpc)
{
    const std::int32_t half = 1 << (bpc - 1), gain = taps[0] + taps[1] + taps[2] + taps[3];
    return {taps, half - gain * half, bpc, static_cast<std::uint16_t>((1U << bpc) - 1)};
}

/// One filter or both, whichever the loop takes.
template <class Loop> Filters filters_of(Run &run, Loop, auto filter_with)
{
    if constexpr (std::is_invocable_v<Loop, const void *const *, const AdmFilter &, AdmSpan, std::int16_t *>)
        return {{filter_with(taps_of(run)), {}}, 1};
    else
        return {{filter_with(kAdmLow), filter_with(kAdmHigh)}, 2};
}
constexpr auto filter_rows_u8 = [](auto loop, Run &run) {
    filter_rows<std::uint8_t>(loop, filters_of(run, loop, [](auto taps) { return of_samples(taps, 8); }), 0, 255, false,
                              run);
};
/// Samples above their depth count as the depth's maximum.
constexpr auto filter_rows_u16 = [](auto loop, Run &run) {
    const unsigned bpc = run.between(9, 16);
    const int most = run.pick({(1 << bpc) - 1, 65535});
    filter_rows<std::uint16_t>(loop, filters_of(run, loop, [&](auto taps) { return of_samples(taps, bpc); }), 0, most,
                               false, run);
};
constexpr auto filter_rows_i16 = [](auto loop, Run &run) {
    filter_rows<std::int16_t>(loop,
                              filters_of(run, loop,
                                         [](auto taps) {
                                             return AdmFilter{taps, 0, 0};
                                         }),
                              0, kLargestFine, true, run);
};
constexpr auto filter_rows_halves = [](auto loop, Run &run) {
    filter_rows<std::int16_t>(loop,
                              filters_of(run, loop,
                                         [](auto taps) {
                                             return AdmFilter{taps, 32768, 16};
                                         }),
                              0, kLargestCoarse, true, run);
};

template <AdmLine kKind> void filter_line(auto loop, Run &run)
{
    constexpr bool kFromHalves = kKind == kAdmHalvesToHalves || kKind == kAdmHalvesToI32;
    constexpr bool kToHalves = kKind == kAdmHalvesToHalves;
    const AdmSpan span = span_of(run);
    const unsigned shift = kFromHalves ? run.pick({15U, 16U}) : 16;
    const AdmFilter filter{taps_of(run), 1 << (shift - 1),           shift,
                           65535,        kFromHalves ? kLowHalf : 0, kToHalves ? kLowHalf : 0};
    const Extent out = elements(span), in{2 * out.begin - 1, run.length() == 0 ? 2 * out.begin - 1 : 2 * out.end + 1};
    const std::int16_t *line = row_of_values(run, in, kFromHalves ? kLargestCoarse : kLargestLine, kFromHalves);
    const auto plain = [&](auto i) {
        std::int64_t sum = filter.offset;
        for (int k = 0; k < 4; ++k)
            sum += std::int64_t{value_at(line, 2 * i - 1 + k, filter.from_low)} * filter.taps[k];
        return static_cast<std::int32_t>(sum >> filter.shift);
    };
    if constexpr (kKind == kAdmHalvesToI32) {
        auto *band = run.output<std::int32_t>("band", out);
        run.call(loop, line, filter, span, static_cast<void *>(band));
        run.expect("band", band, out, plain);
    } else {
        auto *band = run.scratch<std::int16_t>(with_low_halves(out, kToHalves));
        run.call(loop, line, filter, span, static_cast<void *>(band));
        expect_values(run, band, out, kToHalves, plain);
    }
}

// ---- spec adm 3.3, 3.5 ----

/// Bands of a distorted picture: any, equal to the reference's, nearly equal, or in its direction.
std::int32_t distorted(Run &run, std::int32_t ref, std::int32_t largest)
{
    RandomStream &random = run.random();
    switch (random.below(5)) {
    case 0:
        return ref;
    case 1:
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(ref + random.between(-3, 3), -largest, largest));
    case 2:
        return static_cast<std::int32_t>(ref * 0.7);
    default:
        return static_cast<std::int32_t>(random.between(-largest, largest) >> random.below(31));
    }
}

/// A vector of H and V, turned by the angle at which the flag changes, as nearly as integers allow.
std::int32_t at_the_limit(unsigned band, double ref_h, double ref_v, double largest)
{
    const double cosine = std::sqrt(0x1.ffd814p-1), sine = std::sqrt(1 - 0x1.ffd814p-1);
    const double turned = band == kAdmH ? ref_h * cosine - ref_v * sine : ref_h * sine + ref_v * cosine;
    return static_cast<std::int32_t>(std::clamp(std::round(turned), -largest, largest));
}

template <class Strength> AdmSignalRow<Strength> signal_row(Run &run, const Extent &extent)
{
    AdmSignalRow<Strength> row{};
    for (Strength *&strength : row.strength)
        strength = run.output<Strength>("strength", extent);
    row.neighbour = run.output<std::int32_t>("neighbour", extent);
    row.centre = run.output<std::int32_t>("centre", extent);
    return row;
}

bool angle_flag(const std::int64_t (&o)[kAdmBands], const std::int64_t (&t)[kAdmBands])
{
    const auto product = [](const std::int64_t *a, const std::int64_t *b) {
        return static_cast<double>(static_cast<float>(a[kAdmH] * b[kAdmH] + a[kAdmV] * b[kAdmV]));
    };
    const double fd = product(o, t);
    return fd >= 0 && fd * fd >= 0x1.ffd814p-1 * product(o, o) * product(t, t);
}

std::int64_t ratio(bool fine, std::int64_t o, std::int64_t t)
{
    if (o == 0)
        return 32768;
    const std::int64_t size = std::abs(o), signed_t = o < 0 ? -t : t;
    const int q = fine ? 0 : std::max(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size))) - 15, 0);
    const std::int64_t m = q == 0 ? size : (size + (std::int64_t{1} << (q - 1))) >> q, rec = (1 << 30) / m;
    return std::clamp<std::int64_t>((rec * signed_t + (std::int64_t{1} << (14 + q))) >> (15 + q), 0, 32768);
}

std::int64_t restored(bool fine, std::int64_t o, std::int64_t t, bool flag, double gain_limit)
{
    const std::int64_t k = ratio(fine, o, t), r = (k * o + 16384) >> 15;
    if (!flag || k == 0 || o == 0)
        return r;
    const double gained = static_cast<double>(r) * gain_limit, limit = static_cast<double>(t);
    return static_cast<std::int64_t>(o > 0 ? std::min(gained, limit) : std::max(gained, limit));
}

/// Contribution of a band to a masking signal.
struct Mask {
    std::uint32_t strength, n, centre;
};
Mask mask(bool fine, unsigned band, std::int64_t weight, std::int64_t y)
{
    std::int64_t x, n, z;
    std::uint32_t strength;
    if (fine) {
        x = static_cast<std::int16_t>(band == kAdmD ? (weight * y + 65535) >> 17 : (weight * y + 16384) >> 15);
        n = static_cast<std::int16_t>((4369 * std::abs(x) + 2048) >> 12);
        z = (8738 * std::abs(x) + 2048) >> 12;
        strength = static_cast<std::uint32_t>(std::abs(y));
    } else {
        constexpr std::int64_t kOffset = std::int64_t{1} << 31;
        x = static_cast<std::int32_t>((weight * y + (1 << 27)) >> 28);
        n = (143165577 * std::abs(x) - kOffset) >> 32;
        z = (286331153 * std::abs(x) - kOffset) >> 32;
        strength = static_cast<std::uint32_t>(std::abs(x));
    }
    return {strength, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(z - n)};
}

template <class Strength>
void expect_masks(Run &run, const AdmSignalRow<Strength> &row, const Extent &extent, const std::uint32_t *weight,
                  const auto &signal)
{
    constexpr bool fine = std::is_same_v<Strength, std::uint16_t>;
    const auto sum = [&](std::uint32_t Mask::*part, std::ptrdiff_t x) {
        std::uint32_t total = 0;
        for (unsigned band = 0; band < kAdmBands; ++band)
            total += mask(fine, band, weight[band], signal(band, x)).*part;
        return total;
    };
    for (unsigned band = 0; band < kAdmBands; ++band)
        run.expect("strength", row.strength[band], extent,
                   [&](auto x) { return mask(fine, band, weight[band], signal(band, x)).strength; });
    run.expect("neighbour", row.neighbour, extent, [&](auto x) { return sum(&Mask::n, x); });
    run.expect("centre", row.centre, extent, [&](auto x) { return sum(&Mask::centre, x); });
}

template <class Band, class Strength, class Job>
void decouple(const std::uint32_t (&weight)[kAdmBands], void (*loop)(const Job &, AdmSpan), Run &run)
{
    constexpr bool fine = std::is_same_v<Band, std::int16_t>;
    constexpr Band largest = fine ? kLargestFine : kLargestCoarse;
    const AdmSpan span = span_of(run);
    Extent extent = elements(span);
    extent.run_on = kAdmRunOnColumns;
    Job job{};
    for (const Band *&ref : job.ref)
        ref = run.input(extent, Range<Band>{-largest, largest});
    for (unsigned band = 0; band < kAdmBands; ++band)
        job.dis[band] = run.input<Band>(extent, [&](auto x) -> std::int32_t {
            if (band != kAdmD && x % 3 == 0)
                return at_the_limit(band, job.ref[kAdmH][x], job.ref[kAdmV][x], largest);
            return distorted(run, job.ref[band][x], largest);
        });
    if constexpr (!fine) {
        job.flag = run.scratch<std::int32_t>(extent);
        for (std::int32_t *&row : job.r)
            row = run.scratch<std::int32_t>(extent);
    }
    job.gain_limit = run.pick({1.0, 1.2, 2.0, 100.0, kAdmNoGainLimit});
    job.weight = weight;
    job.restored = signal_row<Strength>(run, extent);
    job.additive = signal_row<Strength>(run, extent);
    run.call(loop, job, span);

    const auto restored_at = [&](unsigned band, std::ptrdiff_t x) {
        std::int64_t o[kAdmBands], t[kAdmBands];
        for (unsigned i = 0; i < kAdmBands; ++i) {
            o[i] = job.ref[i][x];
            t[i] = job.dis[i][x];
        }
        return restored(fine, o[band], t[band], angle_flag(o, t), job.gain_limit);
    };
    expect_masks(run, job.restored, extent, weight, restored_at);
    expect_masks(run, job.additive, extent, weight,
                 [&](unsigned band, std::ptrdiff_t x) { return job.dis[band][x] - restored_at(band, x); });
}

void decouple_fine(decltype(AdmLoops::decouple_fine) loop, Run &run)
{
    // Weights of spec adm 3.4: powers of two, which make ties, and the largest of Barten's.
    const auto straight = run.pick<std::uint32_t>({36453, 1U << 15, 65535}),
               diagonal = run.pick<std::uint32_t>({49417, 1U << 15, 65535});
    decouple<std::int16_t, std::uint16_t>({straight, straight, diagonal}, loop, run);
}
void decouple_coarse(decltype(AdmLoops::decouple_coarse) loop, Run &run)
{
    const auto straight = run.pick<std::uint32_t>({137373792, 186284160, 196165808, 1U << 27});
    const auto diagonal = run.pick<std::uint32_t>({61414028, 104783920, 134487184, 1U << 27});
    decouple<std::int32_t, std::uint32_t>({straight, straight, diagonal}, loop, run);
}

// ---- spec adm 3.6, 3.7 ----

std::uint64_t rounded(std::uint64_t value, unsigned shift)
{
    return shift == 0 ? value : (value + (std::uint64_t{1} << (shift - 1))) >> shift;
}

/// The value e of 3.6 for a band as wide as the row, less what it is lessened by.
unsigned cube_shift(const Run &run, unsigned less)
{
    const auto log2 = static_cast<unsigned>(std::bit_width(std::max(run.length(), 1U) - 1));
    return std::max(log2, less) - less;
}

template <class Strength> void masked_cubes(AdmLoops::MaskedCubes<Strength> loop, Run &run)
{
    constexpr bool fine = std::is_same_v<Strength, std::uint16_t>;
    const AdmSpan span = span_of(run);
    Extent extent = elements(span), wider = elements(span, 1);
    extent.run_on = wider.run_on = kAdmRunOnColumns;
    const std::uint32_t straight = cube_shift(run, fine ? 4 : 0), diagonal = cube_shift(run, fine ? 3 : 0);
    const std::uint32_t shifts[kAdmBands] = {straight, straight, diagonal};
    constexpr std::int32_t kLargest = 1140000000; // the largest strength, or threshold if it is shifted
    const std::int32_t largest = kLargest >> (fine ? 12 : 0);
    constexpr std::uint32_t kWeights[kAdmBands] = {36453, 36453, 49417};
    AdmMasking<Strength> job{};
    job.weight = kWeights;
    for (const Strength *&strength : job.strength)
        strength = run.input(extent, Range<Strength>{0, fine ? kLargestFine : kLargest});
    for (const std::int32_t *&row : job.neighbour)
        row = run.input(wider, Range<std::int32_t>{-1, largest / 12});
    job.centre = run.input(extent, Range<std::int32_t>{-18, largest / 4});
    job.column_sums = run.scratch<std::int32_t>(wider);
    job.cube_shift = shifts;
    auto *sums = run.output<std::uint64_t>("sums", {0, kAdmBands});
    run.call(loop, job, span, reinterpret_cast<std::uint64_t(&)[kAdmBands]>(*sums));

    run.expect("sums", sums, {0, kAdmBands}, [&](auto band) {
        const bool fine_straight = fine && band != kAdmD;
        std::uint64_t sum = 0;
        for (auto x = static_cast<std::ptrdiff_t>(span.begin); x < static_cast<std::ptrdiff_t>(span.end); ++x) {
            std::int64_t threshold = job.centre[x];
            for (const std::int32_t *row : job.neighbour)
                threshold += std::int64_t{row[x - 1]} + row[x] + row[x + 1];
            const std::int64_t strength = std::int64_t{job.strength[band][x]} * (fine ? kWeights[band] : 1);
            const std::int64_t excess = strength - (threshold << (fine_straight ? 10 : fine ? 12 : 0));
            const auto v = static_cast<std::uint64_t>(std::max<std::int64_t>(excess, 0));
            sum += rounded(rounded(v * v, fine_straight ? 29 : 30) * v, shifts[band]);
        }
        return sum;
    });
}

std::uint64_t magnitude(std::int32_t value)
{
    return static_cast<std::uint64_t>(std::abs(std::int64_t{value}));
}

void den_cubes_fine(decltype(AdmLoops::den_cubes_fine) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    Extent extent = elements(span);
    extent.run_on = kAdmRunOnColumns;
    const std::int16_t *ref = run.input(extent, Range<std::int16_t>{-kLargestFine, kLargestFine});
    std::uint64_t sum = 0;
    for (std::size_t x = span.begin; x < span.end; ++x)
        sum += magnitude(ref[x]) * magnitude(ref[x]) * magnitude(ref[x]);
    run.expect_result(run.call(loop, ref, span), sum);
}

void den_cubes_coarse(decltype(AdmLoops::den_cubes_coarse) loop, Run &run)
{
    const unsigned p = run.pick({31U, 30U}), e = cube_shift(run, 0);
    const std::int32_t largest = p == 31 ? kLargestCoarse : 760000000;
    const AdmSpan span = span_of(run);
    Extent extent = elements(span);
    extent.run_on = kAdmRunOnColumns;
    const std::int32_t *ref = run.input(extent, Range<std::int32_t>{-largest, largest});
    std::uint64_t sum = 0;
    for (std::size_t x = span.begin; x < span.end; ++x) {
        const std::uint64_t size = magnitude(ref[x]), square = (size * size + (std::uint64_t{1} << p)) >> p;
        sum += rounded(square * size, e);
    }
    run.expect_result(run.call(loop, ref, p, e, span), sum);
}

const auto kDeclared =
    LoopsOf<AdmLoops>("AdmLoops", select_kAdmLoops)
        .member("filter_rows[u8]", &AdmLoops::filter_rows, kAdmU8, filter_rows_u8)
        .member("filter_rows[u16]", &AdmLoops::filter_rows, kAdmU16, filter_rows_u16)
        .member("filter_rows[i16]", &AdmLoops::filter_rows, kAdmI16, filter_rows_i16)
        .member("filter_rows[halves]", &AdmLoops::filter_rows, kAdmHalves, filter_rows_halves)
        .member("filter_rows_twice[u8]", &AdmLoops::filter_rows_twice, kAdmU8, filter_rows_u8)
        .member("filter_rows_twice[u16]", &AdmLoops::filter_rows_twice, kAdmU16, filter_rows_u16)
        .member("filter_rows_twice[i16]", &AdmLoops::filter_rows_twice, kAdmI16, filter_rows_i16)
        .member("filter_rows_twice[halves]", &AdmLoops::filter_rows_twice, kAdmHalves, filter_rows_halves)
        .member("filter_line[i16_to_i16]", &AdmLoops::filter_line, kAdmI16ToI16,
                [](auto loop, Run &run) { filter_line<kAdmI16ToI16>(loop, run); })
        .member("filter_line[halves_to_halves]", &AdmLoops::filter_line, kAdmHalvesToHalves,
                [](auto loop, Run &run) { filter_line<kAdmHalvesToHalves>(loop, run); })
        .member("filter_line[halves_to_i32]", &AdmLoops::filter_line, kAdmHalvesToI32,
                [](auto loop, Run &run) { filter_line<kAdmHalvesToI32>(loop, run); })
        .member("decouple_fine", &AdmLoops::decouple_fine, decouple_fine)
        .member("decouple_coarse", &AdmLoops::decouple_coarse, decouple_coarse)
        .member("masked_cubes_fine", &AdmLoops::masked_cubes_fine,
                [](auto loop, Run &run) { masked_cubes<std::uint16_t>(loop, run); })
        .member("masked_cubes_coarse", &AdmLoops::masked_cubes_coarse,
                [](auto loop, Run &run) { masked_cubes<std::uint32_t>(loop, run); })
        .member("den_cubes_fine", &AdmLoops::den_cubes_fine, den_cubes_fine)
        .member("den_cubes_coarse", &AdmLoops::den_cubes_coarse, den_cubes_coarse);

} // namespace
} // namespace vmaf::test
