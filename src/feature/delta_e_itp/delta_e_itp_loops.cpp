#include "feature/delta_e_itp/delta_e_itp_loops.h"

#include <cstddef>

#include "feature/delta_e_itp/delta_e_itp_pixel.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void to_itp(const float *const light[3], unsigned count, ItpRow out)
{
    const float *r = light[0], *g = light[1], *b = light[2];
    double *__restrict i = out.i, *__restrict t = out.t, *__restrict p = out.p;
    for (std::size_t x = 0; x < count; ++x) {
        const Itp colour =
            itp_of_light(static_cast<double>(r[x]), static_cast<double>(g[x]), static_cast<double>(b[x]));
        i[x] = colour.i;
        t[x] = colour.t;
        p[x] = colour.p;
    }
}

void differences(const ItpRow &ref, const ItpRow &dis, unsigned count, float *__restrict out)
{
    const double *ref_i = ref.i, *ref_t = ref.t, *ref_p = ref.p;
    const double *dis_i = dis.i, *dis_t = dis.t, *dis_p = dis.p;
    for (std::size_t x = 0; x < count; ++x)
        out[x] = delta_e_itp({ref_i[x], ref_t[x], ref_p[x]}, {dis_i[x], dis_t[x], dis_p[x]});
}

} // namespace

extern const DeltaEItpLoops kDeltaEItpLoops = {to_itp, differences};

} // namespace vmaf::VMAF_CPU_TARGET
