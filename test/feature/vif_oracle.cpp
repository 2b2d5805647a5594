#include "feature/vif_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vmaf::test {
namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;

// spec vif 3.1, whole filters.
const std::vector<std::vector<i64>> kTaps{
    {489, 935, 1640, 2640, 3896, 5274, 6547, 7455, 7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489},
    {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244},
    {3571, 16004, 26386, 16004, 3571},
    {10904, 43728, 10904},
};

int half_of(int scale)
{
    return static_cast<int>(kTaps[scale].size()) / 2;
}

int mirrored(int i, int n)
{
    while (n > 1 && (i < 0 || i >= n))
        i = i < 0 ? -i : 2 * (n - 1) - i;
    return i;
}

i64 rounded_shift(i64 value, int shift)
{
    return shift == 0 ? value : (value + (i64{1} << (shift - 1))) >> shift;
}

VifPlane64 input_plane(const PlaneView &view)
{
    VifPlane64 plane(static_cast<int>(view.width_px), static_cast<int>(view.height_px));
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x)
            plane.at(x, y) = view.bpc == 8 ? view.row<std::uint8_t>(y)[x] : view.row<std::uint16_t>(y)[x];
    return plane;
}

// spec vif 3.2.
VifPlane64 next_picture(const VifPlane64 &from, int scale, int bits)
{
    const std::vector<i64> &taps = kTaps[scale + 1];
    const int half = half_of(scale + 1);
    VifPlane64 next(from.width / 2, from.height / 2);
    for (int y = 0; y < next.height; ++y) {
        std::vector<i64> v(from.width);
        for (int x = 0; x < from.width; ++x) {
            i64 sum = 0;
            for (int d = -half; d <= half; ++d)
                sum += taps[d + half] * from.at(x, mirrored(2 * y + d, from.height));
            v[x] = rounded_shift(sum, bits);
        }
        for (int x = 0; x < next.width; ++x) {
            i64 sum = 0;
            for (int d = -half; d <= half; ++d)
                sum += taps[d + half] * v[mirrored(2 * x + d, from.width)];
            next.at(x, y) = rounded_shift(sum, 16);
        }
    }
    return next;
}

/// v1, v2, v11, v22 and v12 of a scale.
using Columns = std::array<VifPlane64, 5>;

/// A sample of a picture, which may be above or below it. `finer` is the picture of the scale
/// before.
i64 sample_at(const VifPlane64 &plane, const VifPlane64 *finer, int x, int y)
{
    if (plane.height == 1 && y != 0) // spec vif 4
        return finer->at(x, 1);
    return plane.at(x, mirrored(y, plane.height));
}

// spec vif 3.3, vertical pass.
Columns vertical_pass(const VifOracle &pictures, int scale, int bits)
{
    const VifPlane64 &ref = pictures.ref[scale], &dis = pictures.dis[scale];
    const VifPlane64 *finer_ref = scale > 0 ? &pictures.ref[scale - 1] : nullptr;
    const VifPlane64 *finer_dis = scale > 0 ? &pictures.dis[scale - 1] : nullptr;
    const int b = scale == 0 ? bits : 16, q = scale == 0 ? 2 * (bits - 8) : 16;
    const VifPlane64 empty(ref.width, ref.height);
    Columns columns{empty, empty, empty, empty, empty};
    for (int y = 0; y < ref.height; ++y)
        for (int x = 0; x < ref.width; ++x) {
            std::array<i64, 5> sum{};
            for (int d = -half_of(scale); d <= half_of(scale); ++d) {
                const i64 c = kTaps[scale][d + half_of(scale)];
                const i64 r = sample_at(ref, finer_ref, x, y + d), t = sample_at(dis, finer_dis, x, y + d);
                const std::array<i64, 5> terms{r, t, r * r, t * t, r * t};
                for (int k = 0; k < 5; ++k)
                    sum[k] += c * terms[k];
            }
            for (int k = 0; k < 5; ++k)
                columns[k].at(x, y) = rounded_shift(sum[k], k < 2 ? b : q);
        }
    return columns;
}

/// Horizontal sum over one plane of the columns. `stale` replaces the neighbours of an only column
/// (spec vif 4).
u64 horizontal_sum(const VifPlane64 &v, int scale, int x, int y, i64 stale)
{
    i64 sum = 0;
    for (int d = -half_of(scale); d <= half_of(scale); ++d) {
        const i64 value = v.width == 1 && d != 0 ? stale : v.at(mirrored(x + d, v.width), y);
        sum += kTaps[scale][d + half_of(scale)] * value;
    }
    return static_cast<u64>(sum);
}

i64 as_signed_32(u64 difference)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(difference));
}

// spec vif 3.3, horizontal pass.
VifOracleMoments horizontal_pass(const Columns &columns, int scale, const std::array<i64, 5> &stale)
{
    const VifPlane64 empty(columns[0].width, columns[0].height);
    VifOracleMoments out{empty, empty, empty};
    for (int y = 0; y < empty.height; ++y)
        for (int x = 0; x < empty.width; ++x) {
            std::array<u64, 5> sum;
            for (int k = 0; k < 5; ++k)
                sum[k] = horizontal_sum(columns[k], scale, x, y, stale[k]);
            const auto rounded_product = [](u64 a, u64 b) { return (a * b + (u64{1} << 31)) >> 32; };
            out.s1.at(x, y) = as_signed_32(((sum[2] + 32768) >> 16) - rounded_product(sum[0], sum[0]));
            out.s2.at(x, y) = as_signed_32(((sum[3] + 32768) >> 16) - rounded_product(sum[1], sum[1]));
            out.s12.at(x, y) = as_signed_32(((sum[4] + 32768) >> 16) - rounded_product(sum[0], sum[1]));
        }
    return out;
}

// spec vif 3.4.
i64 log_2048(i64 a)
{
    int k = 0;
    while ((a >> k) > 65535)
        ++k;
    const float f = static_cast<float>(std::log2(static_cast<long double>(a >> k)));
    return static_cast<i64>(std::floor(static_cast<double>(f) * 2048 + 0.5)) + 2048 * k;
}

} // namespace

void add_oracle_pixel(i64 s1, i64 s2, i64 s12, double gain_limit, VifScaleSums &sums)
{
    constexpr i64 kNoise = 131072;
    s2 = std::max<i64>(s2, 0);
    if (s1 < kNoise) {
        sums.low_var2 += s2;
        sums.low_count += 1;
        return;
    }
    sums.log_den += log_2048(kNoise + s1) - 34816;
    if (s12 <= 0 || s2 <= 0)
        return;
    const double e = 65536 * 1.0e-10;
    double g = static_cast<double>(s12) / (static_cast<double>(s1) + e);
    const double t = static_cast<double>(s2) - g * static_cast<double>(s12);
    const i64 v = std::max<i64>(static_cast<i64>(t), 0);
    g = std::min(g, gain_limit);
    const i64 u = static_cast<i64>((g * g) * static_cast<double>(s1));
    sums.log_num += log_2048(v + kNoise + u) - log_2048(v + kNoise);
}

VifOracle vif_oracle(const PlaneView &ref, const PlaneView &dis, double gain_limit)
{
    const int bits = static_cast<int>(ref.bpc);
    VifOracle out{{input_plane(ref)}, {input_plane(dis)}, {}, {}};
    for (int scale = 0; scale < 3; ++scale) {
        const int shift = scale == 0 ? bits : 16;
        out.ref.push_back(next_picture(out.ref[scale], scale, shift));
        out.dis.push_back(next_picture(out.dis[scale], scale, shift));
    }
    std::array<i64, 5> stale{};
    for (int scale = 0; scale < 4; ++scale) {
        const Columns columns = vertical_pass(out, scale, bits);
        out.moments.push_back(horizontal_pass(columns, scale, stale));
        const VifOracleMoments &m = out.moments.back();
        for (int y = 0; y < m.s1.height; ++y)
            for (int x = 0; x < m.s1.width; ++x)
                add_oracle_pixel(m.s1.at(x, y), m.s2.at(x, y), m.s12.at(x, y), gain_limit, out.sums.scale[scale]);
        if (columns[0].width > 1)
            for (int k = 0; k < 5; ++k)
                stale[k] = columns[k].at(1, columns[k].height - 1);
    }
    return out;
}

} // namespace vmaf::test
