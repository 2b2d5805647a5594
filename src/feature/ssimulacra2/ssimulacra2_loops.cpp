#include "feature/ssimulacra2/ssimulacra2_loops.h"

#include <cstddef>

#include "feature/common/colour_arithmetic.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Cube roots of 0.0037 <= x <= 1.01, within 1 ulp (relative error measured below 9e-8). With r the
/// inverse root and h = 1 - x r^3 the root is r (1 - h)^(-1/3), whose series is cut where the rest
/// is below a float's precision.
INLINE Three cube_roots(const Three &x)
{
    Three r = each([&](int i) { return inverse_root_guess(x.v[i], 1.0F / 3, 0x1.5288p30F); });
    Three h = 1 - x * (r * r * r);
    r = r + r * (h * (h * (h * (14.0F / 81) + 2.0F / 9) + 1.0F / 3));
    h = 1 - x * (r * r * r);
    r = r + r * (h * (h * (2.0F / 9) + 1.0F / 3));
    const Three square = r * r, root = x * square;
    return root - (root * root * root - x) * (square * (1.0F / 3));
}

INLINE float cube_root(float x)
{
    return cube_roots({x, x, x}).v[0];
}

/// What the cube root of L, M or S is taken of.
INLINE float mixed(const float (&weights)[3], float r, float g, float b)
{
    return weights[0] * r + weights[1] * g + weights[2] * b + kSsimulacra2Bias;
}

void linear_to_xyb(ColourRow linear, unsigned count, ColourRow xyb)
{
    const float *__restrict r = linear.channel[0], *__restrict g = linear.channel[1], *__restrict b = linear.channel[2];
    float *__restrict out_x = xyb.channel[0], *__restrict out_y = xyb.channel[1], *__restrict out_b = xyb.channel[2];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const Three root =
            cube_roots({mixed(kSsimulacra2Cones[0], r[x], g[x], b[x]), mixed(kSsimulacra2Cones[1], r[x], g[x], b[x]),
                        mixed(kSsimulacra2Cones[2], r[x], g[x], b[x])});
        const float l = root.v[0] - kSsimulacra2BiasRoot, m = root.v[1] - kSsimulacra2BiasRoot,
                    s = root.v[2] - kSsimulacra2BiasRoot;
        const float mean = (l + m) * 0.5F;
        out_x[x] = (l - m) * 7 + 0.42F;
        out_y[x] = mean + 0.01F;
        out_b[x] = (s - mean) + 0.55F;
    }
}

void linear_to_y(const float *__restrict linear, unsigned count, float *__restrict y)
{
    for (std::size_t x = 0; x < count; ++x)
        y[x] = cube_root(linear[x] + kSsimulacra2Bias) - kSsimulacra2BiasRoot + 0.01F;
}

void subtract(const float *__restrict minuend, const float *__restrict subtrahend, unsigned count,
              float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = minuend[x] - subtrahend[x];
}

void square(const float *__restrict values, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = values[x] * values[x];
}

void add(const float *__restrict a, const float *__restrict b, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = a[x] + b[x];
}

/// The nine values around the centre c.
INLINE float blurred(float c, float pair1, float pair2, float pair3, float pair4)
{
    const auto &taps = kSsimulacra2Taps;
    return ((taps[4] * pair4 + taps[3] * pair3) + (taps[2] * pair2 + taps[1] * pair1)) + taps[0] * c;
}

void blur_row(const float *values, unsigned count, float *__restrict out)
{
    const float *__restrict v = values - kSsimulacra2Reach; // from here on no index is negative
    for (std::size_t x = 0; x < count; ++x)
        out[x] = blurred(v[x + 4], v[x + 3] + v[x + 5], v[x + 2] + v[x + 6], v[x + 1] + v[x + 7], v[x] + v[x + 8]);
}

void blur_columns(const float *const rows[kSsimulacra2TapRows + 1], unsigned count, float *__restrict upper,
                  float *__restrict lower)
{
    const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3], *r4 = rows[4], *r5 = rows[5], *r6 = rows[6],
                *r7 = rows[7], *r8 = rows[8], *r9 = rows[9];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        upper[x] = blurred(r4[x], r3[x] + r5[x], r2[x] + r6[x], r1[x] + r7[x], r0[x] + r8[x]);
        lower[x] = blurred(r5[x], r4[x] + r6[x], r3[x] + r7[x], r2[x] + r8[x], r1[x] + r9[x]);
    }
}

INLINE float squared(float value)
{
    return value * value;
}

/// Blurred squares of the distances from the value in the middle.
INLINE float spread(float c, float m4, float m3, float m2, float m1, float p1, float p2, float p3, float p4)
{
    return blurred(0, squared(m1 - c) + squared(p1 - c), squared(m2 - c) + squared(p2 - c),
                   squared(m3 - c) + squared(p3 - c), squared(m4 - c) + squared(p4 - c));
}

void row_variance(const float *s, const float *reference, const float *difference, unsigned count,
                  float *__restrict mean, float *__restrict variance)
{
    const float *__restrict v = s - kSsimulacra2Reach; // from here on no index is negative
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float c = v[x + 4], m = 2 * reference[x] + difference[x];
        const float around = spread(c, v[x], v[x + 1], v[x + 2], v[x + 3], v[x + 5], v[x + 6], v[x + 7], v[x + 8]);
        mean[x] = m;
        variance[x] = larger(around - squared(m - c), 0);
    }
}

void column_spread(const float *const means[kSsimulacra2TapRows + 1], unsigned count, float *__restrict upper,
                   float *__restrict lower)
{
    const float *m0 = means[0], *m1 = means[1], *m2 = means[2], *m3 = means[3], *m4 = means[4], *m5 = means[5],
                *m6 = means[6], *m7 = means[7], *m8 = means[8], *m9 = means[9];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        upper[x] = spread(m4[x], m0[x], m1[x], m2[x], m3[x], m5[x], m6[x], m7[x], m8[x]);
        lower[x] = spread(m5[x], m1[x], m2[x], m3[x], m4[x], m6[x], m7[x], m8[x], m9[x]);
    }
}

/// The fourth power; 0 where it would be too small for a normal float, with which processors
/// calculate slowly.
INLINE float fourth_power(float e)
{
    const float square = squared(e);
    return squared(square < 1e-18F ? 0 : square);
}

void add_ssim(const Ssimulacra2Blurs &blurs, unsigned count, Ssimulacra2Columns columns)
{
    const float *reference = blurs.reference, *difference = blurs.difference,
                *squared_difference = blurs.squared_difference, *variance = blurs.variance, *row_spread = blurs.spread,
                *mean = blurs.mean;
    float *__restrict first = columns.first, *__restrict fourth = columns.fourth;
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float d = difference[x], d2 = d * d;
        const float v = squared_difference[x] - d2;
        const float s = (variance[x] + row_spread[x]) - squared(2 * reference[x] + d - mean[x]);
        const float n = larger((s + v) * 0.5F + kSsimulacra2C2, kSsimulacra2C2 / 2);
        const float e = larger(d2 + (1 - d2) * v / n, 0);
        first[x] += e;
        fourth[x] += fourth_power(e);
    }
}

/// One of the two maps of an edge: what it gained, or what it lost.
enum class Edge { gained, lost };

template <Edge kEdge>
void add_edges(const float *x_row, const float *d_row, const Ssimulacra2Blurs &blurs, unsigned count,
               Ssimulacra2Columns columns)
{
    const float *reference = blurs.reference, *difference = blurs.difference;
    float *__restrict first = columns.first, *__restrict fourth = columns.fourth;
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float edge = x_row[x] - reference[x];
        const float distorted_edge = edge + (d_row[x] - difference[x]);
        const float size = edge < 0 ? -edge : edge;
        const float distorted_size = distorted_edge < 0 ? -distorted_edge : distorted_edge;
        const float t = (distorted_size - size) / (1 + size);
        const float e = larger(kEdge == Edge::gained ? t : -t, 0);
        first[x] += e;
        fourth[x] += fourth_power(e);
    }
}

} // namespace

extern const Ssimulacra2Loops kSsimulacra2Loops = {
    linear_to_xyb,
    linear_to_y,
    subtract,
    square,
    add,
    blur_row,
    blur_columns,
    row_variance,
    column_spread,
    add_ssim,
    add_edges<Edge::gained>,
    add_edges<Edge::lost>,
};

} // namespace vmaf::VMAF_CPU_TARGET
