#include "feature/adm/adm_loops.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

// spec adm 3.1 and 5: the largest values of a line at scale 0, of bands at scale 0 and at the others.
constexpr std::int32_t kLargestLine = 27411, kLargestFine = 22930, kLargestCoarse = 1491500000;

/// Columns of a row, from anywhere on.
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

template <class Sample> void filter_rows(auto loop, const AdmFilter &filter, const Range<Sample> &range, Run &run)
{
    const AdmSpan span = span_of(run);
    const Sample *samples[4];
    for (const Sample *&row : samples)
        row = run.input(elements(span), range);
    const void *const rows[4] = {samples[0], samples[1], samples[2], samples[3]};
    auto *line = run.output<std::int32_t>("line", elements(span));
    run.call(loop, rows, filter, span, line);
    run.expect("line", line, elements(span), [&](auto x) {
        std::int64_t sum = filter.offset;
        for (unsigned k = 0; k < 4; ++k)
            sum += std::int64_t{samples[k][x]} * filter.taps[k];
        return sum >> filter.shift;
    });
}

/// Samples of `bpc` bits, of which mid-grey becomes 0.
AdmFilter of_samples(const std::int32_t *taps, unsigned bpc)
{
    const std::int32_t half = 1 << (bpc - 1), gain = taps[0] + taps[1] + taps[2] + taps[3];
    return {taps, half - gain * half, bpc};
}

template <class Band> void filter_line(std::int32_t largest, unsigned shift, auto loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const AdmFilter filter{taps_of(run), 1 << (shift - 1), shift};
    const Extent out = elements(span), in{2 * out.begin - 1, run.length() == 0 ? 2 * out.begin - 1 : 2 * out.end + 1};
    const std::int32_t *line = run.input(in, Range<std::int32_t>{-largest, largest});
    auto *band = run.output<Band>("band", out);
    run.call(loop, line, filter, span, static_cast<void *>(band));
    run.expect("band", band, out, [&](auto i) {
        std::int64_t sum = filter.offset;
        for (int k = 0; k < 4; ++k)
            sum += std::int64_t{line[2 * i - 1 + k]} * filter.taps[k];
        return sum >> filter.shift;
    });
}

// ---- spec adm 3.3, 3.5 ----

/// Bands of a distorted picture: any, equal to the reference's, nearly or in its direction.
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

AdmSignalRow signal_row(Run &run, const Extent &extent)
{
    AdmSignalRow row{};
    for (std::uint32_t *&strength : row.strength)
        strength = run.output<std::uint32_t>("strength", extent);
    row.neighbour = run.output<std::int32_t>("neighbour", extent);
    row.centre = run.output<std::int32_t>("centre", extent);
    return row;
}

void decouple(std::int32_t largest, const std::uint32_t (&weight)[kAdmBands], decltype(AdmLoops::decouple_fine) loop,
              Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent extent = elements(span);
    AdmDecoupling job{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const std::int32_t *ref = run.input(extent, Range<std::int32_t>{-largest, largest});
        job.ref[band] = ref;
        job.dis[band] = run.input<std::int32_t>(extent, [&, ref](auto x) { return distorted(run, ref[x], largest); });
    }
    job.flag = run.scratch<std::int32_t>(extent);
    job.r = run.scratch<std::int32_t>(extent);
    job.a = run.scratch<std::int32_t>(extent);
    job.gain_limit = run.pick({1.0, 1.2, 100.0});
    job.weight = weight;
    job.restored = signal_row(run, extent);
    job.additive = signal_row(run, extent);
    run.call(loop, job, span);
}

void decouple_fine(decltype(AdmLoops::decouple_fine) loop, Run &run)
{
    // spec adm 3.4, or powers of two, which make ties.
    const auto straight = run.pick<std::uint32_t>({36453, 1U << 15}),
               diagonal = run.pick<std::uint32_t>({49417, 1U << 15});
    decouple(kLargestFine, {straight, straight, diagonal}, loop, run);
}
void decouple_coarse(decltype(AdmLoops::decouple_coarse) loop, Run &run)
{
    const auto straight = run.pick<std::uint32_t>({137373792, 186284160, 196165808, 1U << 27});
    const auto diagonal = run.pick<std::uint32_t>({61414028, 104783920, 134487184, 1U << 27});
    decouple(kLargestCoarse, {straight, straight, diagonal}, loop, run);
}

void thresholds(decltype(AdmLoops::thresholds) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const Range<std::int32_t> any{INT32_MIN, INT32_MAX};
    const std::int32_t *neighbour[3];
    for (const std::int32_t *&row : neighbour)
        row = run.input(elements(span, 1), any);
    const std::int32_t *centre = run.input(elements(span), any);
    auto *threshold = run.output<std::int32_t>("threshold", elements(span));
    run.call(loop, neighbour, centre, span, threshold);
    run.expect("threshold", threshold, elements(span), [&](auto x) {
        std::int64_t sum = centre[x];
        for (const std::int32_t *row : neighbour)
            sum += std::int64_t{row[x - 1]} + row[x] + row[x + 1];
        return sum;
    });
}

// ---- spec adm 3.6, 3.7 ----

std::uint64_t rounded(std::uint64_t value, unsigned shift)
{
    return shift == 0 ? value : (value + (std::uint64_t{1} << (shift - 1))) >> shift;
}

/// e of 3.6 for a band as wide as the row, less what it is lessened by.
unsigned cube_shift(const Run &run, unsigned less)
{
    const auto log2 = static_cast<unsigned>(std::bit_width(std::max(run.length(), 1U) - 1));
    return std::max(log2, less) - less;
}

void cubes(decltype(AdmLoops::cubes) loop, Run &run)
{
    struct Shifts {
        unsigned threshold, square, less;
    };
    const Shifts shifts = run.pick<Shifts>({{10, 29, 4}, {12, 30, 3}, {0, 30, 0}});
    const unsigned e = cube_shift(run, shifts.less);
    const AdmSpan span = span_of(run);
    const std::uint32_t *strength = run.input(elements(span), Range<std::uint32_t>{0, 1140000000});
    const std::int32_t *threshold = run.input(elements(span), Range<std::int32_t>{-27, 1140000000 >> shifts.threshold});
    std::uint64_t sum = 0;
    for (std::size_t x = span.begin; x < span.end; ++x) {
        const std::int64_t excess = std::int64_t{strength[x]} - (std::int64_t{threshold[x]} << shifts.threshold);
        const auto v = static_cast<std::uint64_t>(std::max<std::int64_t>(excess, 0));
        sum += rounded(rounded(v * v, shifts.square) * v, e);
    }
    run.expect_result(run.call(loop, strength, threshold, shifts.threshold, shifts.square, e, span), sum);
}

std::uint64_t magnitude(std::int32_t value)
{
    return static_cast<std::uint64_t>(std::abs(std::int64_t{value}));
}

void den_cubes_fine(decltype(AdmLoops::den_cubes_fine) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const std::int32_t *ref = run.input(elements(span), Range<std::int32_t>{-kLargestFine, kLargestFine});
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
    const std::int32_t *ref = run.input(elements(span), Range<std::int32_t>{-largest, largest});
    std::uint64_t sum = 0;
    for (std::size_t x = span.begin; x < span.end; ++x) {
        const std::uint64_t size = magnitude(ref[x]), square = (size * size + (std::uint64_t{1} << p)) >> p;
        sum += rounded(square * size, e);
    }
    run.expect_result(run.call(loop, ref, p, e, span), sum);
}

const auto kDeclared =
    LoopsOf<AdmLoops>("AdmLoops", select_kAdmLoops)
        .member("filter_rows[u8]", &AdmLoops::filter_rows, kAdmU8,
                [](auto loop, Run &run) {
                    filter_rows(loop, of_samples(taps_of(run), 8), Range<std::uint8_t>{0, 255}, run);
                })
        .member("filter_rows[u16]", &AdmLoops::filter_rows, kAdmU16,
                [](auto loop, Run &run) {
                    const unsigned bpc = run.between(9, 16);
                    const Range<std::uint16_t> samples{0, static_cast<std::uint16_t>((1U << bpc) - 1)};
                    filter_rows(loop, of_samples(taps_of(run), bpc), samples, run);
                })
        .member("filter_rows[i16]", &AdmLoops::filter_rows, kAdmI16,
                [](auto loop, Run &run) {
                    filter_rows(loop, {taps_of(run), 0, 0}, Range<std::int16_t>{-kLargestFine, kLargestFine}, run);
                })
        .member("filter_rows[i32]", &AdmLoops::filter_rows, kAdmI32,
                [](auto loop, Run &run) {
                    const Range<std::int32_t> samples{-kLargestCoarse, kLargestCoarse};
                    filter_rows(loop, {taps_of(run), 32768, 16}, samples, run);
                })
        .member("filter_line[narrow_to_i16]", &AdmLoops::filter_line, kAdmNarrowToI16,
                [](auto loop, Run &run) { filter_line<std::int16_t>(kLargestLine, 16, loop, run); })
        .member("filter_line[narrow_to_i32]", &AdmLoops::filter_line, kAdmNarrowToI32,
                [](auto loop, Run &run) { filter_line<std::int32_t>(kLargestLine, 16, loop, run); })
        .member("filter_line[wide_to_i32]", &AdmLoops::filter_line, kAdmWideToI32,
                [](auto loop, Run &run) {
                    filter_line<std::int32_t>(kLargestCoarse, run.pick({15U, 16U}), loop, run);
                })
        .member("decouple_fine", &AdmLoops::decouple_fine, decouple_fine)
        .member("decouple_coarse", &AdmLoops::decouple_coarse, decouple_coarse)
        .member("thresholds", &AdmLoops::thresholds, thresholds)
        .member("cubes", &AdmLoops::cubes, cubes)
        .member("den_cubes_fine", &AdmLoops::den_cubes_fine, den_cubes_fine)
        .member("den_cubes_coarse", &AdmLoops::den_cubes_coarse, den_cubes_coarse);

} // namespace
} // namespace vmaf::test
