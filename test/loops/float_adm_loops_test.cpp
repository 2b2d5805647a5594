#include "feature/float_adm/float_adm_loops.h"

#include <algorithm>
#include <cmath>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kBand{-2048, 2048}, kStrength{0, 200};

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

// ---- spec float_features 3.6 ----

constexpr float kLow[4] = {0.482962913144690F, 0.836516303737469F, 0.224143868041857F, -0.129409522550921F};
constexpr float kHigh[4] = {-0.129409522550921F, -0.224143868041857F, 0.836516303737469F, -0.482962913144690F};

template <class Get> float filtered(const float (&taps)[4], const Get &value)
{
    float sum = taps[0] * value(0);
    for (int k = 1; k < 4; ++k)
        sum += taps[k] * value(k);
    return sum;
}

template <class Sample> void filter_rows(const Range<Sample> &range, float scale, auto loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent extent = elements(span);
    const Sample *samples[4];
    for (const Sample *&row : samples)
        row = run.input(extent, range);
    const void *const rows[4] = {samples[0], samples[1], samples[2], samples[3]};
    auto *low = run.output<float>("low", extent), *high = run.output<float>("high", extent);
    run.call(loop, rows, scale, span, low, high);
    const auto value = [&](auto x) {
        return [&, x](int k) {
            const auto sample = static_cast<float>(samples[k][x]);
            return std::is_floating_point_v<Sample> ? sample : sample * scale - 128;
        };
    };
    run.expect("low", low, extent, [&](auto x) { return filtered(kLow, value(x)); });
    run.expect("high", high, extent, [&](auto x) { return filtered(kHigh, value(x)); });
}

void filter_line(decltype(FloatAdmLoops::filter_line) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent out = elements(span), in{2 * out.begin - 1, run.length() == 0 ? 2 * out.begin - 1 : 2 * out.end + 1};
    const float *line = run.input(in, kBand);
    auto *low = run.output<float>("low band", out), *high = run.output<float>("high band", out);
    run.call(loop, line, span, low, high);
    const auto value = [&](auto i) { return [&, i](int k) { return line[2 * i - 1 + k]; }; };
    run.expect("low band", low, out, [&](auto i) { return filtered(kLow, value(i)); });
    run.expect("high band", high, out, [&](auto i) { return filtered(kHigh, value(i)); });
}

// ---- spec float_features 3.7, 3.9 ----

/// Bands of a distorted picture: any, equal to the reference's, nearly equal, or in its direction.
float distorted(Run &run, float ref)
{
    switch (run.random().below(5)) {
    case 0:
        return ref;
    case 1:
        return std::nextafter(ref, run.pick({-2048.0F, 2048.0F}));
    case 2:
        return ref * 0.7F;
    case 3:
        return 0;
    default:
        return static_cast<float>(
            std::ldexp(run.random().real(-2048, 2048), -static_cast<int>(run.random().below(24))));
    }
}

FloatAdmSignalRow signal_row(Run &run, const Extent &extent)
{
    FloatAdmSignalRow row{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        row.strength[band] = run.output<float>("strength", extent);
        row.neighbour[band] = run.output<float>("neighbour", extent);
    }
    return row;
}

void decouple(decltype(FloatAdmLoops::decouple) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent extent = elements(span);
    FloatAdmDecoupling job{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const float *ref = run.input(extent, kBand);
        job.ref[band] = ref;
        job.dis[band] = run.input<float>(extent, [&, ref](auto x) { return distorted(run, ref[x]); });
        job.reference[band] = run.output<float>("reference", extent);
    }
    job.flag = run.scratch<int>(extent);
    job.r = run.scratch<float>(extent);
    job.a = run.scratch<float>(extent);
    job.gain_limit = run.pick({1.0, 1.2, 100.0});
    job.weight = run.input({0, kAdmBands}, Range<float>{0.001F, 0.1F});
    job.restored = signal_row(run, extent);
    job.additive = signal_row(run, extent);
    run.call(loop, job, span);
}

void thresholds(decltype(FloatAdmLoops::thresholds) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    FloatAdmMask mask{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        for (auto &row : mask.neighbour)
            row[band] = run.input(elements(span, 1), Range<float>{0, 8});
        mask.centre[band] = run.input(elements(span), kStrength);
    }
    run.call(loop, mask, span, run.output<float>("threshold", elements(span)));
}

void subtract_threshold(decltype(FloatAdmLoops::subtract_threshold) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    const Extent extent = elements(span);
    const float *strength = run.input(extent, kStrength), *threshold = run.input(extent, kStrength);
    auto *v = run.output<float>("v", extent);
    run.call(loop, strength, threshold, span, v);
    run.expect("v", v, extent, [&](auto x) { return std::max(strength[x] - threshold[x], 0.0F); });
}

void cube(decltype(FloatAdmLoops::cube) loop, Run &run)
{
    const AdmSpan span = span_of(run);
    auto *v = run.in_out("v", elements(span), kStrength);
    const std::vector<float> before(v + span.begin, v + span.end);
    run.call(loop, v, span);
    run.expect("v", v, elements(span), [&](auto x) {
        const float original = before[static_cast<std::size_t>(x) - span.begin];
        return original * original * original;
    });
}

const auto kDeclared = LoopsOf<FloatAdmLoops>("FloatAdmLoops", select_kFloatAdmLoops)
                           .member("filter_rows[u8]", &FloatAdmLoops::filter_rows, kFloatAdmU8,
                                   [](auto loop, Run &run) {
                                       filter_rows(Range<std::uint8_t>{0, 255}, 1, loop, run);
                                   })
                           .member("filter_rows[u16]", &FloatAdmLoops::filter_rows, kFloatAdmU16,
                                   [](auto loop, Run &run) {
                                       const unsigned bpc = run.between(9, 16);
                                       filter_rows(Range<std::uint16_t>{0, static_cast<std::uint16_t>((1U << bpc) - 1)},
                                                   1.0F / static_cast<float>(1U << (bpc - 8)), loop, run);
                                   })
                           .member("filter_rows[f32]", &FloatAdmLoops::filter_rows, kFloatAdmF32,
                                   [](auto loop, Run &run) { filter_rows(kBand, 1, loop, run); })
                           .member("filter_line", &FloatAdmLoops::filter_line, filter_line)
                           .member("decouple", &FloatAdmLoops::decouple, decouple)
                           .member("thresholds", &FloatAdmLoops::thresholds, thresholds)
                           .member("subtract_threshold", &FloatAdmLoops::subtract_threshold, subtract_threshold)
                           .member("cube", &FloatAdmLoops::cube, cube);

} // namespace
} // namespace vmaf::test
