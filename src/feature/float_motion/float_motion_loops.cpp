#include "feature/float_motion/float_motion_loops.h"

#include <cstddef>

// Sums start at their first term: starting at 0 changes nothing but the sign of a zero.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void filter_columns(const float *const rows[kFloatMotionTaps], const float taps[kFloatMotionTaps], unsigned width_px,
                    float *__restrict out)
{
    const float *__restrict r0 = rows[0], *__restrict r1 = rows[1], *__restrict r2 = rows[2], *__restrict r3 = rows[3],
                            *__restrict r4 = rows[4];
    const float t0 = taps[0], t1 = taps[1], t2 = taps[2], t3 = taps[3], t4 = taps[4];
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = t0 * r0[x] + t1 * r1[x] + t2 * r2[x] + t3 * r3[x] + t4 * r4[x];
}

void filter_row(const float *__restrict row, const float taps[kFloatMotionTaps], unsigned width_px,
                float *__restrict out)
{
    const float t0 = taps[0], t1 = taps[1], t2 = taps[2], t3 = taps[3], t4 = taps[4];
    for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(width_px); ++x)
        out[x] = t0 * row[x - 2] + t1 * row[x - 1] + t2 * row[x] + t3 * row[x + 1] + t4 * row[x + 2];
}

void difference(const float *__restrict a, const float *__restrict b, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = __builtin_fabsf(a[x] - b[x]);
}

} // namespace

extern const FloatMotionLoops kFloatMotionLoops = {filter_columns, filter_row, difference};

} // namespace vmaf::VMAF_CPU_TARGET
