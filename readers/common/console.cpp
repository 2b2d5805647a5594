#include "common/console.h"

#include <algorithm>

namespace vmaf::tool {
namespace {

void put_on_stderr(std::string_view text)
{
    [[maybe_unused]] const bool written = write_all(STDERR_FILENO, text);
}

void (*g_sink)(std::string_view text) = put_on_stderr;
std::atomic<unsigned> g_messages = 0;

std::string as_error(const std::string &text)
{
    return formatted("{} (an error with --strict)", text);
}

} // namespace

void put(std::string_view text)
{
    ++g_messages;
    g_sink(text);
}

void redirect_console(void (*sink)(std::string_view text))
{
    g_sink = sink ? sink : put_on_stderr;
}

void Warnings::warn(const std::string &text, StopReason reason)
{
    if (!all_->frames_follow)
        return warn_at_start(text);
    if (all_->strict)
        throw ScoringStopped(reason, kExitBadData, as_error(text));
    if (keep(text))
        say_warning(text);
}

void Warnings::warn_at_start(const std::string &text)
{
    if (all_->strict)
        throw Failure(kExitSetup, as_error(text));
    if (keep(text))
        say_warning(text);
}

void Warnings::add_said(const std::string &text)
{
    if (all_->strict)
        throw Failure(kExitSetup, as_error(text));
    if (!keep(text))
        return;
    const std::scoped_lock lock(all_->mutex);
    all_->last_message = g_messages + 1;
}

void Warnings::note(const std::string &text)
{
    const std::scoped_lock lock(all_->mutex);
    if (all_->notes.insert(text).second)
        say("{}\n", text);
}

void Warnings::say_warning(const std::string &text)
{
    say("warning: {}\n", text);
    const std::scoped_lock lock(all_->mutex);
    all_->last_message = g_messages;
}

void Warnings::repeat_if_buried() const
{
    if (all_->last_message == g_messages)
        return;
    for (const Said &one : all_->said)
        say("warning (repeated): {}\n", one.text);
}

/// @return whether nobody has said it yet.
bool Warnings::keep(const std::string &text)
{
    const std::scoped_lock lock(all_->mutex);
    std::vector<Said> &said = all_->said;
    const auto is_same = [&](const Said &one) { return one.text == text; };
    const bool is_new = std::ranges::none_of(said, is_same);
    if (std::ranges::none_of(said, [&](const Said &one) { return is_same(one) && is_mine(one); }))
        said.push_back({text, owner_});
    return is_new;
}

std::vector<std::string> Warnings::texts() const
{
    const std::scoped_lock lock(all_->mutex);
    std::vector<std::string> texts;
    for (const Said &one : all_->said)
        if (is_mine(one) && std::ranges::find(texts, one.text) == texts.end())
            texts.push_back(one.text);
    return texts;
}

} // namespace vmaf::tool
