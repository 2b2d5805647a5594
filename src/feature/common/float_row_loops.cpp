#include "feature/common/float_row_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

template <class Sample>
void convert(const Sample *__restrict samples, unsigned count, float scale, float *__restrict out)
{
    for (unsigned i = 0; i < count; ++i)
        out[i] = static_cast<float>(samples[i]) * scale - 128.0F;
}

template <unsigned Chains> void add_rows(const float *const rows[Chains], unsigned count, float *__restrict sums)
{
    const float *row[Chains];
    float sum[Chains];
    for (unsigned k = 0; k < Chains; ++k) {
        row[k] = rows[k];
        sum[k] = sums[k];
    }
    for (unsigned x = 0; x < count; ++x)
        for (unsigned k = 0; k < Chains; ++k)
            sum[k] += row[k][x];
    for (unsigned k = 0; k < Chains; ++k)
        sums[k] = sum[k];
}

} // namespace

extern const FloatRowLoops kFloatRowLoops = {convert<std::uint8_t>, convert<std::uint16_t>, add_rows<kRowChains>,
                                             add_rows<kBandChains>};

} // namespace vmaf::VMAF_CPU_TARGET
