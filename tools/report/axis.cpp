#include "report/axis.h"

namespace vmaf::tool {

std::vector<double> marks(const Axis &axis, double count)
{
    std::vector<double> result;
    if (axis.is_logarithmic) {
        for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
            for (const double factor : {1, 2, 5})
                if (factor * power >= axis.low && factor * power <= axis.high)
                    result.push_back(factor * power);
        return result;
    }
    const double rough = (axis.high - axis.low) / count;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
    for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i)
        result.push_back(i * step);
    return result;
}

} // namespace vmaf::tool
