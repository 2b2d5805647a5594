#include "feature/speed/speed_eigenvalues.h"

#include <cmath>

// Every operation is rounded by itself, in the order of spec speed 3.6: the scores hang on the last
// bit.

namespace vmaf {
namespace {

// Clears the elements lo .. hi-1 of the subdiagonal that are too small to matter.
void chop(const float *d, float *e, unsigned lo, unsigned hi)
{
    for (unsigned i = lo; i < hi; ++i)
        if (std::abs(e[i]) < kSpeedNegligible * (std::abs(d[i]) + std::abs(d[i + 1])))
            e[i] = 0;
}

/// The shift of step 1 and 2: an eigenvalue of the last 2x2 block.
float shift(const float *d, const float *e, unsigned n)
{
    const float tb = d[n - 1], t = e[n - 2];
    const float dt = (d[n - 2] - tb) / 2;
    const float hyp = std::sqrt(dt * dt + t * t);
    const float mu = dt > 0 ? tb - t * (t / (dt + hyp)) : dt == 0 ? tb - std::abs(t) : tb + t * (t / (hyp - dt));
    return kSpeedNegligible * std::abs(mu) > std::abs(d[0]) + std::abs(e[0]) ? 0 : mu;
}

struct Rotation {
    float c, s;
};

float inverse_length(float g)
{
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(1 + g * g)));
}

Rotation rotation(float x, float z)
{
    if (z == 0)
        return {1, 0};
    if (std::abs(z) > std::abs(x)) {
        const float g = -x / z, s = inverse_length(g);
        return {s * g, s};
    }
    const float g = -z / x, c = inverse_length(g);
    return {c, c * g};
}

/// Steps 1 to 5 on a block of n >= 2 diagonal elements.
void sweep(float *d, float *e, unsigned n)
{
    float x = d[0] - shift(d, e, n), z = e[0];
    float bk = 0, zk = 0, p = d[0], q = e[0], r = d[1], u = n > 2 ? e[1] : 0;
    for (unsigned k = 0; k + 1 < n; ++k) {
        const auto [c, s] = rotation(x, z);
        const float b1 = c * bk - s * zk;
        const float p1 = c * (c * p - s * q) + s * (s * r - c * q);
        const float q1 = c * (s * p + c * q) - s * (s * q + c * r);
        const float r1 = s * (s * p + c * q) + c * (s * q + c * r);
        d[k] = p1;
        if (k > 0)
            e[k - 1] = b1;
        bk = q1;
        zk = -s * u;
        p = r1;
        q = c * u;
        if (k + 2 < n) {
            r = d[k + 2];
            e[k + 1] = q;
        }
        if (k + 3 < n)
            u = e[k + 2];
        x = bk;
        z = zk;
    }
    d[n - 1] = p;
    e[n - 2] = bk;
}

} // namespace

bool iterate_to_eigenvalues(SpeedVector &diagonal, SpeedVector &subdiagonal)
{
    float *d = diagonal.data(), *e = subdiagonal.data();
    unsigned last = kSpeedDimension - 1, steps = 0;
    chop(d, e, 0, last);
    while (last > 0 && steps < kSpeedMaxSteps) {
        if (e[last - 1] == 0) {
            --last;
            continue;
        }
        unsigned first = last - 1;
        while (first > 0 && e[first - 1] != 0)
            --first;
        sweep(d + first, e + first, last - first + 1);
        chop(d, e, first, last);
        ++steps;
    }
    return steps < kSpeedMaxSteps;
}

} // namespace vmaf
