#include "feature/float_adm/float_adm_loops.h"

#include <cstdint>

// Written for the vectoriser: no branch in a loop, values that do not apply are computed too and
// not selected. Sums start at their first term: starting at 0 changes nothing but the sign of a
// zero.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using std::ptrdiff_t;
using std::size_t;

// ---- spec float_features 3.6 ----

inline float filtered(const float (&taps)[4], float a, float b, float c, float d)
{
    return taps[0] * a + taps[1] * b + taps[2] * c + taps[3] * d;
}

inline float value(std::uint8_t sample, float scale)
{
    return static_cast<float>(sample) * scale - 128.0F;
}
inline float value(std::uint16_t sample, float scale)
{
    return static_cast<float>(sample) * scale - 128.0F;
}
inline float value(float sample, float)
{
    return sample;
}

template <class Sample>
void filter_rows(const void *const rows[4], float scale, AdmSpan span, float *__restrict low, float *__restrict high)
{
    const Sample *__restrict r0 = static_cast<const Sample *>(rows[0]);
    const Sample *__restrict r1 = static_cast<const Sample *>(rows[1]);
    const Sample *__restrict r2 = static_cast<const Sample *>(rows[2]);
    const Sample *__restrict r3 = static_cast<const Sample *>(rows[3]);
    for (size_t x = span.begin; x < span.end; ++x) {
        const float a = value(r0[x], scale), b = value(r1[x], scale), c = value(r2[x], scale), d = value(r3[x], scale);
        low[x] = filtered(kFloatAdmLow, a, b, c, d);
        high[x] = filtered(kFloatAdmHigh, a, b, c, d);
    }
}

void filter_line(const float *__restrict line, AdmSpan span, float *__restrict low_band, float *__restrict high_band)
{
    for (size_t i = span.begin; i < span.end; ++i) {
        const float *tap = line + 2 * i - 1;
        low_band[i] = filtered(kFloatAdmLow, tap[0], tap[1], tap[2], tap[3]);
        high_band[i] = filtered(kFloatAdmHigh, tap[0], tap[1], tap[2], tap[3]);
    }
}

// ---- spec float_features 3.7, 3.9 ----

inline float magnitude(float x)
{
    return __builtin_fabsf(x);
}

void angle_flags(const FloatAdmDecoupling &row, AdmSpan span)
{
    const float *oh = row.ref[kAdmH], *ov = row.ref[kAdmV], *th = row.dis[kAdmH], *tv = row.dis[kAdmV];
    int *__restrict flag = row.flag;
    for (size_t x = span.begin; x < span.end; ++x) {
        const float dp = oh[x] * th[x] + ov[x] * tv[x];
        const float oo = oh[x] * oh[x] + ov[x] * ov[x];
        const float tt = th[x] * th[x] + tv[x] * tv[x];
        flag[x] = static_cast<int>(dp >= 0) & static_cast<int>(dp * dp >= kFloatAdmCosSquared * oo * tt);
    }
}

/// r of one band.
void restore_band(const float *__restrict ref, const float *__restrict dis, const int *__restrict flag,
                  double gain_limit, AdmSpan span, float *__restrict restored)
{
    for (size_t x = span.begin; x < span.end; ++x) {
        const float o = ref[x], t = dis[x];
        float k = t / (o + 1e-30F);
        k = k > 0 ? k : 0;
        k = k < 1 ? k : 1;
        const float r = k * o;
        const double gained = static_cast<double>(r) * gain_limit, wide_t = static_cast<double>(t);
        const float least = static_cast<float>(gained < wide_t ? gained : wide_t);
        const float most = static_cast<float>(gained > wide_t ? gained : wide_t);
        const float upwards = r > 0 ? least : r, downwards = r < 0 ? most : upwards;
        restored[x] = flag[x] != 0 ? downwards : r;
    }
}

/// |f * y| of a signal, and n.
void weigh_band(const float *__restrict signal, float weight, AdmSpan span, float *__restrict strength,
                float *__restrict neighbour)
{
    for (size_t x = span.begin; x < span.end; ++x) {
        strength[x] = magnitude(weight * signal[x]);
        neighbour[x] = static_cast<float>(kFloatAdmNeighbourShare * static_cast<double>(strength[x]));
    }
}

void weigh_reference(const float *__restrict ref, float weight, AdmSpan span, float *__restrict strength)
{
    for (size_t x = span.begin; x < span.end; ++x)
        strength[x] = magnitude(weight * ref[x]);
}

void subtract(const float *__restrict a, const float *__restrict b, AdmSpan span, float *__restrict difference)
{
    for (size_t x = span.begin; x < span.end; ++x)
        difference[x] = a[x] - b[x];
}

void decouple(const FloatAdmDecoupling &row, AdmSpan span)
{
    angle_flags(row, span);
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const float weight = row.weight[band];
        restore_band(row.ref[band], row.dis[band], row.flag, row.gain_limit, span, row.r);
        subtract(row.dis[band], row.r, span, row.a);
        weigh_band(row.r, weight, span, row.restored.strength[band], row.restored.neighbour[band]);
        weigh_band(row.a, weight, span, row.additive.strength[band], row.additive.neighbour[band]);
        weigh_reference(row.ref[band], weight, span, row.reference[band]);
    }
}

// ---- spec float_features 3.9 ----

inline float masked_by(const float *above, const float *at, const float *below, const float *centre, ptrdiff_t x)
{
    float q = above[x - 1] + above[x] + above[x + 1] + at[x - 1];
    q = static_cast<float>(static_cast<double>(q) + kFloatAdmCentreShare * static_cast<double>(centre[x]));
    return q + at[x + 1] + below[x - 1] + below[x] + below[x + 1];
}

void band_thresholds(const FloatAdmMask &mask, unsigned band, AdmSpan span, float *__restrict threshold)
{
    const float *__restrict above = mask.neighbour[0][band];
    const float *__restrict at = mask.neighbour[1][band];
    const float *__restrict below = mask.neighbour[2][band];
    const float *__restrict centre = mask.centre[band];
    const ptrdiff_t begin = static_cast<ptrdiff_t>(span.begin), end = static_cast<ptrdiff_t>(span.end);
    if (band == kAdmH)
        for (ptrdiff_t x = begin; x < end; ++x) // signed: column 0 reads column -1
            threshold[x] = masked_by(above, at, below, centre, x);
    else
        for (ptrdiff_t x = begin; x < end; ++x)
            threshold[x] += masked_by(above, at, below, centre, x);
}

void thresholds(const FloatAdmMask &mask, AdmSpan span, float *threshold)
{
    for (unsigned band = 0; band < kAdmBands; ++band)
        band_thresholds(mask, band, span, threshold);
}

void subtract_threshold(const float *__restrict strength, const float *__restrict threshold, AdmSpan span,
                        float *__restrict v)
{
    for (size_t x = span.begin; x < span.end; ++x) {
        const float rest = strength[x] - threshold[x];
        v[x] = rest > 0 ? rest : 0;
    }
}

void cube(float *v, AdmSpan span)
{
    for (size_t x = span.begin; x < span.end; ++x)
        v[x] = v[x] * v[x] * v[x];
}

} // namespace

extern const FloatAdmLoops kFloatAdmLoops = {
    {filter_rows<std::uint8_t>, filter_rows<std::uint16_t>, filter_rows<float>},
    filter_line,
    decouple,
    thresholds,
    subtract_threshold,
    cube,
};

} // namespace vmaf::VMAF_CPU_TARGET
