#include "feature/delta_e_itp/delta_e_itp_loops.h"

#include <cstddef>

#include "feature/delta_e_itp/delta_e_itp_pixel.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// A loop of its own: compilers vectorise what reads the curve if it writes one row.
template <int Cone>
void cone_signals(const LightCurve &pq, const float *const light[3], unsigned count, double *__restrict out)
{
    const LightCurve curve = pq;
    const float *r = light[0], *g = light[1], *b = light[2];
    for (std::size_t x = 0; x < count; ++x)
        out[x] =
            cone_signal<Cone>(curve, static_cast<double>(r[x]), static_cast<double>(g[x]), static_cast<double>(b[x]));
}

void to_itp(const LightCurve &pq, const float *const light[3], unsigned count, ItpRow out)
{
    double *__restrict i = out.i, *__restrict t = out.t, *__restrict p = out.p;
    cone_signals<0>(pq, light, count, i);
    cone_signals<1>(pq, light, count, t);
    cone_signals<2>(pq, light, count, p);
    for (std::size_t x = 0; x < count; ++x) {
        const Itp colour = itp_of_cones(i[x], t[x], p[x]);
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
