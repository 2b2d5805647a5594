#include "model/transform.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace vmaf {
namespace {

double polynomial(const ScoreTransform &transform, double in)
{
    if (!transform.p0 && !transform.p1 && !transform.p2)
        return in;
    double out = 0;
    if (transform.p0)
        out = out + *transform.p0;
    if (transform.p1)
        out = out + *transform.p1 * in;
    if (transform.p2)
        out = out + (*transform.p2 * in) * in;
    return out;
}

double on_line(const Knot &from, const Knot &to, double x)
{
    if (from.y == to.y)
        return from.y;
    if (from.x == 0) {
        const double slope = (to.y - from.y) / to.x;
        return slope * x + from.y;
    }
    const double slope = (to.y - from.y) / (to.x - from.x);
    const double offset = from.y - from.x * slope;
    return slope * x + offset;
}

// The outer segments go on for ever; a shared knot belongs to the later segment.
double piecewise_linear(std::span<const Knot> knots, double x)
{
    if (std::isnan(x))
        return 0;
    std::size_t first = 0;
    while (first + 2 < knots.size() && x >= knots[first + 1].x)
        ++first;
    return on_line(knots[first], knots[first + 1], x);
}

} // namespace

double ScoreTransform::apply(double score) const
{
    double out = polynomial(*this, score);
    if (knots.size() >= 2)
        out = piecewise_linear(knots, out);
    if (out_lte_in)
        out = out > score ? score : out;
    if (out_gte_in)
        out = out < score ? score : out;
    return out;
}

double ClipRange::apply(double score) const
{
    const double raised = score < min ? min : score;
    return raised > max ? max : raised;
}

} // namespace vmaf
