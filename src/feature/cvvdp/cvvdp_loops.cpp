#include "feature/cvvdp/cvvdp_loops.h"

#include <cstddef>

#include "feature/common/colour_arithmetic.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Values that are worked on step by step, so that each step is a loop of its own that stays in the
/// first-level cache.
constexpr unsigned kChunk = 64;

INLINE float absolute(float x)
{
    return larger(x, -x);
}

/// (x + e)^power.
INLINE float power_of(float x, float power)
{
    return exp2_of(power * log2_of(x + kCvvdpFloatEpsilon));
}

INLINE float opponent(const CvvdpColour &colour, unsigned c, float r, float g, float b)
{
    return colour.offset[c] + (colour.matrix[c][0] * r + colour.matrix[c][1] * g + colour.matrix[c][2] * b);
}

void begin_channels(const CvvdpColour &colour, const float *const light[3], const float (&weights)[kCvvdpChannels],
                    unsigned count, float *__restrict luma, CvvdpRows channels)
{
    const CvvdpColour k = colour;
    const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
    const float *__restrict r = light[0], *__restrict g = light[1], *__restrict b = light[2];
    float *__restrict c0 = channels.channel[0], *__restrict c1 = channels.channel[1];
    float *__restrict c2 = channels.channel[2], *__restrict c3 = channels.channel[3];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float y = opponent(k, 0, r[x], g[x], b[x]);
        luma[x] = y;
        c0[x] = w0 * y;
        c1[x] = w1 * opponent(k, 1, r[x], g[x], b[x]);
        c2[x] = w2 * opponent(k, 2, r[x], g[x], b[x]);
        c3[x] = w3 * y;
    }
}

void add_channels(const CvvdpColour &colour, const float *const light[3], const float (&weights)[kCvvdpChannels],
                  const float *__restrict luma, unsigned count, CvvdpRows channels)
{
    const CvvdpColour k = colour;
    const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
    const float *__restrict r = light[0], *__restrict g = light[1], *__restrict b = light[2];
    float *__restrict c0 = channels.channel[0], *__restrict c1 = channels.channel[1];
    float *__restrict c2 = channels.channel[2], *__restrict c3 = channels.channel[3];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float y = opponent(k, 0, r[x], g[x], b[x]);
        c0[x] += w0 * y;
        c1[x] += w1 * opponent(k, 1, r[x], g[x], b[x]);
        c2[x] += w2 * opponent(k, 2, r[x], g[x], b[x]);
        c3[x] += w3 * (y - luma[x]);
    }
}

INLINE float reduced(float middle, float next_a, float next_b, float outer_a, float outer_b)
{
    return kCvvdpReduceMiddle * middle + kCvvdpReduceNext * (next_a + next_b) + kCvvdpReduceOuter * (outer_a + outer_b);
}

void reduce_columns(const float *const rows[5], unsigned count, float *__restrict out)
{
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x)
        out[x] = reduced(c[x], b[x], d[x], a[x], e[x]);
}

void reduce_row(const float *__restrict row, unsigned count, float *__restrict out)
{
    const float *const before = row - 2;
    for (std::size_t x = 0; x < count; ++x)
        out[x] = reduced(before[2 * x + 2], before[2 * x + 1], before[2 * x + 3], before[2 * x], before[2 * x + 4]);
}

void blend_rows(const float *const rows[3], const float (&parts)[3], unsigned count, float *__restrict out)
{
    const float *a = rows[0], *b = rows[1], *c = rows[2];
    const float part_a = parts[0], part_b = parts[1], part_c = parts[2];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x)
        out[x] = part_b * b[x] + (part_a * a[x] + part_c * c[x]);
}

void expand_row(const float *__restrict row, unsigned count, float *__restrict out)
{
    constexpr CvvdpParts even = cvvdp_parts(true), odd = cvvdp_parts(false);
    const float *const before = row - 1;
    for (std::size_t x = 0; x < count; ++x) {
        out[2 * x] = even.of[1] * before[x + 1] + even.of[0] * (before[x] + before[x + 2]);
        out[2 * x + 1] = odd.of[1] * (before[x + 1] + before[x + 2]);
    }
}

/// Values that all channels of a pixel share.
struct Chunk {
    alignas(64) std::int32_t index[kChunk]; ///< of the luminance before
    alignas(64) float part[kChunk];         ///< of the way to the next one
    alignas(64) float ref_factor[kChunk], dis_factor[kChunk];
    alignas(64) float sensitivity[kChunk];
};

INLINE float contrast_of(float value, float mean, float factor)
{
    return smaller((value - mean) * factor, kCvvdpMostContrast);
}

void contrast(const CvvdpBandTables &tables, const CvvdpBandRows &rows, unsigned count, CvvdpRows difference,
              CvvdpRows least)
{
    Chunk chunk;
    for (std::size_t start = 0; start < count; start += kChunk) {
        const std::size_t length = count - start < kChunk ? count - start : kChunk;
        const float *__restrict ref_luma = rows.ref_mean.channel[0] + start;
        const float *__restrict dis_luma = rows.dis_mean.channel[0] + start;
        for (std::size_t x = 0; x < length; ++x) {
            const float ref = larger(ref_luma[x], kCvvdpLeastMean), dis = larger(dis_luma[x], kCvvdpLeastMean);
            const float place =
                smaller(larger(kCvvdpPositionScale * log2_of(ref) + kCvvdpPositionOffset, 0), kCvvdpCsfPoints - 1);
            const auto whole = static_cast<std::int32_t>(smaller(place, kCvvdpCsfPoints - 2));
            chunk.index[x] = whole;
            chunk.part[x] = place - static_cast<float>(whole);
            chunk.ref_factor[x] = 1 / ref;
            chunk.dis_factor[x] = 1 / dis;
        }
        for (unsigned c = 0; c < kCvvdpChannels; ++c) {
            const float *const table = tables.sensitivity[c];
            for (std::size_t x = 0; x < length; ++x) {
                const std::int32_t i = chunk.index[x];
                chunk.sensitivity[x] = table[i] + chunk.part[x] * (table[i + 1] - table[i]);
            }
            const float *__restrict ref = rows.ref.channel[c] + start, *__restrict dis = rows.dis.channel[c] + start;
            const float *__restrict ref_mean = rows.ref_mean.channel[c] + start;
            const float *__restrict dis_mean = rows.dis_mean.channel[c] + start;
            float *__restrict to_difference = difference.channel[c] + start;
            float *__restrict to_least = least.channel[c] + start;
            NO_OVERLAP
            for (std::size_t x = 0; x < length; ++x) {
                const float s = exp2_of(chunk.sensitivity[x]);
                const float r = s * contrast_of(ref[x], ref_mean[x], chunk.ref_factor[x]);
                const float t = s * contrast_of(dis[x], dis_mean[x], chunk.dis_factor[x]);
                to_difference[x] = absolute(t - r);
                to_least[x] = smaller(absolute(t), absolute(r));
            }
        }
    }
}

void blur_row(const float *__restrict row, const float (&taps)[kCvvdpBlurReach + 1], unsigned count,
              float *__restrict out)
{
    const float t0 = taps[0], t1 = taps[1], t2 = taps[2], t3 = taps[3], t4 = taps[4], t5 = taps[5], t6 = taps[6];
    const float *const r = row - kCvvdpBlurReach;
    for (std::size_t x = 0; x < count; ++x)
        out[x] = t0 * r[x + 6] + t1 * (r[x + 5] + r[x + 7]) + t2 * (r[x + 4] + r[x + 8]) + t3 * (r[x + 3] + r[x + 9]) +
                 t4 * (r[x + 2] + r[x + 10]) + t5 * (r[x + 1] + r[x + 11]) + t6 * (r[x] + r[x + 12]);
}

void blur_columns(const float *const rows[2 * kCvvdpBlurReach + 1], const float (&taps)[kCvvdpBlurReach + 1],
                  unsigned count, float *__restrict out)
{
    const float t0 = taps[0], t1 = taps[1], t2 = taps[2], t3 = taps[3], t4 = taps[4], t5 = taps[5], t6 = taps[6];
    const float *const *r = rows;
    const float *a = r[0], *b = r[1], *c = r[2], *d = r[3], *e = r[4], *f = r[5], *g = r[6], *h = r[7], *i = r[8],
                *j = r[9], *k = r[10], *l = r[11], *m = r[12];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x)
        out[x] = t0 * g[x] + t1 * (f[x] + h[x]) + t2 * (e[x] + i[x]) + t3 * (d[x] + j[x]) + t4 * (c[x] + k[x]) +
                 t5 * (b[x] + l[x]) + t6 * (a[x] + m[x]);
}

void add_squares(CvvdpInput difference, CvvdpInput mask, unsigned count, CvvdpRows columns)
{
    constexpr CvvdpMasking masking = kCvvdpMasking;
    float unmasked[kCvvdpChannels];
    for (unsigned k = 0; k < kCvvdpChannels; ++k)
        unmasked[k] = power_of(0, masking.power[k]);
    const float undiffering = power_of(0, kCvvdpDifferencePower);
    alignas(64) float masked[kCvvdpChannels][kChunk];
    for (std::size_t start = 0; start < count; start += kChunk) {
        const std::size_t length = count - start < kChunk ? count - start : kChunk;
        for (unsigned k = 0; k < kCvvdpChannels; ++k) {
            const float *__restrict m = mask.channel[k] + start;
            const float power = masking.power[k], at_zero = unmasked[k];
            for (std::size_t x = 0; x < length; ++x)
                masked[k][x] = power_of(kCvvdpMaskScale * m[x], power) - at_zero;
        }
        for (unsigned c = 0; c < kCvvdpChannels; ++c) {
            const float *__restrict d = difference.channel[c] + start;
            float *__restrict column = columns.channel[c] + start;
            const float w0 = masking.weight[0][c], w1 = masking.weight[1][c], w2 = masking.weight[2][c],
                        w3 = masking.weight[3][c];
            NO_OVERLAP
            for (std::size_t x = 0; x < length; ++x) {
                const float mutual = (w0 * masked[0][x] + w1 * masked[1][x]) + (w2 * masked[2][x] + w3 * masked[3][x]);
                const float above = larger(power_of(d[x], kCvvdpDifferencePower) - undiffering, 0);
                const float u = above / (1 + mutual);
                const float limited = kCvvdpLargestD * u / (kCvvdpLargestD + u);
                column[x] += limited * limited + 2 * kCvvdpFloatEpsilon * limited;
            }
        }
    }
}

} // namespace

extern const CvvdpLoops kCvvdpLoops = {
    begin_channels, add_channels, reduce_columns, reduce_row,   blend_rows,
    expand_row,     contrast,     blur_row,       blur_columns, add_squares,
};

} // namespace vmaf::VMAF_CPU_TARGET
