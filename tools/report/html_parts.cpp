#include "report/html_parts.h"

#include <algorithm>
#include <cmath>

namespace vmaf::tool {
namespace {

/// h:mm:ss.cc, without hours that are none.
std::string clock_text(double seconds)
{
    const auto hundredths = static_cast<unsigned long long>(std::llround(std::max(0.0, seconds) * 100));
    const auto minutes = hundredths / 6000;
    const std::string rest = formatted("{:02}.{:02}", hundredths / 100 % 60, hundredths % 100);
    return minutes < 60 ? formatted("{}:{}", minutes, rest)
                        : formatted("{}:{:02}:{}", minutes / 60, minutes % 60, rest);
}

} // namespace

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

const ScoreColumn *main_column(const ReportData &data, const ScoreColumns &scores)
{
    if (const ScoreColumn *column = scores.metric(data.main_metric))
        return column;
    return scores.metrics.empty() ? nullptr : &scores.metrics.front();
}

std::string Clock::at(unsigned frame) const
{
    return frames_per_second && *frames_per_second > 0 ? clock_text(frame / *frames_per_second) : "";
}

Clock clock_of(const ReportData &data, const ReportEncode &encode)
{
    return {data.reference.frames_per_second ? data.reference.frames_per_second : encode.video.frames_per_second};
}

} // namespace vmaf::tool
