#include "feature/float_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace vmaf::test {
namespace {

using Taps = std::vector<float>;

int mirrored(int i, int n)
{
    while (n > 1 && (i < 0 || i >= n))
        i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
}

/// One output value for every position.
template <class Value> FloatImage image_of(int width, int height, const Value &value)
{
    FloatImage image(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.at(x, y) = value(x, y);
    return image;
}

FloatImage product(const FloatImage &a, const FloatImage &b)
{
    return image_of(a.width, a.height, [&](int x, int y) { return a.at(x, y) * b.at(x, y); });
}

// ---- VIF ----

/// spec float_features 3.2
Taps vif_taps(int scale, double kernel_scale)
{
    const float q = static_cast<float>((1 << (4 - scale)) + 1) * static_cast<float>(kernel_scale);
    int count = static_cast<int>(std::ceil(q));
    count += count % 2 == 0 ? 1 : 0;
    count = std::max(count, 3);
    const float sd = static_cast<float>(count) / 5;
    Taps taps;
    float sum = 0;
    for (int x = -(count - 1) / 2; x <= (count - 1) / 2; ++x) {
        const double wide_sd = static_cast<double>(sd);
        const float e = static_cast<float>(std::exp((((-0.5 * x) / wide_sd) * x) / wide_sd));
        const float d = static_cast<float>(1 / (wide_sd * std::sqrt(2 * std::numbers::pi)));
        taps.push_back(e / d);
        sum = sum + taps.back();
    }
    for (float &tap : taps)
        tap = tap / sum;
    return taps;
}

/// LG
float logarithm(float a)
{
    constexpr std::array coefficients{-0.012671635276421, 0.064841182402670,  -0.157048836463065,
                                      0.257167726303123,  -0.353800560300520, 0.480131410397451,
                                      -0.721314327952201, 1.442694803896991,  0.0};
    int exponent = 129; // frexp's count for infinity and NaN
    float t = std::isnan(a) ? 0.5F : 0.0F;
    if (std::isfinite(a))
        t = 2 * std::frexp(a, &exponent) - 1;
    float v = 0;
    for (const double coefficient : coefficients) {
        v = v * t;
        v = v + static_cast<float>(coefficient);
    }
    return static_cast<float>(exponent - 1) + v;
}

struct VifPixel {
    float num, den;
};

VifPixel vif_pixel(float m1, float m2, float xx, float yy, float xy, double sigma_nsq, double gain_limit)
{
    constexpr float eps = 1.0e-10F;
    float s1 = std::max(xx - m1 * m1, 0.0F);
    const float s2 = std::max(yy - m2 * m2, 0.0F), s12 = xy - m1 * m2;
    float g = s12 / (s1 + eps), v = s2 - g * s12;
    if (s1 < eps) {
        g = 0;
        v = s2;
        s1 = 0;
    }
    if (s2 < eps) {
        g = 0;
        v = 0;
    }
    if (g < 0) {
        v = s2;
        g = 0;
    }
    v = std::max(v, eps);
    g = std::min(g, static_cast<float>(gain_limit));
    const float n = static_cast<float>(sigma_nsq);
    if (static_cast<double>(s1) < sigma_nsq)
        return {1 - s2 * static_cast<float>(static_cast<double>(n * n) / 65025.0), 1};
    const float signal = (g * g) * s1;
    const float num =
        logarithm(static_cast<float>(1 + static_cast<double>(signal) / (static_cast<double>(v) + sigma_nsq)));
    return {s12 < 0 ? 0 : num, logarithm(static_cast<float>(1 + static_cast<double>(s1) / sigma_nsq))};
}

// ---- ADM ----

struct Bands {
    FloatImage a;
    std::array<FloatImage, kAdmBands> detail; ///< H, V, D
};

int dwt_index(int i, int n)
{
    if (i < 0)
        i = -i;
    if (i >= n)
        i = 2 * n - 1 - i;
    return std::clamp(i, 0, n - 1);
}

constexpr std::array<float, 4> kLow{0.482962913144690F, 0.836516303737469F, 0.224143868041857F, -0.129409522550921F};
constexpr std::array<float, 4> kHigh{-0.129409522550921F, -0.224143868041857F, 0.836516303737469F, -0.482962913144690F};

FloatImage dwt_down(const FloatImage &image, const std::array<float, 4> &taps)
{
    return image_of(image.width, (image.height + 1) / 2, [&](int x, int y) {
        float sum = 0;
        for (int k = 0; k < 4; ++k)
            sum = sum + taps[static_cast<unsigned>(k)] * image.at(x, dwt_index(2 * y - 1 + k, image.height));
        return sum;
    });
}

FloatImage dwt_across(const FloatImage &image, const std::array<float, 4> &taps)
{
    return image_of((image.width + 1) / 2, image.height, [&](int x, int y) {
        float sum = 0;
        for (int k = 0; k < 4; ++k)
            sum = sum + taps[static_cast<unsigned>(k)] * image.at(dwt_index(2 * x - 1 + k, image.width), y);
        return sum;
    });
}

Bands dwt(const FloatImage &image)
{
    const FloatImage low = dwt_down(image, kLow), high = dwt_down(image, kHigh);
    return {dwt_across(low, kLow), {dwt_across(high, kLow), dwt_across(low, kHigh), dwt_across(high, kHigh)}};
}

bool angle_flag(const Bands &o, const Bands &t, int x, int y)
{
    const auto dot = [&](const Bands &a, const Bands &b) {
        return a.detail[kAdmH].at(x, y) * b.detail[kAdmH].at(x, y) +
               a.detail[kAdmV].at(x, y) * b.detail[kAdmV].at(x, y);
    };
    const float dp = dot(o, t);
    return dp >= 0 && dp * dp >= (0x1.ffd814p-1F * dot(o, o)) * dot(t, t);
}

float restored(float o, float t, bool flag, double gain_limit)
{
    const float k = std::clamp(t / (o + 1e-30F), 0.0F, 1.0F);
    const float r = k * o;
    if (flag && r > 0)
        return static_cast<float>(std::min(static_cast<double>(r) * gain_limit, static_cast<double>(t)));
    if (flag && r < 0)
        return static_cast<float>(std::max(static_cast<double>(r) * gain_limit, static_cast<double>(t)));
    return r;
}

using Signal = std::array<FloatImage, kAdmBands>;

int neighbour_index(int i, int n)
{
    return std::clamp(i < 0 ? -i : i >= n ? n - 1 : i, 0, n - 1);
}

float threshold(const Signal &masker, const FloatAdmScale &scale, int x, int y)
{
    float thr = 0;
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const FloatImage &image = masker[band];
        float q = 0;
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                const float weighted = scale.weight[band] * image.at(neighbour_index(x + i, image.width),
                                                                     neighbour_index(y + j, image.height));
                const double size = std::fabs(static_cast<double>(weighted));
                if (i == 0 && j == 0)
                    q = static_cast<float>(static_cast<double>(q) + 0.0666666701 * size);
                else
                    q = q + static_cast<float>(0.0333333351 * size);
            }
        thr = thr + q;
    }
    return thr;
}

float raised(float v, float p)
{
    return p == 3 ? (v * v) * v : std::pow(v, p);
}

/// Sums of C over the region, minus the threshold where there is a masker.
void add_bands(const Signal &signal, const Signal *masker, const FloatAdmScale &scale, float p,
               float (&sums)[kAdmBands])
{
    const int left = static_cast<int>(scale.left), top = static_cast<int>(scale.top);
    for (unsigned band = 0; band < kAdmBands; ++band)
        sums[band] = ordered_sum(
            image_of(static_cast<int>(scale.right) - left, static_cast<int>(scale.bottom) - top, [&](int x, int y) {
                const float thr = masker == nullptr ? 0 : threshold(*masker, scale, left + x, top + y);
                const float size = std::fabs(scale.weight[band] * signal[band].at(left + x, top + y));
                return raised(std::max(size - thr, 0.0F), p);
            }));
}

// ---- ANSNR ----

constexpr int kRefFilter[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
constexpr int kDisFilter[5][5] = {
    {2, 7, 12, 7, 2}, {7, 31, 52, 31, 7}, {12, 52, 127, 52, 12}, {7, 31, 52, 31, 7}, {2, 7, 12, 7, 2}};

template <int Size> FloatImage filtered(const FloatImage &image, const int (&filter)[Size][Size], double divisor)
{
    const auto index = [](int i, int n) { return std::clamp(i < 0 ? -i : i >= n ? 2 * n - 1 - i : i, 0, n - 1); };
    return image_of(image.width, image.height, [&](int x, int y) {
        float sum = 0;
        for (int j = 0; j < Size; ++j) {
            float row = 0;
            for (int i = 0; i < Size; ++i)
                row = row + static_cast<float>(filter[j][i] / divisor) *
                                image.at(index(x + i - Size / 2, image.width), index(y + j - Size / 2, image.height));
            sum = sum + row;
        }
        return sum;
    });
}

} // namespace

FloatImage float_image(const PlaneView &plane)
{
    const float scale = static_cast<float>(1U << (plane.bpc - 8));
    return image_of(static_cast<int>(plane.width_px), static_cast<int>(plane.height_px), [&](int x, int y) {
        const auto row = static_cast<unsigned>(y);
        const float sample = plane.bpc == 8 ? static_cast<float>(plane.row<std::uint8_t>(row)[x])
                                            : static_cast<float>(plane.row<std::uint16_t>(row)[x]);
        return sample / scale - 128;
    });
}

FloatImage low_passed(const FloatImage &image, const Taps &taps)
{
    const int half = static_cast<int>(taps.size() / 2);
    const FloatImage vertical = image_of(image.width, image.height, [&](int x, int y) {
        float sum = 0;
        for (int k = -half; k <= half; ++k)
            sum = sum + taps[static_cast<unsigned>(k + half)] * image.at(x, mirrored(y + k, image.height));
        return sum;
    });
    return image_of(image.width, image.height, [&](int x, int y) {
        float sum = 0;
        for (int k = -half; k <= half; ++k)
            sum = sum + taps[static_cast<unsigned>(k + half)] * vertical.at(mirrored(x + k, image.width), y);
        return sum;
    });
}

float ordered_sum(const FloatImage &terms)
{
    float sum = 0;
    for (int y = 0; y < terms.height; ++y) {
        float row = 0;
        for (int x = 0; x < terms.width; ++x)
            row = row + terms.at(x, y);
        sum = sum + row;
    }
    return sum;
}

FloatVifSums float_vif_oracle(const PlaneView &ref, const PlaneView &dis, double kernel_scale, double sigma_nsq,
                              double gain_limit)
{
    FloatImage r = float_image(ref), d = float_image(dis);
    FloatVifSums sums{};
    for (int scale = 0; scale < static_cast<int>(kFloatVifScales); ++scale) {
        const Taps taps = vif_taps(scale, kernel_scale);
        if (scale > 0)
            for (FloatImage *image : {&r, &d}) {
                const FloatImage filtered = low_passed(*image, taps);
                *image = image_of(image->width / 2, image->height / 2,
                                  [&](int x, int y) { return filtered.at(2 * x, 2 * y); });
            }
        const FloatImage m1 = low_passed(r, taps), m2 = low_passed(d, taps), xx = low_passed(product(r, r), taps),
                         yy = low_passed(product(d, d), taps), xy = low_passed(product(r, d), taps);
        FloatImage num(r.width, r.height), den(r.width, r.height);
        for (std::size_t i = 0; i < num.values.size(); ++i) {
            const VifPixel pixel =
                vif_pixel(m1.values[i], m2.values[i], xx.values[i], yy.values[i], xy.values[i], sigma_nsq, gain_limit);
            num.values[i] = pixel.num;
            den.values[i] = pixel.den;
        }
        sums.scale[scale] = {ordered_sum(num), ordered_sum(den)};
    }
    return sums;
}

FloatAdmSums float_adm_oracle(const PlaneView &ref, const PlaneView &dis, const FloatAdmParams &params)
{
    FloatImage o = float_image(ref), t = float_image(dis);
    FloatAdmSums sums{};
    for (unsigned s = 0; s < kAdmScales; ++s) {
        const FloatAdmScale &scale = params.scale[s];
        const Bands ob = dwt(o), tb = dwt(t);
        Signal r = ob.detail, a = ob.detail;
        for (unsigned band = 0; band < kAdmBands; ++band)
            for (int y = 0; y < ob.a.height; ++y)
                for (int x = 0; x < ob.a.width; ++x) {
                    const float dis_value = tb.detail[band].at(x, y);
                    r[band].at(x, y) =
                        restored(ob.detail[band].at(x, y), dis_value, angle_flag(ob, tb, x, y), params.gain_limit);
                    a[band].at(x, y) = dis_value - r[band].at(x, y);
                }
        if (s > 0 || !params.skip_scale0) {
            add_bands(r, params.bypass_mask ? nullptr : &a, scale, params.p_norm, sums.num[s]);
            add_bands(a, params.bypass_mask ? nullptr : &r, scale, params.p_norm, sums.aim[s]);
            add_bands(ob.detail, nullptr, scale, params.p_norm, sums.den[s]);
        }
        o = ob.a;
        t = tb.a;
    }
    return sums;
}

FloatAnsnrSums float_ansnr_oracle(const PlaneView &ref, const PlaneView &dis)
{
    const FloatImage a = filtered(float_image(ref), kRefFilter, 16.0);
    const FloatImage f = filtered(float_image(dis), kDisFilter, 571.0);
    const FloatImage difference = image_of(a.width, a.height, [&](int x, int y) { return a.at(x, y) - f.at(x, y); });
    return {ordered_sum(product(a, a)), ordered_sum(product(difference, difference))};
}

} // namespace vmaf::test
