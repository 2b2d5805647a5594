#include "feature/ssimulacra2/ssimulacra2_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLinear{0, 1}, kXyb{0, 1}, kDifference{-0.9F, 0.9F};

void linear_to_xyb(decltype(Ssimulacra2Loops::linear_to_xyb) loop, Run &run)
{
    ColourRow linear{}, xyb{};
    for (float *&channel : linear.channel)
        channel = const_cast<float *>(run.input(run.all(), kLinear));
    for (float *&channel : xyb.channel)
        channel = run.output<float>("xyb", run.all());
    run.call(loop, linear, run.length(), xyb);
}

void linear_to_y(decltype(Ssimulacra2Loops::linear_to_y) loop, Run &run)
{
    const float *linear = run.input(run.all(), kLinear);
    run.call(loop, linear, run.length(), run.output<float>("y", run.all()));
}

void subtract(decltype(Ssimulacra2Loops::subtract) loop, Run &run)
{
    const float *minuend = run.input(run.all(), kXyb), *subtrahend = run.input(run.all(), kXyb);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, minuend, subtrahend, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return minuend[x] - subtrahend[x]; });
}

void square(decltype(Ssimulacra2Loops::square) loop, Run &run)
{
    const float *values = run.input(run.all(), kDifference);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, values, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return values[x] * values[x]; });
}

void add(decltype(Ssimulacra2Loops::add) loop, Run &run)
{
    const float *a = run.input(run.all(), kXyb), *b = run.input(run.all(), kXyb);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, a, b, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return a[x] + b[x]; });
}

void blur_row(decltype(Ssimulacra2Loops::blur_row) loop, Run &run)
{
    constexpr std::ptrdiff_t kReach = kSsimulacra2Reach;
    const float *values = run.input({-kReach, run.all().end + kReach}, kDifference);
    run.call(loop, values, run.length(), run.output<float>("out", run.all()));
}

void blur_columns(decltype(Ssimulacra2Loops::blur_columns) loop, Run &run)
{
    const float *rows[kSsimulacra2TapRows + 1];
    for (const float *&row : rows)
        row = run.input(run.all(), kDifference);
    auto *upper = run.output<float>("upper", run.all()), *lower = run.output<float>("lower", run.all());
    run.call(loop, rows, run.length(), upper, lower);
    const auto blurred = [](const float *const *centre, std::ptrdiff_t x) {
        const auto pair = [&](int k) { return kSsimulacra2Taps[k] * (centre[-k][x] + centre[k][x]); };
        return ((pair(4) + pair(3)) + (pair(2) + pair(1))) + kSsimulacra2Taps[0] * centre[0][x];
    };
    run.expect("upper", upper, run.all(), [&](auto x) { return blurred(rows + kSsimulacra2Reach, x); });
    run.expect("lower", lower, run.all(), [&](auto x) { return blurred(rows + kSsimulacra2Reach + 1, x); });
}

void row_variance(decltype(Ssimulacra2Loops::row_variance) loop, Run &run)
{
    constexpr std::ptrdiff_t kReach = kSsimulacra2Reach;
    const float *s = run.input({-kReach, run.all().end + kReach}, kXyb);
    const float *reference = run.input(run.all(), kXyb), *difference = run.input(run.all(), kDifference);
    auto *mean = run.output<float>("mean", run.all()), *variance = run.output<float>("variance", run.all());
    run.call(loop, s, reference, difference, run.length(), mean, variance);
    run.expect("mean", mean, run.all(), [&](auto x) { return 2 * reference[x] + difference[x]; });
}

void column_spread(decltype(Ssimulacra2Loops::column_spread) loop, Run &run)
{
    const float *means[kSsimulacra2TapRows + 1];
    for (const float *&row : means)
        row = run.input(run.all(), kXyb);
    run.call(loop, means, run.length(), run.output<float>("upper", run.all()), run.output<float>("lower", run.all()));
}

/// A value between both, or smaller by so many powers of two.
float any_size(Run &run, double low, double high)
{
    return static_cast<float>(std::ldexp(run.random().real(low, high), -static_cast<int>(run.random().below(40))));
}

/// Blurred values as in pictures: differences of any size, and a second moment that is nearly at
/// least the square of the first.
Ssimulacra2Blurs blurs(Run &run)
{
    const float *reference = run.input(run.all(), kXyb);
    const float *difference = run.random().one_in(2)
                                  ? run.input(run.all(), kDifference)
                                  : run.input<float>(run.all(), [&](auto) { return any_size(run, -0.9, 0.9); });
    const float *squared =
        run.input<float>(run.all(), [&](auto x) { return difference[x] * difference[x] + any_size(run, -0.01, 0.25); });
    const float *mean =
        run.input<float>(run.all(), [&](auto x) { return 2 * reference[x] + any_size(run, -0.9, 0.9); });
    const auto variance = [&](auto) { return any_size(run, 0, 0.25); };
    return {
        reference, difference, squared, run.input<float>(run.all(), variance), run.input<float>(run.all(), variance),
        mean};
}

/// Sums so far, or zero.
Ssimulacra2Columns columns(Run &run)
{
    const Range<float> sums{0, run.random().one_in(2) ? 64.0F : 0.0F};
    return {run.in_out("first", run.all(), sums), run.in_out("fourth", run.all(), sums)};
}

void add_ssim(decltype(Ssimulacra2Loops::add_ssim) loop, Run &run)
{
    const Ssimulacra2Blurs given = blurs(run);
    run.call(loop, given, run.length(), columns(run));
}

void add_edges(decltype(Ssimulacra2Loops::add_artefacts) loop, Run &run)
{
    const Ssimulacra2Blurs given = blurs(run);
    // Edges of any size.
    const auto near = [&](const float *blurred) {
        return run.input<float>(run.all(), [&, blurred](auto x) { return blurred[x] + any_size(run, -0.9, 0.9); });
    };
    const float *x = near(given.reference), *d = near(given.difference);
    run.call(loop, x, d, Ssimulacra2Blurs{given.reference, given.difference, nullptr, nullptr, nullptr, nullptr},
             run.length(), columns(run));
}

const auto kDeclared = LoopsOf<Ssimulacra2Loops>("Ssimulacra2Loops", select_kSsimulacra2Loops)
                           .member("linear_to_xyb", &Ssimulacra2Loops::linear_to_xyb, linear_to_xyb)
                           .member("linear_to_y", &Ssimulacra2Loops::linear_to_y, linear_to_y)
                           .member("subtract", &Ssimulacra2Loops::subtract, subtract)
                           .member("square", &Ssimulacra2Loops::square, square)
                           .member("add", &Ssimulacra2Loops::add, add)
                           .member("blur_row", &Ssimulacra2Loops::blur_row, blur_row)
                           .member("blur_columns", &Ssimulacra2Loops::blur_columns, blur_columns)
                           .member("row_variance", &Ssimulacra2Loops::row_variance, row_variance)
                           .member("column_spread", &Ssimulacra2Loops::column_spread, column_spread)
                           .member("add_ssim", &Ssimulacra2Loops::add_ssim, add_ssim)
                           .member("add_artefacts", &Ssimulacra2Loops::add_artefacts, add_edges)
                           .member("add_details", &Ssimulacra2Loops::add_details, add_edges);

} // namespace
} // namespace vmaf::test
