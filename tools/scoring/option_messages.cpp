#include "scoring/option_messages.h"

#include <optional>
#include <string_view>

#include "cli/suggestion.h"
#include "common/printable.h"

namespace vmaf::tool {
namespace {

/// What stands between the two, if the text has both.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t begin = text.find(before);
    const std::size_t end = text.rfind(after);
    if (begin == text.npos || end == text.npos || end < begin + before.size())
        return std::nullopt;
    return text.substr(begin + before.size(), end - begin - before.size());
}

/// The library's messages of names that it does not know (spec abi 5.2, models 4).
std::string suggestion_for(std::string_view warning)
{
    constexpr std::string_view kNoOption = " has no option ";
    if (const auto option = between(warning, kNoOption, ": ignored"))
        return suggested_option(warning.substr(0, warning.find(kNoOption)), *option);
    if (const auto feature = between(warning, " uses no feature ", ": the options for it are ignored"))
        return suggested_feature(*feature);
    return {};
}

} // namespace

void show_option_messages(const std::vector<std::string> &messages, LibraryLog &log, Warnings &warnings)
{
    for (const std::string &message : messages) {
        const auto warning = LibraryLog::warning_of(message);
        if (!warning) {
            log.show(message);
            continue;
        }
        const std::string meant = suggestion_for(*warning);
        warnings.add_said(printable(*warning) + meant);
        log.show(message.substr(0, message.find_last_not_of('\n') + 1) + meant);
    }
}

} // namespace vmaf::tool
