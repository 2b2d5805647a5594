#pragma once

#include <string>
#include <string_view>

#include "report/report_data.h"

/// Meanings of scores in words (spec cli 10.7).
namespace vmaf::tool {

/// A model's score in the words of viewers' votes; empty: they are not known of the model.
std::string meaning(std::string_view label, double score);

/// What the models and features of a report are for and how their scores are read, with the
/// sources, as paragraphs; empty: nothing is known.
std::string meanings_html(const ReportData &data);

} // namespace vmaf::tool
