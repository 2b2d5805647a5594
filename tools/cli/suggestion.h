#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A known name that is similar to an unknown one.
namespace vmaf::tool {

/// The nearest of the names; empty if none is near.
std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view> &names);

/// "; did you mean PREFIXname?" for the end of a message, or nothing.
std::string suggestion(std::string_view typed, const std::vector<std::string_view> &names,
                       std::string_view prefix = {});

/// Suggestions from the library's features (by name or output), from a feature's options, and from
/// the built-in models.
std::string suggested_feature(std::string_view typed);
std::string suggested_option(std::string_view feature, std::string_view typed);
std::string suggested_model(std::string_view typed);

} // namespace vmaf::tool
