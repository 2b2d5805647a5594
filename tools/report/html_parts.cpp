#include "report/html_parts.h"

#include <cmath>

#include "common/format.h"
#include "report/html_text.h"

namespace vmaf::tool {

SummedColumn summed_column(const SummedEncode &encode, std::size_t metric)
{
    return {encode.encode->scores.metrics[metric], encode.pooled[metric]};
}

std::optional<SummedColumn> column_named(const SummedEncode &encode, std::string_view metric)
{
    const ScoreColumn *column = encode.encode->scores.metric(metric);
    if (!column)
        return std::nullopt;
    return summed_column(encode, static_cast<std::size_t>(column - encode.encode->scores.metrics.data()));
}

std::string number_text(double value, int decimals)
{
    if (std::isinf(value))
        return value > 0 ? "∞" : "−∞";
    return std::isnan(value) ? "–" : formatted("{:.{}f}", value, decimals);
}

std::string score_text(double value)
{
    return number_text(value, std::abs(value) >= 10 ? 2 : 4);
}

std::string bytes_text(std::uint64_t bytes)
{
    const auto size = static_cast<double>(bytes);
    return size < 1e6   ? formatted("{:.1f} kB", size / 1e3)
           : size < 1e9 ? formatted("{:.1f} MB", size / 1e6)
                        : formatted("{:.2f} GB", size / 1e9);
}

std::string swatch(std::size_t encode)
{
    return formatted(R"(<i class="swatch k{}"></i>)", encode % kColours);
}

} // namespace vmaf::tool
