#include "feature/speed/speed_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{-256, 256};
constexpr Lengths kReducedWidths{0, 1024};

void difference_8bit(decltype(SpeedLoops::difference_8bit) loop, Run &run)
{
    const Range<std::uint8_t> any{0, 255};
    const std::uint8_t *minuend = run.input(run.all(), any), *subtrahend = run.input(run.all(), any);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, minuend, subtrahend, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return minuend[x] - subtrahend[x]; });
}

void difference_16bit(decltype(SpeedLoops::difference_16bit) loop, Run &run)
{
    const unsigned bpc = run.between(9, 16);
    const Range<std::uint16_t> any{0, static_cast<std::uint16_t>((1U << bpc) - 1)};
    const std::uint16_t *minuend = run.input(run.all(), any), *subtrahend = run.input(run.all(), any);
    const float scale = 1.0F / static_cast<float>(1U << (bpc - 8));
    auto *out = run.output<float>("out", run.all());
    run.call(loop, minuend, subtrahend, scale, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return static_cast<float>(minuend[x] - subtrahend[x]) * scale; });
}

template <class Sample> void add_samples(void (*loop)(const Sample *, float, float, unsigned, float *), Run &run)
{
    const unsigned bpc = sizeof(Sample) == 1 ? 8 : run.between(9, 16);
    const Sample *samples = run.input(run.all(), Range<Sample>{0, static_cast<Sample>((1U << bpc) - 1)});
    const float scale = 1.0F / static_cast<float>(1U << (bpc - 8));
    const auto tap = static_cast<float>(run.random().unit());
    auto *out = run.in_out("out", run.all(), kSamples);
    const std::vector<float> before(out, out + run.length());
    run.call(loop, samples, scale, tap, run.length(), out);
    run.expect("out", out, run.all(),
               [&](auto x) { return before[x] + tap * (static_cast<float>(samples[x]) * scale - 128); });
}

void add_row(decltype(SpeedLoops::add_row) loop, Run &run)
{
    const float *row = run.input(run.all(), kSamples);
    const auto tap = static_cast<float>(run.random().unit());
    auto *out = run.in_out("out", run.all(), kSamples);
    const std::vector<float> before(out, out + run.length());
    run.call(loop, row, tap, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return before[x] + tap * row[x]; });
}

template <unsigned Step> void filter(decltype(SpeedLoops::filter_row) loop, Run &run)
{
    const unsigned tap_count = 2 * run.between(0, 9) + 1;
    const auto read = static_cast<std::ptrdiff_t>(run.length() == 0 ? 0 : Step * (run.length() - 1) + tap_count);
    const float *row = run.input({0, read}, kSamples), *taps = run.input({0, tap_count}, Range<float>{0, 1});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, row, taps, tap_count, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = 0;
        for (unsigned k = 0; k < tap_count; ++k)
            sum += taps[k] * row[Step * x + k];
        return sum;
    });
}

void subtract_from(decltype(SpeedLoops::subtract_from) loop, Run &run)
{
    const float *minuend = run.input(run.all(), kSamples);
    auto *out = run.in_out("out", run.all(), kSamples);
    const std::vector<float> before(out, out + run.length());
    run.call(loop, minuend, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return minuend[x] - before[x]; });
}

/// Rows of kSpeedBlock windows that lie side by side.
struct Windows {
    std::size_t stride;
    const float *samples;

    Windows(Run &run, std::ptrdiff_t overread)
        : stride(run.length() + kSpeedBlock - 1 + run.random().below(20)),
          samples(run.input(
              {0, static_cast<std::ptrdiff_t>((kSpeedBlock - 1) * stride + kSpeedBlock - 1 + run.length()), overread},
              kSamples))
    {
    }

    float element(std::ptrdiff_t window, std::size_t p) const
    {
        return samples[p / kSpeedBlock * stride + static_cast<std::size_t>(window) + p % kSpeedBlock];
    }
};

void add_windows(decltype(SpeedLoops::add_windows) loop, Run &run)
{
    const Windows windows(run, kSpeedOverread);
    auto *sums = run.in_out("sums", {0, kSpeedDimension}, kSamples);
    std::vector<float> expected(sums, sums + kSpeedDimension);
    for (unsigned p = 0; p < kSpeedDimension; ++p)
        for (unsigned x = 0; x < run.length(); ++x)
            expected[p] += windows.element(x, p);
    run.call(loop, windows.samples, windows.stride, run.length(), sums);
    run.expect("sums", sums, {0, kSpeedDimension}, [&](auto p) { return expected[p]; });
}

void centre_windows(decltype(SpeedLoops::centre_windows) loop, Run &run)
{
    const Windows windows(run, 0);
    const float *means = run.input({0, kSpeedDimension}, kSamples);
    const Extent vectors{0, static_cast<std::ptrdiff_t>(run.length()) * kSpeedLanes};
    auto *centred = run.output<double>("centred", vectors);
    run.call(loop, windows.samples, windows.stride, run.length(), means,
             reinterpret_cast<double(*)[kSpeedLanes]>(centred));
    run.expect("centred", centred, vectors, [&](auto i) {
        const auto p = static_cast<unsigned>(i % kSpeedLanes);
        return p < kSpeedDimension ? double{windows.element(i / kSpeedLanes, p)} - double{means[p]} : 0;
    });
}

void add_products(decltype(SpeedLoops::add_products) loop, Run &run)
{
    const double *centred =
        run.input<double>({0, static_cast<std::ptrdiff_t>(run.length()) * kSpeedLanes}, [&](auto i) {
            return i % kSpeedLanes < std::ptrdiff_t{kSpeedDimension} ? run.random().real(-400, 400) : 0;
        });
    const Extent all{0, kSpeedLanes * kSpeedLanes};
    auto *products = run.in_out(nullptr, all, Range<double>{-1e6, 1e6});
    const std::vector<double> before(products, products + all.end);
    run.call(loop, reinterpret_cast<const double(*)[kSpeedLanes]>(centred), run.length(),
             reinterpret_cast<double(*)[kSpeedLanes]>(products));
    for (unsigned p = 0; p < kSpeedDimension; ++p) {
        const Extent upper{p, kSpeedDimension};
        run.compare("products", products + p * kSpeedLanes, upper);
        run.expect("products", products + p * kSpeedLanes, upper, [&](auto q) {
            double sum = before[p * kSpeedLanes + static_cast<unsigned>(q)];
            for (unsigned x = 0; x < run.length(); ++x)
                sum += centred[x * kSpeedLanes + p] * centred[x * kSpeedLanes + q];
            return sum;
        });
    }
}

const auto kDeclared =
    LoopsOf<SpeedLoops>("SpeedLoops", select_kSpeedLoops)
        .member("difference_8bit", &SpeedLoops::difference_8bit, difference_8bit)
        .member("difference_16bit", &SpeedLoops::difference_16bit, difference_16bit)
        .member("add_samples_8bit", &SpeedLoops::add_samples_8bit, add_samples<std::uint8_t>)
        .member("add_samples_16bit", &SpeedLoops::add_samples_16bit, add_samples<std::uint16_t>)
        .member("add_row", &SpeedLoops::add_row, add_row)
        .member("filter_row", &SpeedLoops::filter_row, filter<1>)
        .member("filter_row_and_decimate", &SpeedLoops::filter_row_and_decimate, filter<kSpeedStep>, kReducedWidths)
        .member("subtract_from", &SpeedLoops::subtract_from, subtract_from)
        .member("add_windows", &SpeedLoops::add_windows, add_windows, kReducedWidths)
        .member("centre_windows", &SpeedLoops::centre_windows, centre_windows, kReducedWidths)
        .member("add_products", &SpeedLoops::add_products, add_products, kReducedWidths);

} // namespace
} // namespace vmaf::test
