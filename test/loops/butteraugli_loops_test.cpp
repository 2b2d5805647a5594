#include "feature/butteraugli/butteraugli_loops.h"

#include <algorithm>
#include <cmath>

#include "feature/butteraugli_lines.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLinear{0, 1}, kSigned{-60, 60}, kDifference{-5, 5}, kErrors{0, 500}, kMasks{0, 30};

float *in(Run &run, const Range<float> &range)
{
    return const_cast<float *>(run.input(run.all(), range));
}

ButteraugliXyb xyb_out(Run &run)
{
    return {
        {run.output<double>("X", run.all()), run.output<double>("Y", run.all()), run.output<double>("B", run.all())}};
}

void opsin(decltype(ButteraugliLoops::opsin) loop, Run &run)
{
    ColourRow sharp{}, blurred{};
    for (float *&channel : sharp.channel)
        channel = in(run, kLinear);
    for (float *&channel : blurred.channel)
        channel = in(run, kLinear);
    const double intensity = run.pick({1.0, 80.0, 203.0, 10000.0});
    const ButteraugliXyb out = xyb_out(run);
    run.call(loop, sharp, blurred, intensity, run.length(), out);
    const auto perceived = [&](std::ptrdiff_t x, unsigned cone) {
        const auto response = [&](const ColourRow &row) {
            double sum = kButteraugliBias[cone];
            for (unsigned c = 0; c < 3; ++c)
                sum += kButteraugliCones[cone][c] * intensity * static_cast<double>(row.channel[c][x]);
            return sum;
        };
        const double m = response(blurred);
        const double gamma = kButteraugliGammaFactor * std::log(m + kButteraugliGammaOffset) - kButteraugliGammaLess;
        return std::max(response(sharp) * std::max(gamma / m, kButteraugliLeastSensitivity), kButteraugliBias[cone]);
    };
    // The member has its own logarithm.
    const auto tolerance = [&](auto x) { return 1e-8 * (perceived(x, 0) + perceived(x, 1) + perceived(x, 2)); };
    run.expect_near(
        "X", out.plane[0], run.all(), [&](auto x) { return perceived(x, 0) - perceived(x, 1); }, tolerance);
    run.expect_near(
        "Y", out.plane[1], run.all(), [&](auto x) { return perceived(x, 0) + perceived(x, 1); }, tolerance);
    run.expect_near(
        "B", out.plane[2], run.all(), [&](auto x) { return perceived(x, 2); }, tolerance);
}

void narrow(decltype(ButteraugliLoops::narrow) loop, Run &run)
{
    const double *values = run.input(run.all(), Range<double>{-100, 400});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, values, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return static_cast<float>(values[x]); });
}

void compare(decltype(ButteraugliLoops::compare) loop, Run &run)
{
    const auto xyb = [&] {
        ButteraugliXyb rows{};
        for (double *&plane : rows.plane)
            plane = const_cast<double *>(run.input(run.all(), Range<double>{-100, 400}));
        return rows;
    };
    const ButteraugliXyb ref = xyb(), dis = xyb();
    float *out[3];
    for (float *&row : out)
        row = run.output<float>("out", run.all());
    run.call(loop, ref, dis, run.length(), out);
    for (unsigned plane = 0; plane < 3; ++plane)
        run.expect("difference", out[plane], run.all(),
                   [&](auto x) { return static_cast<float>(ref.plane[plane][x] - dis.plane[plane][x]); });
}

void subtract(decltype(ButteraugliLoops::subtract) loop, Run &run)
{
    const float *minuend = run.input(run.all(), kSigned), *subtrahend = run.input(run.all(), kSigned);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, minuend, subtrahend, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return minuend[x] - subtrahend[x]; });
}

void low_errors(decltype(ButteraugliLoops::low_errors) loop, Run &run)
{
    const float *const low[3] = {in(run, kDifference), in(run, kDifference), in(run, kDifference)};
    run.call(loop, low, run.length(), run.output<float>("dc", run.all()));
}

ButteraugliTuning tuning(Run &run)
{
    ButteraugliTuning result{};
    for (auto &lines : result.lines)
        lines = {run.pick({5.0F, 71.78F, 8051.0F, 1.3e8F}), static_cast<float>(run.random().real(0, 50)),
                 static_cast<float>(run.random().real(0, 50))};
    for (auto &high : result.high)
        high = {static_cast<float>(run.random().real(0, 400)), static_cast<float>(run.random().real(0, 400))};
    return result;
}

void reference_high(decltype(ButteraugliLoops::reference_high) loop, Run &run)
{
    const float *const rest[2] = {in(run, kSigned), in(run, kSigned)}, *const medium[2] = {in(run, kSigned),
                                                                                           in(run, kSigned)};
    float *const high[2] = {run.output<float>("h_X", run.all()), run.output<float>("h_Y", run.all())};
    run.call(loop, rest, medium, run.length(), high);
    run.expect("h_Y", high[1], run.all(), [&](auto x) { return rest[1][x] - medium[1][x]; });
}

void medium(decltype(ButteraugliLoops::medium) loop, Run &run)
{
    ButteraugliRows rest{}, blurred{};
    for (unsigned signal = 0; signal < kButteraugliSignals; ++signal) {
        const Range<float> &range = signal < kButteraugliDifferenceX ? kSigned : kDifference;
        rest.row[signal] = in(run, range);
        blurred.row[signal] = in(run, run.random().one_in(2) ? Range<float>{-1, 1} : range);
    }
    const auto out = [&](const char *name) { return run.output<float>(name, run.all()); };
    float *const high[2] = {out("h_X"), out("h_Y")};
    float *const lines[2] = {out("D of X"), out("D of Y")};
    run.call(loop, rest, blurred, tuning(run), run.length(), high, lines, out("ac"));
    run.expect("h_Y", high[1], run.all(), [&](auto x) {
        return (rest.row[kButteraugliY][x] - blurred.row[kButteraugliY][x]) -
               (rest.row[kButteraugliDifferenceY][x] - blurred.row[kButteraugliDifferenceY][x]);
    });
}

void split(decltype(ButteraugliLoops::split_x) loop, Run &run)
{
    const float *high = run.input(run.all(), kSigned);
    float *low = run.in_out("hf", run.all(), run.random().one_in(2) ? kSigned : kDifference);
    run.call(loop, high, run.length(), low, run.output<float>("uhf", run.all()));
}

void activity(decltype(ButteraugliLoops::activity) loop, Run &run)
{
    const float *const uhf[2] = {in(run, kSigned), in(run, kSigned)}, *const hf[2] = {in(run, kSigned),
                                                                                      in(run, kSigned)};
    run.call(loop, uhf, hf, run.length(), run.output<float>("out", run.all()));
}

void line_differences(decltype(ButteraugliLoops::line_differences) loop, Run &run)
{
    const float *ref = run.input(run.all(), kDifference), *dis = run.input(run.all(), kDifference);
    const ButteraugliTuning::Lines lines = tuning(run).lines[0];
    run.call(loop, ref, dis, lines, run.length(), run.output<float>("out", run.all()));
}

void high_errors(decltype(ButteraugliLoops::high_errors) loop, Run &run)
{
    const float *ref = run.input(run.all(), kDifference), *dis = run.input(run.all(), kDifference);
    const ButteraugliTuning::High weights = tuning(run).high[0];
    run.call(loop, ref, dis, weights, run.length(), run.in_out("ac", run.all(), kErrors));
}

template <const std::vector<ButteraugliLine> &kLines>
void add_lines(decltype(ButteraugliLoops::add_fine_lines) loop, Run &run)
{
    const float *rows[9];
    for (const float *&row : rows)
        row = run.input({-4, run.all().end + 4}, kDifference);
    float *ac = run.in_out("ac", run.all(), kErrors);
    const std::vector<float> before(ac, ac + run.length());
    run.call(loop, rows, run.length(), ac);
    const auto sum = [&](std::ptrdiff_t x) {
        double total = static_cast<double>(before[static_cast<std::size_t>(x)]);
        for (const ButteraugliLine &line : kLines) {
            double along = static_cast<double>(rows[4][x]);
            for (const auto &[dx, dy] : line.offsets)
                along += static_cast<double>(rows[4 + dy][x + dx]) + static_cast<double>(rows[4 - dy][x - dx]);
            total += static_cast<double>(line.weight) * along * along;
        }
        return total;
    };
    run.expect_near("ac", ac, run.all(), sum, [&](auto x) { return 1e-5 * (sum(x) + 100); });
}

void add_mask_error(decltype(ButteraugliLoops::add_mask_error) loop, Run &run)
{
    const float *ref = run.input(run.all(), kMasks), *dis = run.input(run.all(), kMasks);
    run.call(loop, ref, dis, run.length(), run.in_out("ac", run.all(), kErrors));
}

void local_distance(decltype(ButteraugliLoops::local_distance) loop, Run &run)
{
    constexpr std::ptrdiff_t kReach = kButteraugliErosionReach;
    const float *mask[3];
    for (const float *&row : mask)
        row = run.input({-kReach, run.all().end + kReach}, kMasks);
    const float *ac = run.input(run.all(), kErrors), *dc = run.input(run.all(), kErrors);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, mask, ac, dc, run.length(), out);
    const auto distance = [&](std::ptrdiff_t x) {
        const float centre = mask[1][x];
        std::vector<float> set{centre, 2 * centre, 2 * centre};
        for (const int row : {0, 1, 2})
            for (const std::ptrdiff_t dx : {-kReach, std::ptrdiff_t{0}, kReach})
                if (row != 1 || dx != 0)
                    set.push_back(mask[row][x + dx]);
        std::sort(set.begin(), set.end());
        const double m =
            0.45 * static_cast<double>(set[0]) + 0.3 * static_cast<double>(set[1]) + 0.25 * static_cast<double>(set[2]);
        const double mu = 0.0709222409690121 * (1 + 2.5485944793 / (0.451936922203 * m + 0.829591754942));
        const double nu = 0.0709222409690121 * (1 + 0.505054525019 / (3.87449418804 * m + 0.20025578522));
        return std::sqrt(nu * nu * static_cast<double>(dc[x]) + mu * mu * static_cast<double>(ac[x]));
    };
    run.expect_near("out", out, run.all(), distance, [&](auto x) { return 1e-5 * distance(x); });
}

void add_half(decltype(ButteraugliLoops::add_half) loop, Run &run)
{
    const float *half = run.input({0, (run.all().end + 1) / 2}, kMasks);
    float *map = run.in_out("map", run.all(), kMasks);
    const std::vector<float> before(map, map + run.length());
    run.call(loop, half, run.length(), map);
    run.expect("map", map, run.all(),
               [&](auto x) { return 0.85F * before[static_cast<std::size_t>(x)] + 0.5F * half[x / 2]; });
}

void pool(decltype(ButteraugliLoops::pool) loop, Run &run)
{
    const float *map = run.input(run.all(), kMasks);
    double *powers[kButteraugliPowers];
    for (double *&row : powers)
        row = run.in_out("powers", run.all(), Range<double>{0, 1e6});
    float *max = run.in_out("max", run.all(), kMasks);
    const std::vector<float> before(max, max + run.length());
    run.call(loop, map, run.length(), powers, max);
    run.expect("max", max, run.all(), [&](auto x) { return std::max(map[x], before[static_cast<std::size_t>(x)]); });
}

const auto kDeclared =
    LoopsOf<ButteraugliLoops>("ButteraugliLoops", select_kButteraugliLoops)
        .member("opsin", &ButteraugliLoops::opsin, opsin)
        .member("narrow", &ButteraugliLoops::narrow, narrow)
        .member("compare", &ButteraugliLoops::compare, compare)
        .member("subtract", &ButteraugliLoops::subtract, subtract)
        .member("low_errors", &ButteraugliLoops::low_errors, low_errors)
        .member("reference_high", &ButteraugliLoops::reference_high, reference_high)
        .member("medium", &ButteraugliLoops::medium, medium)
        .member("split_x", &ButteraugliLoops::split_x, split)
        .member("split_y", &ButteraugliLoops::split_y, split)
        .member("activity", &ButteraugliLoops::activity, activity)
        .member("line_differences", &ButteraugliLoops::line_differences, line_differences)
        .member("high_errors", &ButteraugliLoops::high_errors, high_errors)
        .member("add_fine_lines", &ButteraugliLoops::add_fine_lines, add_lines<kButteraugliFineLines>)
        .member("add_coarse_lines", &ButteraugliLoops::add_coarse_lines, add_lines<kButteraugliCoarseLines>)
        .member("add_mask_error", &ButteraugliLoops::add_mask_error, add_mask_error)
        .member("local_distance", &ButteraugliLoops::local_distance, local_distance)
        .member("add_half", &ButteraugliLoops::add_half, add_half)
        .member("pool", &ButteraugliLoops::pool, pool);

} // namespace
} // namespace vmaf::test
