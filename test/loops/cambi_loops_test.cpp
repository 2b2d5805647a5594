#include "feature/cambi/cambi_loops.h"

#include <algorithm>
#include <bit>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<std::uint16_t> kSamples{0, kCambiMaxSample}, kAnySample{0, 65535};
constexpr Range<std::uint8_t> kFlag{0, 1}, kFlatSum{0, 2 * kCambiMaskReach + 1};
constexpr Lengths kWidths{1}, kBeyondOneBlock{0, 3 * 16384 + 77};

/// A row that is written, with the slack behind it that the loops may write.
Extent with_slack(std::ptrdiff_t count)
{
    return {0, count, kCambiSlackPx};
}
Extent written(const Run &run)
{
    return with_slack(run.all().end);
}

// ---- spec cambi 3.2 ----

void convert_row_8bit(decltype(CambiLoops::convert_row_8bit) loop, Run &run)
{
    const std::uint8_t *samples = run.input(run.all(), Range<std::uint8_t>{0, 255});
    auto *picture = run.output<std::uint16_t>("picture", written(run));
    run.call(loop, samples, run.length(), picture);
    run.expect("picture", picture, run.all(), [&](auto x) { return samples[x] * 4; });
}

void convert_row_16bit(decltype(CambiLoops::convert_row_16bit) loop, Run &run)
{
    const unsigned bpc = run.between(9, 16);
    const std::uint16_t *samples =
        run.input(run.all(), Range<std::uint16_t>{0, static_cast<std::uint16_t>((1U << bpc) - 1)});
    auto *picture = run.output<std::uint16_t>("picture", written(run));
    run.call(loop, samples, run.length(), bpc, picture);
    run.expect("picture", picture, run.all(), [&](auto x) {
        return bpc <= 10 ? samples[x] << (10 - bpc) : (samples[x] + (1 << (bpc - 11))) >> (bpc - 10);
    });
}

void largest_sample(decltype(CambiLoops::largest_sample) loop, Run &run)
{
    const std::uint16_t *samples = run.input(run.all(), kAnySample);
    const std::uint16_t largest =
        run.length() == 0 ? std::uint16_t{0} : *std::max_element(samples, samples + run.length());
    run.expect_result(run.call(loop, samples, run.length()), largest);
}

/// The row below the last one is the last row itself.
const std::uint16_t *row_below(Run &run, const std::uint16_t *row)
{
    return run.random().one_in(4) ? row : run.input<std::uint16_t>(run.all(), [&](auto x) {
        return run.random().one_in(3) ? run.random().below(kCambiMaxSample + 1) : row[x];
    });
}

void smooth_row(decltype(CambiLoops::smooth_row) loop, Run &run)
{
    const std::uint16_t *row = run.input(run.all(), kSamples), *below = row_below(run, row);
    auto *smooth = run.output<std::uint16_t>("smooth", written(run));
    run.call(loop, row, below, run.length(), smooth);
    run.expect("smooth", smooth, run.all(), [&](auto x) {
        const auto next = std::min(x + 1, run.all().end - 1);
        return (row[x] + row[next] + below[x] + below[next]) >> 2;
    });
}

void smooth_row_8bit(decltype(CambiLoops::smooth_row_8bit) loop, Run &run)
{
    const Range<std::uint8_t> any{0, 255};
    const std::uint8_t *row = run.input(run.all(), any);
    const std::uint8_t *below = run.random().one_in(4) ? row : run.input(run.all(), any);
    auto *smooth = run.output<std::uint16_t>("smooth", written(run));
    run.call(loop, row, below, run.length(), smooth);
    run.expect("smooth", smooth, run.all(), [&](auto x) {
        const auto next = std::min(x + 1, run.all().end - 1);
        return (4 * row[x] + 4 * row[next] + 4 * below[x] + 4 * below[next]) >> 2;
    });
}

// ---- spec cambi 3.3 ----

void flat_row(decltype(CambiLoops::flat_row) loop, Run &run)
{
    const std::uint16_t *row = run.input<std::uint16_t>(run.all(), [&](auto) { return run.random().below(3); });
    const std::uint16_t *below = row_below(run, row);
    auto *flat = run.output<std::uint8_t>("flat", written(run));
    run.call(loop, row, below, run.length(), flat);
    run.expect("flat", flat, run.all(),
               [&](auto x) { return row[x] == row[std::min(x + 1, run.all().end - 1)] && row[x] == below[x]; });
}

void slide_flat_sums(decltype(CambiLoops::slide_flat_sums) loop, Run &run)
{
    const std::uint8_t *entering = run.input(run.all(), kFlag), *leaving = run.input(run.all(), kFlag);
    auto *sums = run.in_out("sums", written(run), kFlatSum);
    const std::vector<std::uint8_t> before(sums, sums + run.length());
    run.call(loop, entering, leaving, run.length(), sums);
    run.expect("sums", sums, run.all(), [&](auto x) { return before[x] + entering[x] - leaving[x]; });
}

void mask_row(decltype(CambiLoops::mask_row) loop, Run &run)
{
    constexpr std::ptrdiff_t kReach = kCambiMaskReach;
    const auto width = run.all().end;
    const std::uint8_t *sums = run.input<std::uint8_t>({-kReach, width + kReach}, [&](auto x) {
        return x < 0 || x >= width ? 0 : run.random().below(kFlatSum.high + 1);
    });
    const auto threshold = static_cast<std::uint8_t>(run.between(0, 60));
    auto *mask = run.output<std::uint8_t>("mask", written(run));
    run.call(loop, sums, run.length(), threshold, mask);
    run.expect("mask", mask, run.all(), [&](auto x) {
        unsigned sum = 0;
        for (std::ptrdiff_t d = -kReach; d <= kReach; ++d)
            sum += sums[x + d];
        return sum > threshold;
    });
}

// ---- spec cambi 3.4 ----

template <class Element> void halve(void (*loop)(const Element *, unsigned, Element *), Run &run)
{
    const Extent read{0, run.length() == 0 ? 0 : 2 * run.all().end - 1};
    const Element *row = run.input(read, Range<Element>{0, static_cast<Element>(-1)});
    auto *half = run.output<Element>("half", written(run));
    run.call(loop, row, run.length(), half);
    run.expect("half", half, run.all(), [&](auto x) { return row[2 * x]; });
}

const std::uint16_t *few_values(Run &run)
{
    const std::uint64_t first = run.random().below(1000), count = 1 + run.random().below(4);
    return run.input<std::uint16_t>(run.all(), [&](auto) { return first + run.random().below(count); });
}

std::uint16_t mode(std::uint16_t a, std::uint16_t b, std::uint16_t c)
{
    return a == b || a == c ? a : b == c ? b : std::min({a, b, c});
}

void mode_filter_row(decltype(CambiLoops::mode_filter_row) loop, Run &run)
{
    const std::uint16_t *row = few_values(run);
    auto *filtered = run.output<std::uint16_t>("filtered", written(run));
    run.call(loop, row, run.length(), filtered);
    run.expect("filtered", filtered, run.all(), [&](auto x) {
        return x == 0 || x + 1 == run.all().end ? row[x] : mode(row[x - 1], row[x], row[x + 1]);
    });
}

void mode_filter_column(decltype(CambiLoops::mode_filter_column) loop, Run &run)
{
    const std::uint16_t *above = few_values(run), *row = few_values(run), *below = few_values(run);
    auto *filtered = run.output<std::uint16_t>("filtered", written(run));
    run.call(loop, above, row, below, run.length(), filtered);
    run.expect("filtered", filtered, run.all(), [&](auto x) { return mode(above[x], row[x], below[x]); });
}

// ---- spec cambi 3.5 ----

void level_row(decltype(CambiLoops::level_row) loop, Run &run)
{
    const int lowest = static_cast<int>(run.random().between(-32, 900));
    const unsigned count = run.between(1, 300);
    const std::uint16_t *picture = run.input<std::uint16_t>(run.all(), [&](auto) {
        return run.random().one_in(2)
                   ? std::clamp<std::int64_t>(lowest + run.random().between(-3, count + 3), 0, kSamples.high)
                   : run.random().between(0, kSamples.high);
    });
    const std::uint8_t *mask = run.input(run.all(), kFlag);
    auto *levels = run.output<std::uint16_t>("levels", written(run));
    run.call(loop, picture, mask, run.length(), lowest, count, levels);
    run.expect("levels", levels, run.all(), [&](auto x) {
        const int level = picture[x] - lowest + 1;
        return mask[x] != 0 && level >= 1 && level <= static_cast<int>(count) ? level : 0;
    });
}

constexpr unsigned kLevels = 20;

/// Counters for windows of any size.
struct Windows {
    unsigned reach_px;
    std::ptrdiff_t width;

    explicit Windows(Run &run) : reach_px(run.between(1, kCambiMaxWindow / 2)), width(run.all().end) {}
    /// The loops load and store at 64-byte alignment, as the counters have it, or at that of a
    /// smaller register.
    Extent all_counts() const
    {
        return {0, static_cast<std::ptrdiff_t>(CambiCounters::size(static_cast<unsigned>(width), kLevels + 1))};
    }
    CambiCounters counters(std::uint16_t *counts) const { return {counts, kLevels + 1, reach_px}; }
};

/// Levels that repeat in runs.
const std::uint16_t *levels(Run &run)
{
    std::uint64_t level = 0;
    const unsigned length = run.pick({1U, 3U, 40U});
    return run.input<std::uint16_t>(written(run), [&](auto) {
        if (run.random().one_in(length))
            level = run.random().one_in(3) ? 0 : run.random().below(kLevels + 1);
        return level;
    });
}

void slide_counters(decltype(CambiLoops::slide_counters) loop, Run &run)
{
    const Windows windows(run);
    const std::uint16_t *entering = levels(run), *others = levels(run);
    const bool mostly_equal = run.random().one_in(2);
    const std::uint16_t *leaving = run.input<std::uint16_t>(
        written(run), [&](auto x) { return mostly_equal && x % 64 < 40 ? entering[x] : others[x]; });
    auto *counts = run.in_out(nullptr, windows.all_counts(), Range<std::uint16_t>{0, kCambiMaxCount});
    std::vector<std::uint16_t> expected(counts, counts + windows.all_counts().end);
    const CambiCounters counters = windows.counters(counts), expected_counters = windows.counters(expected.data());
    const int reach = static_cast<int>(windows.reach_px), width = static_cast<int>(windows.width);
    const auto count = [&](std::uint16_t level, int x, int by) {
        for (int i = std::max(0, x - reach); i <= x + reach && i < width && level != 0; ++i)
            *expected_counters.at(level, i) = static_cast<std::uint16_t>(*expected_counters.at(level, i) + by);
    };
    for (int x = 0; x < width; ++x) {
        count(entering[x], x, 1);
        count(leaving[x], x, -1);
    }
    run.call(loop, entering, leaving, run.length(), counters);
    constexpr int kBlock = CambiCounters::kBlockPx;
    for (unsigned level = 0; level <= kLevels; ++level)
        for (int x = 0; x < width; x += kBlock) {
            const std::uint16_t *block = counters.at(level, x), *wanted = expected_counters.at(level, x);
            const Extent columns{0, std::min(kBlock, width - x)};
            run.compare("counts", block, columns);
            run.expect("counts", block, columns, [&](auto i) { return wanted[i]; });
        }
}

void contrast_row(decltype(CambiLoops::contrast_row) loop, Run &run)
{
    const Windows windows(run);
    const unsigned steps = run.random().one_in(2) ? 4 : run.between(1, kLevels / 2 - 1);
    // The counts of any two levels in a column belong to pixels of one window, which includes the
    // pixel itself.
    const auto most = static_cast<std::uint16_t>((2 * windows.reach_px + 1) * (2 * windows.reach_px + 1) / 2);
    auto *counts = run.in_out(nullptr, windows.all_counts(), Range<std::uint16_t>{1, most});
    const CambiCounters counters = windows.counters(counts);
    const bool sparse = run.random().one_in(2); // levels that no pixel has
    for (unsigned level = 0; level <= kLevels; ++level)
        for (int x = 0; x < static_cast<int>(windows.width) && (level == 0 || (sparse && level % 2 != 0)); ++x)
            *counters.at(level, x) = 0;
    const std::uint8_t *first_step = run.input<std::uint8_t>({0, kLevels + 1}, [&](auto level) {
        const auto n = static_cast<std::ptrdiff_t>(steps);
        return level > n && level <= std::ptrdiff_t{kLevels} - n ? run.between(1, steps + 1) : steps + 1;
    });
    CambiContrastTables tables{steps, first_step, nullptr, 0, {}};
    const bool look_up = run.random().one_in(2);
    for (auto &exception : tables.exceptions)
        exception = {static_cast<int>(run.between(1, 100)), run.random().one_in(2) ? 1 : -1};
    std::sort(std::begin(tables.exceptions), std::end(tables.exceptions),
              [](const auto &a, const auto &b) { return a.n < b.n; });
    const float *reciprocals = run.input<float>({0, kCambiMaxCount + 1}, [&](auto n) {
        auto bits = n == 0 ? 0 : std::bit_cast<std::int32_t>(1.0F / static_cast<float>(n));
        for (const auto &exception : tables.exceptions)
            bits += exception.n == n ? exception.difference : 0;
        return std::bit_cast<float>(bits);
    });
    tables.reciprocals = reciprocals;
    tables.exception_count = look_up ? kCambiMaxExceptions + 1 : kCambiMaxExceptions;
    const std::uint16_t *row = levels(run);
    auto *c = run.output<float>("c", written(run));
    run.call(loop, row, run.length(), counters, tables, c);
    run.expect("c", c, run.all(), [&](auto x) {
        float largest = 0;
        const auto count_at = [&](unsigned level) { return int{*counters.at(level, static_cast<int>(x))}; };
        for (unsigned step = first_step[row[x]]; step <= steps && row[x] != 0; ++step) {
            const int n = count_at(row[x]), m = std::max(count_at(row[x] + step), count_at(row[x] - step));
            largest = std::max(largest, static_cast<float>(kCambiWeights[step - 1] * n * m) * reciprocals[n + m]);
        }
        return largest;
    });
}

// ---- spec cambi 3.6 ----

constexpr std::ptrdiff_t kUpperHalves = (std::bit_cast<std::uint32_t>(16384.0F) >> 16) + 1, kLowerHalves = 65536;

/// 0, or from 0.5 to below 2^14; few or many different values.
const float *contrasts(Run &run)
{
    const double most = run.pick({1.0, 16383.0});
    const bool few = run.random().one_in(2);
    return run.input<float>(run.all(), [&](auto) {
        const double c = run.random().one_in(4) ? 0 : run.random().real(0.5, most);
        return few ? static_cast<double>(static_cast<int>(c)) : c;
    });
}

void count_upper_halves(decltype(CambiLoops::count_upper_halves) loop, Run &run)
{
    const float *c = contrasts(run);
    auto *counts = run.in_out<std::uint32_t>("by upper half", {0, kUpperHalves}, [](auto bin) { return bin % 3; });
    std::vector<std::uint32_t> expected(counts, counts + kUpperHalves);
    for (unsigned i = 0; i < run.length(); ++i)
        ++expected[std::bit_cast<std::uint32_t>(c[i]) >> 16];
    run.call(loop, c, run.length(), counts);
    run.expect("by upper half", counts, {0, kUpperHalves}, [&](auto bin) { return expected[bin]; });
}

void count_lower_halves(decltype(CambiLoops::count_lower_halves) loop, Run &run)
{
    const float *c = contrasts(run);
    const std::uint32_t upper_half =
        std::bit_cast<std::uint32_t>(run.length() == 0 ? 1.0F : c[run.random().below(run.length())]) >> 16;
    auto *counts = run.in_out<std::uint32_t>("by lower half", {0, kLowerHalves}, [](auto bin) { return bin % 3; });
    std::vector<std::uint32_t> expected(counts, counts + kLowerHalves);
    for (unsigned i = 0; i < run.length(); ++i)
        if (const auto bits = std::bit_cast<std::uint32_t>(c[i]); bits >> 16 == upper_half)
            ++expected[bits & 0xffff];
    run.call(loop, c, run.length(), upper_half, counts);
    run.expect("by lower half", counts, {0, kLowerHalves}, [&](auto bin) { return expected[bin]; });
}

struct Summands {
    const float *c;
    float bound;
    std::uint64_t units = 0, bits = 0, count = 0;

    explicit Summands(Run &run)
        : c(contrasts(run)),
          bound(run.length() == 0 || run.random().one_in(2) ? 0 : c[run.random().below(run.length())])
    {
        for (unsigned i = 0; i < run.length(); ++i)
            if (c[i] > bound) {
                const auto summand = static_cast<std::uint64_t>(double{c[i]} * 16777216);
                units += summand;
                bits |= summand;
                ++count;
            }
    }
};

void exact_sum(decltype(CambiLoops::exact_sum) loop, Run &run)
{
    const Summands expected(run);
    const CambiExactSum sum = run.call(loop, expected.c, run.length(), expected.bound);
    run.expect_result(sum.units, expected.units);
    run.expect_result(sum.count, expected.count);
}

void summand_bits(decltype(CambiLoops::summand_bits) loop, Run &run)
{
    const Summands expected(run);
    run.expect_result(run.call(loop, expected.c, run.length(), expected.bound), expected.bits);
}

const auto kDeclared = LoopsOf<CambiLoops>("CambiLoops", select_kCambiLoops)
                           .member("convert_row_8bit", &CambiLoops::convert_row_8bit, convert_row_8bit)
                           .member("convert_row_16bit", &CambiLoops::convert_row_16bit, convert_row_16bit)
                           .member("largest_sample", &CambiLoops::largest_sample, largest_sample)
                           .member("smooth_row", &CambiLoops::smooth_row, smooth_row, kWidths)
                           .member("smooth_row_8bit", &CambiLoops::smooth_row_8bit, smooth_row_8bit, kWidths)
                           .member("flat_row", &CambiLoops::flat_row, flat_row, kWidths)
                           .member("slide_flat_sums", &CambiLoops::slide_flat_sums, slide_flat_sums)
                           .member("mask_row", &CambiLoops::mask_row, mask_row)
                           .member("halve_picture_row", &CambiLoops::halve_picture_row, halve<std::uint16_t>)
                           .member("halve_mask_row", &CambiLoops::halve_mask_row, halve<std::uint8_t>)
                           .member("mode_filter_row", &CambiLoops::mode_filter_row, mode_filter_row, kWidths)
                           .member("mode_filter_column", &CambiLoops::mode_filter_column, mode_filter_column)
                           .member("level_row", &CambiLoops::level_row, level_row)
                           .member("slide_counters", &CambiLoops::slide_counters, slide_counters)
                           .member("contrast_row", &CambiLoops::contrast_row, contrast_row)
                           .member("count_upper_halves", &CambiLoops::count_upper_halves, count_upper_halves)
                           .member("count_lower_halves", &CambiLoops::count_lower_halves, count_lower_halves)
                           .member("exact_sum", &CambiLoops::exact_sum, exact_sum, kBeyondOneBlock)
                           .member("summand_bits", &CambiLoops::summand_bits, summand_bits);

} // namespace
} // namespace vmaf::test
