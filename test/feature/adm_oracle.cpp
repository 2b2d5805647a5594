#include "feature/adm_oracle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace vmaf::test {
namespace {

using std::int64_t;

struct Bands {
    AdmPlane a;
    std::array<AdmPlane, 3> hvd;
};

int clog2(int64_t n)
{
    int bits = 0;
    while ((int64_t{1} << bits) < n)
        ++bits;
    return bits;
}

/// (value + half) >> bits, with half = 0 for no shift.
int64_t rounded(int64_t value, int bits)
{
    return bits <= 0 ? value : (value + (int64_t{1} << (bits - 1))) >> bits;
}

int64_t tap_index(int64_t i, int64_t n)
{
    if (i == -1)
        i = 1;
    if (i >= n)
        i = 2 * n - 1 - i;
    return std::clamp<int64_t>(i, 0, n - 1);
}

int64_t neighbour_index(int64_t i, int64_t n)
{
    if (i == -1)
        i = 1;
    if (i == n)
        i = n - 1;
    return std::clamp<int64_t>(i, 0, n - 1);
}

constexpr int64_t kLow[4] = {15826, 27411, 7345, -4240};
constexpr int64_t kHigh[4] = {-4240, -7345, 27411, -15826};

int64_t round_vertical(int64_t sum, bool low, unsigned scale, unsigned bpc)
{
    if (scale == 0)
        return rounded(low ? sum - (int64_t{46342} << (bpc - 1)) : sum, static_cast<int>(bpc));
    return scale == 1 ? sum : rounded(sum, 16);
}

AdmPlane vertical(const AdmPlane &in, const int64_t (&taps)[4], unsigned scale, unsigned bpc)
{
    AdmPlane out(in.width, (in.height + 1) / 2);
    for (int64_t y = 0; y < out.height; ++y)
        for (int64_t x = 0; x < out.width; ++x) {
            int64_t sum = 0;
            for (int64_t k = 0; k < 4; ++k)
                sum += taps[k] * in.at(x, tap_index(2 * y - 1 + k, in.height));
            out.at(x, y) = round_vertical(sum, &taps == &kLow, scale, bpc);
        }
    return out;
}

AdmPlane horizontal(const AdmPlane &in, const int64_t (&taps)[4], unsigned scale)
{
    AdmPlane out((in.width + 1) / 2, in.height);
    for (int64_t y = 0; y < out.height; ++y)
        for (int64_t x = 0; x < out.width; ++x) {
            int64_t sum = 0;
            for (int64_t k = 0; k < 4; ++k)
                sum += taps[k] * in.at(tap_index(2 * x - 1 + k, in.width), y);
            out.at(x, y) = rounded(sum, scale == 0 || scale == 2 ? 16 : 15);
        }
    return out;
}

Bands transform(const AdmPlane &in, unsigned scale, unsigned bpc)
{
    const AdmPlane low = vertical(in, kLow, scale, bpc), high = vertical(in, kHigh, scale, bpc);
    return {horizontal(low, kLow, scale),
            {horizontal(high, kLow, scale), horizontal(low, kHigh, scale), horizontal(high, kHigh, scale)}};
}

int64_t ratio(unsigned scale, int64_t o, int64_t t)
{
    if (o == 0)
        return 32768;
    const int64_t sign = o < 0 ? -1 : 1, size = std::abs(o);
    int64_t m = size;
    int q = 0;
    if (scale > 0 && size >= 32768) {
        q = 17 - std::countl_zero(static_cast<std::uint32_t>(size));
        m = (size + (int64_t{1} << (q - 1))) >> q;
    }
    const int64_t rec = (int64_t{1} << 30) / m;
    return std::clamp<int64_t>((rec * t * sign + (int64_t{1} << (14 + q))) >> (15 + q), 0, 32768);
}

/// Both signals of all bands of a scale.
struct Decoupled {
    std::array<AdmPlane, 3> r;
    std::array<AdmPlane, 3> a;
};

Decoupled decouple(const Bands &ref, const Bands &dis, unsigned scale, double gain_limit)
{
    const int64_t w = ref.a.width, h = ref.a.height;
    Decoupled out;
    for (unsigned band = 0; band < 3; ++band) {
        out.r[band] = out.a[band] = AdmPlane(w, h);
        for (int64_t y = 0; y < h; ++y)
            for (int64_t x = 0; x < w; ++x) {
                const bool flag =
                    adm_oracle_flag(ref.hvd[0].at(x, y), ref.hvd[1].at(x, y), dis.hvd[0].at(x, y), dis.hvd[1].at(x, y));
                const int64_t o = ref.hvd[band].at(x, y), t = dis.hvd[band].at(x, y);
                out.r[band].at(x, y) = adm_oracle_restored(scale, o, t, flag, gain_limit);
                out.a[band].at(x, y) = t - out.r[band].at(x, y);
            }
    }
    return out;
}

struct Masker {
    int64_t n;
    int64_t z;
};

Masker mask(unsigned scale, unsigned band, int64_t weight, int64_t y)
{
    if (scale == 0) {
        const int64_t x =
            static_cast<std::int16_t>(band == 2 ? (weight * y + 65535) >> 17 : (weight * y + 16384) >> 15);
        const auto n = static_cast<std::int16_t>((4369 * std::abs(x) + 2048) >> 12);
        return {n, (8738 * std::abs(x) + 2048) >> 12};
    }
    const int64_t x = static_cast<std::int32_t>((weight * y + (int64_t{1} << 27)) >> 28);
    return {(143165577 * std::abs(x) - (int64_t{1} << 31)) >> 32, (286331153 * std::abs(x) - (int64_t{1} << 31)) >> 32};
}

int64_t threshold(const std::array<AdmPlane, 3> &signal, unsigned scale, const std::uint32_t (&weight)[3], int64_t x,
                  int64_t y)
{
    int64_t sum = 0;
    for (unsigned band = 0; band < 3; ++band)
        for (int64_t dy = -1; dy <= 1; ++dy)
            for (int64_t dx = -1; dx <= 1; ++dx) {
                const AdmPlane &plane = signal[band];
                const Masker m =
                    mask(scale, band, weight[band],
                         plane.at(neighbour_index(x + dx, plane.width), neighbour_index(y + dy, plane.height)));
                sum += dx == 0 && dy == 0 ? m.z : m.n;
            }
    return sum;
}

/// A cube of 3.6.
int64_t cube(unsigned scale, unsigned band, int64_t weight, int64_t signal, int64_t thr, int64_t width)
{
    if (scale > 0) {
        const int64_t u = static_cast<std::int32_t>((weight * signal + (int64_t{1} << 27)) >> 28);
        const int64_t v = std::max<int64_t>(0, std::abs(u) - thr), q = rounded(v * v, 30);
        return rounded(q * v, clog2(width));
    }
    const bool diagonal = band == 2;
    const int64_t v = std::max<int64_t>(0, std::abs(weight * signal) - (thr << (diagonal ? 12 : 10)));
    const int64_t q = rounded(v * v, diagonal ? 30 : 29);
    return rounded(q * v, clog2(width) - (diagonal ? 3 : 4));
}

/// The summation region of 3.2.
struct Region {
    int64_t left, right, top, bottom;
};

int64_t numerator(const std::array<AdmPlane, 3> &signal, const std::array<AdmPlane, 3> &masker, unsigned scale,
                  unsigned band, const std::uint32_t (&weight)[3], const Region &region, AdmPlane *cubes = nullptr)
{
    const AdmPlane &plane = signal[band];
    AdmPlane of(plane.width, plane.height);
    int64_t total = 0;
    for (int64_t y = region.top; y < region.bottom; ++y) {
        int64_t row = 0;
        for (int64_t x = region.left; x < region.right; ++x) {
            of.at(x, y) =
                cube(scale, band, weight[band], plane.at(x, y), threshold(masker, scale, weight, x, y), plane.width);
            row += of.at(x, y);
        }
        total += rounded(row, clog2(plane.height));
    }
    if (cubes)
        *cubes = of;
    return total;
}

std::uint64_t denominator(const AdmPlane &ref, unsigned scale, const Region &region, AdmPlane *cubes)
{
    constexpr int p[4] = {0, 31, 30, 31};
    const int64_t columns = region.right - region.left, rows = region.bottom - region.top;
    AdmPlane of(ref.width, ref.height);
    int64_t total = 0;
    for (int64_t y = region.top; y < region.bottom; ++y) {
        int64_t row = 0;
        for (int64_t x = region.left; x < region.right; ++x) {
            const int64_t o = std::abs(ref.at(x, y));
            of.at(x, y) =
                scale == 0 ? o * o * o : rounded(((o * o + (int64_t{1} << p[scale])) >> p[scale]) * o, clog2(columns));
            row += of.at(x, y);
        }
        total += rounded(row, scale == 0 ? clog2(rows * columns) - 20 : clog2(rows));
    }
    if (cubes)
        *cubes = of;
    return static_cast<std::uint64_t>(total);
}

} // namespace

int64_t adm_oracle_crop(int64_t n)
{
    return static_cast<int64_t>(static_cast<double>(n) * 0.1 - 0.5);
}

bool adm_oracle_flag(int64_t ref_h, int64_t ref_v, int64_t dis_h, int64_t dis_v)
{
    const double fd = static_cast<float>(ref_h * dis_h + ref_v * dis_v);
    const double fo = static_cast<float>(ref_h * ref_h + ref_v * ref_v);
    const double ft = static_cast<float>(dis_h * dis_h + dis_v * dis_v);
    return fd >= 0 && fd * fd >= (0x1.ffd814p-1 * fo) * ft;
}

int64_t adm_oracle_restored(unsigned scale, int64_t o, int64_t t, bool flag, double gain_limit)
{
    const int64_t k = ratio(scale, o, t);
    const int64_t r = rounded(k * o, 15);
    if (flag && k > 0 && o > 0)
        return static_cast<int64_t>(std::min(static_cast<double>(r) * gain_limit, static_cast<double>(t)));
    if (flag && k > 0 && o < 0)
        return static_cast<int64_t>(std::max(static_cast<double>(r) * gain_limit, static_cast<double>(t)));
    return r;
}

AdmSums adm_oracle(const AdmPlane &ref, const AdmPlane &dis, const AdmOracleOptions &options, AdmOracleCubes *cubes)
{
    AdmSums sums{};
    Bands ref_bands, dis_bands;
    for (unsigned scale = 0; scale < 4; ++scale) {
        ref_bands = transform(scale == 0 ? ref : ref_bands.a, scale, options.bpc);
        dis_bands = transform(scale == 0 ? dis : dis_bands.a, scale, options.bpc);
        const Decoupled signals = decouple(ref_bands, dis_bands, scale, options.gain_limit);
        const int64_t left = adm_oracle_crop(ref_bands.a.width), top = adm_oracle_crop(ref_bands.a.height);
        const Region region{left, ref_bands.a.width - left, top, ref_bands.a.height - top};
        const auto &weight = options.csf.weight[scale];
        for (unsigned band = 0; band < 3; ++band) {
            sums.num[scale][band] = numerator(signals.r, signals.a, scale, band, weight, region,
                                              cubes ? &cubes->num[scale][band] : nullptr);
            sums.aim[scale][band] = numerator(signals.a, signals.r, scale, band, weight, region);
            sums.den[scale][band] =
                denominator(ref_bands.hvd[band], scale, region, cubes ? &cubes->den[scale][band] : nullptr);
        }
    }
    return sums;
}

} // namespace vmaf::test
