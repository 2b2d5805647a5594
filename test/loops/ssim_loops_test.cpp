#include "feature/ssim/ssim_loops.h"

#include <cmath>
#include <cstdlib>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{0, 255.99609375F};

void widen_8bit(decltype(SsimLoops::widen_8bit) loop, Run &run)
{
    const std::uint8_t *samples = run.input(run.all(), Range<std::uint8_t>{0, 255});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, samples, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return samples[x]; });
}

void widen_16bit(decltype(SsimLoops::widen_16bit) loop, Run &run)
{
    const unsigned bpc = run.between(9, 16);
    const auto peak = static_cast<std::uint16_t>((1U << bpc) - 1);
    const std::uint16_t *samples = run.input(run.all(), Range<std::uint16_t>{0, peak});
    const float inverse_divisor = 1.0F / static_cast<float>(1U << (bpc - 8));
    auto *out = run.output<float>("out", run.all());
    run.call(loop, samples, run.length(), inverse_divisor, out);
    run.expect("out", out, run.all(), [&](auto x) { return static_cast<float>(samples[x]) * inverse_divisor; });
}

void multiply(decltype(SsimLoops::multiply) loop, Run &run)
{
    const float *a = run.input(run.all(), kSamples);
    const float *b = run.random().one_in(3) ? a : run.input(run.all(), kSamples);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, a, b, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return a[x] * b[x]; });
}

/// The window filter over samples from `least` on.
void expect_filtered(decltype(SsimLoops::filter) loop, Run &run, float least)
{
    constexpr float kTaps[6] = {0.266012F, 0.213006F, 0.109361F, 0.036001F, 0.007599F, 0.001028F}; // spec ssim 3.2
    const float *rows[kSsimTaps];
    if (run.random().one_in(2)) { // one row at eleven positions and more
        const float *row =
            run.input({0, static_cast<std::ptrdiff_t>(run.length() + kSsimMargin)}, Range<float>{least, kSamples.high});
        for (unsigned k = 0; k < kSsimTaps; ++k)
            rows[k] = row + k;
    } else { // numbers of any size, down to none
        for (const float *&row : rows)
            row = run.input<float>(run.all(), [&](auto) {
                return std::ldexp(run.random().real(static_cast<double>(least), 65535),
                                  -static_cast<int>(run.random().below(2) * run.random().below(150)));
            });
    }
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        double sum = 0;
        for (int k = 0; k < static_cast<int>(kSsimTaps); ++k)
            sum += static_cast<double>(rows[k][x] * kTaps[std::abs(k - 5)]);
        return sum;
    });
}

void filter(decltype(SsimLoops::filter) loop, Run &run)
{
    expect_filtered(loop, run, 0);
}

void filter_signed(decltype(SsimLoops::filter_signed) loop, Run &run)
{
    expect_filtered(loop, run, -255);
}

void any_negative(decltype(SsimLoops::any_negative) loop, Run &run)
{
    const bool one = run.length() > 0 && run.random().one_in(2);
    const auto where = static_cast<std::ptrdiff_t>(one ? run.random().below(run.length()) : 0);
    const float *values = run.input<float>(run.all(), [&](auto x) { return one && x == where ? -0.0F : 1e-9F; });
    const unsigned found = run.call(loop, values, run.length());
    run.expect("found", &found, {0, 1}, [&](auto) { return one ? 1U : 0U; });
}

/// Means and second moments that fit them: variances from 0 up, and any covariance.
SsimMoments moments(Run &run)
{
    SsimMoments made{};
    const float *ref = run.input(run.all(), kSamples);
    const float *dis = run.random().one_in(4) ? ref : run.input(run.all(), kSamples);
    const auto second = [&](const float *a, const float *b, double least) {
        return run.input<float>(run.all(), [=, &run](auto x) {
            const double size =
                run.content() == Content::low ? 0 : std::ldexp(1.0, -static_cast<int>(run.random().below(24)));
            return a[x] * b[x] + static_cast<float>(run.random().real(least, 16384) * size);
        });
    };
    made.plane[kSsimRef] = ref;
    made.plane[kSsimDis] = dis;
    made.plane[kSsimRefRef] = second(ref, ref, -0.01);
    made.plane[kSsimDisDis] = second(dis, dis, -0.01);
    made.plane[kSsimRefDis] = second(ref, dis, -16384);
    return made;
}

void terms(decltype(SsimLoops::terms) loop, Run &run)
{
    const SsimMoments given = moments(run);
    const SsimTerms out{run.output<double>("l", run.all()), run.output<double>("c", run.all()),
                        run.output<double>("s", run.all()), run.output<double>("q", run.all())};
    run.call(loop, given, run.length(), out);
    run.expect("q", out.q, run.all(), [&](auto x) { return out.l[x] * out.c[x] * out.s[x]; });
}

void add_products(decltype(SsimLoops::add_products) loop, Run &run)
{
    const unsigned factor = run.between(2, 10);
    const float tap = 1.0F / static_cast<float>(factor * factor);
    const float *in = run.input(run.all(), kSamples);
    auto *sums = run.in_out("sums", run.all(), Range<double>{0, 256});
    const std::vector<double> before(sums, sums + run.length());
    run.call(loop, in, tap, run.length(), sums);
    run.expect("sums", sums, run.all(), [&](auto x) { return before[x] + static_cast<double>(in[x] * tap); });
}

void reduce(decltype(SsimLoops::reduce) loop, Run &run)
{
    const unsigned factor = run.between(2, 10);
    const double *sums = run.input({0, static_cast<std::ptrdiff_t>(factor * run.length())}, Range<double>{0, 25});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, sums, factor, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        double sum = 0;
        for (unsigned u = 0; u < factor; ++u)
            sum += sums[factor * x + u];
        return static_cast<float>(sum);
    });
}

void split(decltype(SsimLoops::split) loop, Run &run)
{
    const float *in = run.input({0, 2 * run.all().end}, kSamples);
    auto *even = run.output<float>("even", run.all()), *odd = run.output<float>("odd", run.all());
    run.call(loop, in, run.length(), even, odd);
    run.expect("even", even, run.all(), [&](auto x) { return in[2 * x]; });
    run.expect("odd", odd, run.all(), [&](auto x) { return in[2 * x + 1]; });
}

void add_low_passed(decltype(SsimLoops::add_low_passed) loop, Run &run)
{
    // spec ssim 3.5
    constexpr float kTaps[kMsSsimReach + 1][kMsSsimReach + 1] = {
        {0.363505F, 0.160885F, -0.047149F, -0.010146F, 0.016114F},
        {0.160885F, 0.071207F, -0.020867F, -0.004490F, 0.007132F},
        {-0.047149F, -0.020867F, 0.006115F, 0.001316F, -0.002090F},
        {-0.010146F, -0.004490F, 0.001316F, 0.000283F, -0.000450F},
        {0.016114F, 0.007132F, -0.002090F, -0.000450F, 0.000714F},
    };
    const auto count = static_cast<std::ptrdiff_t>(run.length());
    const unsigned distance = run.between(0, kMsSsimReach);
    const float *even = run.input({0, count == 0 ? 0 : count + 4}, kSamples);
    const float *odd = run.input({0, count == 0 ? 0 : count + 3}, kSamples);
    auto *sums = run.in_out("sums", run.all(), Range<double>{-64, 256});
    const std::vector<double> before(sums, sums + count);
    run.call(loop, even, odd, distance, run.length(), sums);
    run.expect("sums", sums, run.all(), [&](auto x) {
        double sum = before[x];
        for (int u = 0; u < 9; ++u)
            sum += static_cast<double>((u % 2 == 0 ? even : odd)[x + u / 2] * kTaps[distance][std::abs(u - 4)]);
        return sum;
    });
}

void narrow(decltype(SsimLoops::narrow) loop, Run &run)
{
    const double *sums = run.input(run.all(), Range<double>{-64, 256});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, sums, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return sums[x]; });
}

const auto kDeclared = LoopsOf<SsimLoops>("SsimLoops", select_kSsimLoops)
                           .member("widen_8bit", &SsimLoops::widen_8bit, widen_8bit)
                           .member("widen_16bit", &SsimLoops::widen_16bit, widen_16bit)
                           .member("multiply", &SsimLoops::multiply, multiply)
                           .member("filter", &SsimLoops::filter, filter)
                           .member("filter_signed", &SsimLoops::filter_signed, filter_signed)
                           .member("terms", &SsimLoops::terms, terms)
                           .member("add_products", &SsimLoops::add_products, add_products)
                           .member("reduce", &SsimLoops::reduce, reduce)
                           .member("split", &SsimLoops::split, split)
                           .member("add_low_passed", &SsimLoops::add_low_passed, add_low_passed)
                           .member("narrow", &SsimLoops::narrow, narrow)
                           .member("any_negative", &SsimLoops::any_negative, any_negative);

} // namespace
} // namespace vmaf::test
