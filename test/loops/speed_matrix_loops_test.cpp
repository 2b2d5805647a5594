#include "feature/speed/speed_matrix_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr unsigned kSize = kSpeedDimension;
constexpr Lengths kOneMatrix{kSize * kSize, kSize *kSize};

/// Zeros in the matrix, and anything as padding.
SpeedMatrix &zeros(Run &run)
{
    auto &matrix = run.object<SpeedMatrix>();
    matrix = {};
    for (auto &row : matrix.at)
        run.scramble(row + kSize, std::end(row));
    return matrix;
}

/// A covariance matrix: symmetric bit for bit, of full rank or not.
SpeedMatrix &covariance(Run &run)
{
    SpeedMatrix &matrix = zeros(run);
    const double size = std::ldexp(1.0, static_cast<int>(run.between(0, 20)) - 10);
    const unsigned rank = run.content() == Content::low ? 0 : run.pick({1U, kSize - 1, kSize, 2 * kSize});
    for (unsigned i = 0; i < rank; ++i) {
        float v[kSize];
        for (float &element : v)
            element = static_cast<float>(run.random().real(-size, size));
        for (unsigned r = 0; r < kSize; ++r)
            for (unsigned c = r; c < kSize; ++c)
                matrix.at[r][c] += v[r] * v[c];
    }
    for (unsigned r = 0; r < kSize; ++r)
        for (unsigned c = 0; c < r; ++c)
            matrix.at[r][c] = matrix.at[c][r];
    return matrix;
}

SpeedMatrix &unwritten(Run &run)
{
    auto &matrix = run.object<SpeedMatrix>();
    run.scramble(&matrix, &matrix + 1);
    return matrix;
}

/// Compares a matrix's elements between targets, without the padding of its rows.
void compare(Run &run, const char *name, const SpeedMatrix &matrix)
{
    for (const auto &row : matrix.at)
        run.compare(name, row, {0, kSize});
}

void tridiagonalise(decltype(SpeedMatrixLoops::tridiagonalise) loop, Run &run)
{
    SpeedMatrix &original = covariance(run);
    SpeedMatrix &a = *run.in_out<SpeedMatrix>(nullptr, {0, 1}, [&](auto) { return original; });
    auto *d = run.output<float>("d", {0, kSize}), *e = run.output<float>("e", {0, kSize - 1, 1});
    run.call(loop, a, d, e);
}

void decompose(decltype(SpeedMatrixLoops::decompose) loop, Run &run)
{
    const SpeedMatrix &k = covariance(run);
    SpeedMatrix &g = unwritten(run), &r = unwritten(run);
    run.call(loop, k, g, r);
    compare(run, "g", g);
    compare(run, "r", r);
}

void variances(decltype(SpeedMatrixLoops::variances) loop, Run &run)
{
    SpeedMatrix &g = zeros(run), &r = zeros(run), &y = zeros(run);
    for (unsigned i = 0; i < kSize; ++i) {
        run.fill(g.at[i], g.at[i] + kSize, Range<float>{-1, 1});
        run.fill(r.at[i], r.at[i] + kSize, Range<float>{-8, 8});
        r.at[i][i] = static_cast<float>(run.random().real(1, 60)) * run.pick({-1.0F, 1.0F});
        run.fill(y.at[i], y.at[i] + kSpeedLanes, Range<float>{-128, 128});
    }
    auto *s = run.output<float>("s", {0, kSpeedLanes});
    run.call(loop, g, r, y, s);
}

const auto kDeclared = LoopsOf<SpeedMatrixLoops>("SpeedMatrixLoops", select_kSpeedMatrixLoops)
                           .member("tridiagonalise", &SpeedMatrixLoops::tridiagonalise, tridiagonalise, kOneMatrix)
                           .member("decompose", &SpeedMatrixLoops::decompose, decompose, kOneMatrix)
                           .member("variances", &SpeedMatrixLoops::variances, variances, kOneMatrix);

} // namespace
} // namespace vmaf::test
