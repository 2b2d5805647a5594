#include "scoring/library_log.h"

#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/suggestion.h"
#include "common/console.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kMaxRemembered = 256;

/// The part that the library colours on a terminal (spec abi 7); 0: it has not.
std::size_t coloured_head_bytes(std::string_view message)
{
    constexpr std::string_view kName = "\x1b[35mlibvmaf\x1b[0m ";
    constexpr std::string_view kAfterLevel = "\x1b[0m ";
    const std::size_t end = message.starts_with(kName) ? message.find(kAfterLevel, kName.size()) : message.npos;
    return end == message.npos ? 0 : end + kAfterLevel.size();
}

/// The text between the two, if both occur.
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

void LibraryLog::receive(std::string_view message)
{
    try {
        const std::scoped_lock lock(mutex_);
        if (holding_)
            held_.emplace_back(message);
        else
            show_new(message);
    } catch (const std::bad_alloc &) {
        // Called from C: there is a message less, and memory will be missed elsewhere too.
    }
}

std::optional<std::string_view> LibraryLog::warning_of(std::string_view message)
{
    constexpr std::string_view kLevel = "WARNING";
    const std::size_t coloured = coloured_head_bytes(message);
    const std::string_view head = coloured > 0 ? message.substr(0, coloured) : message.substr(0, message.find(kLevel));
    if (coloured > 0 ? head.find(kLevel) == head.npos : head != "libvmaf ")
        return std::nullopt;
    message.remove_prefix(coloured > 0 ? coloured : head.size() + kLevel.size() + 1);
    return message.substr(0, message.find_last_not_of('\n') + 1);
}

void LibraryLog::show(std::string_view message)
{
    const std::scoped_lock lock(mutex_);
    show_new(message);
}

void LibraryLog::show_new(std::string_view message)
{
    if (message.ends_with('\n'))
        message.remove_suffix(1);
    const std::size_t head = coloured_head_bytes(message);
    const std::string shown = std::string(message.substr(0, head)) + printable(message.substr(head)) + "\n";
    if (said_.contains(shown))
        return;
    put(shown);
    if (said_.size() < kMaxRemembered)
        said_.insert(shown);
}

void LibraryLog::hold()
{
    const std::scoped_lock lock(mutex_);
    holding_ = true;
}

std::vector<std::string> LibraryLog::release()
{
    const std::scoped_lock lock(mutex_);
    holding_ = false;
    return std::exchange(held_, {});
}

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
