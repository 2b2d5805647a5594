#include "feature/common/prescale_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void add_tap(const float *__restrict source, const int *__restrict index, const float *__restrict column_weights,
             float row_weight, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] += source[index[x]] * (column_weights[x] * row_weight);
}

void add_weight(const float *__restrict column_weights, float row_weight, unsigned width_px, float *__restrict sum)
{
    for (unsigned x = 0; x < width_px; ++x)
        sum[x] += column_weights[x] * row_weight;
}

void divide(const float *__restrict sum, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] /= sum[x];
}

} // namespace

extern const PrescaleLoops kPrescaleLoops = {add_tap, add_weight, divide};

} // namespace vmaf::VMAF_CPU_TARGET
