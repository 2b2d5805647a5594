#include "feature/speed/speed_matrix_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

constexpr unsigned kSize = kSpeedDimension;
using Row = float[kSpeedLanes];

/// spec speed 3.6, tridiagonalisation steps 1 and 2: column i of a becomes the vector v, with the
/// new subdiagonal in place of its first element. Returns tau.
float make_reflector(SpeedMatrix &a, unsigned i, float tail)
{
    const unsigned m = i + 1;
    const float alpha = a.at[m][i];
    const float hyp = __builtin_sqrtf(alpha * alpha + tail * tail);
    const float beta = alpha >= 0 ? -hyp : hyp;
    const float scale = alpha - beta;
    if (scale != 0) {
        for (unsigned r = m; r < kSize; ++r)
            a.at[r][i] /= scale;
        a.at[m][i] = beta;
    }
    return (beta - alpha) / beta;
}

/// x[r] = sum over c of (tau * a[r][c]) * v[c]. The trailing block stays symmetric bit for bit, so
/// rows are read for columns.
void symmetric_product(const SpeedMatrix &a, unsigned m, float tau, const Row &v, Row &x)
{
    Row sum = {};
    for (unsigned c = m; c < kSize; ++c)
        for (unsigned r = 0; r < kSpeedLanes; ++r)
            sum[r] += tau * a.at[c][r] * v[c];
    for (unsigned r = m; r < kSize; ++r)
        x[r] = sum[r];
}

/// Step 3.
void apply_reflector(SpeedMatrix &a, unsigned i, float tau)
{
    const unsigned m = i + 1;
    Row v = {}, x = {};
    v[m] = 1;
    for (unsigned r = m + 1; r < kSize; ++r)
        v[r] = a.at[r][i];
    symmetric_product(a, m, tau, v, x);
    float g = 0;
    for (unsigned r = m; r < kSize; ++r)
        g += x[r] * v[r];
    const auto f = static_cast<float>(-0.5 * tau * g);
    for (unsigned r = m; r < kSize; ++r)
        x[r] += f * v[r];
    for (unsigned r = m; r < kSize; ++r)
        for (unsigned c = 0; c < kSpeedLanes; ++c) // v and x are 0 left of the block
            a.at[r][c] -= x[r] * v[c] + v[r] * x[c];
}

void tridiagonalise(SpeedMatrix &a, float *d, float *e)
{
    for (unsigned i = 0; i + 2 < kSize; ++i) {
        float sum = 0;
        for (unsigned r = i + 2; r < kSize; ++r)
            sum += a.at[r][i] * a.at[r][i];
        const float tail = __builtin_sqrtf(sum);
        if (tail != 0)
            apply_reflector(a, i, make_reflector(a, i, tail));
    }
    for (unsigned i = 0; i < kSize; ++i)
        d[i] = a.at[i][i];
    for (unsigned i = 0; i + 1 < kSize; ++i)
        e[i] = a.at[i + 1][i];
}

/// out = left * right; rows and inner indices start at `first`, where the sums of the whole
/// matrices have added only zeros.
void multiply(const SpeedMatrix &left, const SpeedMatrix &right, unsigned first, SpeedMatrix &out)
{
    for (unsigned r = first; r < kSize; ++r) {
        Row sum = {};
        for (unsigned i = first; i < kSize; ++i)
            for (unsigned c = 0; c < kSpeedLanes; ++c)
                sum[c] += left.at[r][i] * right.at[i][c];
        for (unsigned c = 0; c < kSpeedLanes; ++c)
            out.at[r][c] = sum[c];
    }
}

float length(const Row &v, unsigned first)
{
    float sum = 0;
    for (unsigned i = first; i < kSize; ++i)
        sum += v[i] * v[i];
    return __builtin_sqrtf(sum);
}

/// spec speed 3.7, steps 1 and 2: the reflection that clears column k of z below the diagonal, from
/// row and column k on.
void make_reflection(const SpeedMatrix &z, unsigned k, bool diagonal_is_negative, SpeedMatrix &h)
{
    Row v = {};
    for (unsigned i = k; i < kSize; ++i)
        v[i] = z.at[i][k];
    const float norm = length(v, k);
    v[k] = diagonal_is_negative ? v[k] - norm : v[k] + norm;
    const float scale = length(v, k);
    for (unsigned i = k; i < kSize; ++i)
        v[i] /= scale;
    for (unsigned i = k; i < kSize; ++i) {
        for (unsigned j = k; j < kSize; ++j)
            h.at[i][j] = -2 * v[i] * v[j];
        h.at[i][i] += 1;
    }
}

void copy_rows(const SpeedMatrix &from, unsigned first, SpeedMatrix &to)
{
    for (unsigned r = first; r < kSize; ++r)
        for (unsigned c = 0; c < kSpeedLanes; ++c)
            to.at[r][c] = from.at[r][c];
}

void decompose(const SpeedMatrix &k, SpeedMatrix &g, SpeedMatrix &r)
{
    SpeedMatrix z = k, h, product;
    g = {};
    for (unsigned i = 0; i < kSize; ++i)
        g.at[i][i] = 1;
    for (unsigned step = 0; step + 1 < kSize; ++step) {
        make_reflection(z, step, !(k.at[step][step] >= 0), h);
        multiply(h, z, step, product);
        copy_rows(product, step, z);
        multiply(h, g, step, product);
        copy_rows(product, step, g);
    }
    multiply(g, k, 0, r);
}

void variances(const SpeedMatrix &g, const SpeedMatrix &r, const SpeedMatrix &y, float *s)
{
    SpeedMatrix x;
    multiply(g, y, 0, x);
    for (unsigned i = kSize; i-- > 0;) {
        for (unsigned j = i + 1; j < kSize; ++j)
            for (unsigned t = 0; t < kSpeedLanes; ++t)
                x.at[i][t] -= x.at[j][t] * r.at[i][j];
        for (unsigned t = 0; t < kSpeedLanes; ++t)
            x.at[i][t] /= r.at[i][i];
    }
    Row sum = {};
    for (unsigned p = 0; p < kSize; ++p)
        for (unsigned t = 0; t < kSpeedLanes; ++t)
            sum[t] += x.at[p][t] * y.at[p][t] / kSize;
    for (unsigned t = 0; t < kSpeedLanes; ++t)
        s[t] = sum[t];
}

} // namespace

extern const SpeedMatrixLoops kSpeedMatrixLoops = {tridiagonalise, decompose, variances};

} // namespace vmaf::VMAF_CPU_TARGET
