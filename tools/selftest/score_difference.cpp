#include "selftest/score_difference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "common/format.h"

namespace vmaf::tool {
namespace {

bool agree(double device, double cpu, double tolerance)
{
    if (std::bit_cast<std::uint64_t>(device) == std::bit_cast<std::uint64_t>(cpu) ||
        (std::isnan(device) && std::isnan(cpu)))
        return true;
    return tolerance > 0 && std::fabs(device - cpu) <= tolerance * std::max(1.0, std::fabs(cpu));
}

std::string in_words(const std::string &what, double device, double cpu)
{
    return formatted("{} is {:.17g} instead of {:.17g}", what, device, cpu);
}

} // namespace

std::string score_difference(const ScoreColumns &device, const ScoreColumns &cpu, double tolerance)
{
    if (device.frames != cpu.frames || device.metrics.size() != cpu.metrics.size() ||
        device.aggregates.size() != cpu.aggregates.size())
        return "there are other frames or columns";
    for (const ScoreColumn &expected : cpu.metrics) {
        const ScoreColumn *const found = device.metric(expected.name);
        if (found == nullptr)
            return formatted("there is no {}", expected.name);
        for (std::size_t i = 0; i < expected.scores.size(); ++i)
            if (!agree(found->scores[i], expected.scores[i], tolerance))
                return in_words(formatted("{} of frame {}", expected.name, cpu.frames[i]), found->scores[i],
                                expected.scores[i]);
    }
    for (const AggregateScore &expected : cpu.aggregates) {
        const AggregateScore *const found = device.aggregate(expected.name);
        if (found == nullptr)
            return formatted("there is no {}", expected.name);
        if (!agree(found->value, expected.value, tolerance))
            return in_words(expected.name, found->value, expected.value);
    }
    return {};
}

} // namespace vmaf::tool
