#include "feature/ciede/ciede_loops.h"

#include <cmath>
#include <limits>

#include "feature/ciede/ciede_pixel.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kBatches{0, kCiedeBatch};

void fill(Run &run, CiedeSide &side, std::int32_t peak)
{
    for (std::int32_t *plane : {side.y, side.u, side.v}) {
        run.fill(plane, plane + run.length(), Range<std::int32_t>{0, peak});
        run.scramble(plane + run.length(), plane + kCiedeBatch);
    }
}

CiedeSample sample_of(const CiedeSide &side, std::ptrdiff_t i)
{
    return {side.y[i], side.u[i], side.v[i]};
}

template <class Sample> void expect_doubled(void (*loop)(const Sample *, unsigned, std::uint16_t *), Run &run)
{
    const Sample *in = run.input(run.all(), Range<Sample>{0, std::numeric_limits<Sample>::max()});
    auto *out = run.output<std::uint16_t>("out", {0, 2 * run.all().end});
    run.call(loop, in, run.length(), out);
    run.expect("out", out, {0, 2 * run.all().end}, [&](auto x) { return in[x / 2]; });
}

void double_8bit(decltype(CiedeLoops::double_8bit) loop, Run &run)
{
    expect_doubled(loop, run);
}

void double_16bit(decltype(CiedeLoops::double_16bit) loop, Run &run)
{
    expect_doubled(loop, run);
}

bool is_pixel(const CiedeSide &side, unsigned i, const CiedeRow &row, unsigned x)
{
    return side.y[i] == row.y[x] && side.u[i] == row.u[x] && side.v[i] == row.v[x];
}

void collect(decltype(CiedeLoops::collect) loop, Run &run)
{
    const unsigned count = run.length(), filled = run.between(0, kCiedeBatch - count);
    // Between nearly none and nearly all of the pixels differ.
    const unsigned likely = run.pick({1U, 4U, 32U, 63U, 64U});
    const std::uint16_t *rows[2][3];
    for (unsigned p = 0; p < 3; ++p) {
        rows[0][p] = run.input(run.all(), Range<std::uint16_t>{0, 65535});
        rows[1][p] = run.input<std::uint16_t>(run.all(), [&](auto x) {
            return rows[0][p][x] ^ (run.random().below(3 * 64) < likely ? 1U << run.random().below(16) : 0U);
        });
    }
    auto &batch = run.object<CiedeBatch>();
    run.scramble(&batch, &batch + 1);
    const CiedeRow ref{rows[0][0], rows[0][1], rows[0][2]}, dis{rows[1][0], rows[1][1], rows[1][2]};
    const unsigned after = run.call(loop, ref, dis, count, batch, filled);

    unsigned i = filled;
    for (unsigned x = 0; x < count; ++x)
        if (ref.y[x] != dis.y[x] || ref.u[x] != dis.u[x] || ref.v[x] != dis.v[x]) {
            if (i == after || !is_pixel(batch.ref, i, ref, x) || !is_pixel(batch.dis, i, dis, x))
                return run.fail("pixel " + std::to_string(x) + " is not there");
            ++i;
        }
    if (i != after)
        run.fail("equal pixels are there");
}

// Sums that are exact and others, and sums that pass a power of two.
void add_in_order(decltype(CiedeLoops::add_in_order) loop, Run &run)
{
    const int scale = run.pick({-60, -30, -20, -5, 0});
    const float *values = run.input<float>(run.all(), [&](auto) {
        return run.random().one_in(4) ? 0.0 : std::ldexp(run.random().real(0, 8), run.random().one_in(2) ? scale : 0);
    });
    const double before = run.pick({0.0, 1.0, 1e-9}) * run.random().real(0, 0x1p22);
    const double after = run.call(loop, before, values, run.length());
    double expected = before;
    for (unsigned i = 0; i < run.length(); ++i)
        expected += static_cast<double>(values[i]);
    run.expect("sum", &after, {0, 1}, [&](auto) { return expected; });
}

// Few pixels are unsure, and which ones depends on the target. All others have the definition's dE.
void differences(decltype(CiedeLoops::differences) loop, Run &run)
{
    const unsigned bpc = run.between(8, 16), count = run.length();
    auto &pixels = run.object<CiedeBatch>();
    run.scramble(&pixels, &pixels + 1);
    fill(run, pixels.ref, (1 << bpc) - 1);
    fill(run, pixels.dis, (1 << bpc) - 1);
    const CiedeRange range = ciede_range(bpc);
    run.call(loop, pixels, count, range);

    unsigned unsure = 0;
    run.expect("difference", pixels.difference, run.all(), [&](auto i) {
        unsure += pixels.unsure[i] != 0;
        return pixels.unsure[i] != 0 ? pixels.difference[i]
                                     : ciede_difference(sample_of(pixels.ref, i), sample_of(pixels.dis, i), range);
    });
    if (run.content() == Content::random && unsure > 2 + count / 100)
        run.fail(std::to_string(unsure) + " pixels are unsure");
}

const auto kDeclared = LoopsOf<CiedeLoops>("CiedeLoops", select_kCiedeLoops)
                           .member("double_8bit", &CiedeLoops::double_8bit, double_8bit)
                           .member("double_16bit", &CiedeLoops::double_16bit, double_16bit)
                           .member("collect", &CiedeLoops::collect, collect, kBatches)
                           .member("differences", &CiedeLoops::differences, differences, kBatches)
                           .member("add_in_order", &CiedeLoops::add_in_order, add_in_order);

} // namespace
} // namespace vmaf::test
