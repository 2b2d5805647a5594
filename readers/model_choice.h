#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// What the videos say about models and features, for whoever chooses them.
namespace vmaf::tool {

/// The version that is chosen by picture height (spec cli 10.5).
constexpr std::string_view kAutoVersion = "auto";

/// The built-in model that "auto" is for that height.
std::string version_for_height(unsigned height_px);

/// That a built-in model is made for pictures of another height, with the cure; empty: it is not, or nobody knows.
std::optional<std::string> doubt_about_height(const std::string &version, unsigned height_px);

/// Name and value.
using OptionText = std::pair<std::string, std::string>;

/// Whether a feature may read chroma with these options, of which the last of a name counts. One that is not known may.
bool feature_reads_chroma(std::string_view name, std::span<const OptionText> options = {});
/// Whether a model without overloads may. One that is not built in may.
bool model_reads_chroma(std::string_view version);

} // namespace vmaf::tool
