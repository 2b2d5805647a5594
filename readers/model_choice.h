#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What the videos say about models and features, for whoever chooses them.
namespace vmaf::tool {

/// The version that is chosen by picture height (spec cli 10.5).
constexpr std::string_view kAutoVersion = "auto";

/// The built-in model that "auto" is for that height.
std::string version_for_height(unsigned height_px);

/// That a built-in model is made for pictures of another height, with the cure; empty: it is not, or nobody knows.
std::optional<std::string> doubt_about_height(const std::string &version, unsigned height_px);

/// The option with which a luma feature, float_motion, reads chroma too.
constexpr std::string_view kChromaOption = "motion_add_uv";

/// Whether nothing but luma is read, unless that option is given.
bool feature_reads_luma_alone(std::string_view name);
bool model_reads_luma_alone(std::string_view version);

} // namespace vmaf::tool
