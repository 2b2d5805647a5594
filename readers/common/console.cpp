#include "common/console.h"

#include <algorithm>

namespace vmaf::tool {
namespace {

void put_on_stderr(std::string_view text)
{
    [[maybe_unused]] const bool written = write_all(STDERR_FILENO, text);
}

void (*g_sink)(std::string_view text) = put_on_stderr;

std::string as_error(const std::string &text)
{
    return formatted("{} (an error with --strict)", text);
}

} // namespace

void put(std::string_view text)
{
    g_sink(text);
}

void redirect_console(void (*sink)(std::string_view text))
{
    g_sink = sink ? sink : put_on_stderr;
}

void Warnings::warn(const std::string &text, StopReason reason)
{
    if (!frames_follow_)
        return warn_at_start(text);
    if (strict_)
        throw ScoringStopped(reason, kExitBadData, as_error(text));
    say_and_keep(text);
}

void Warnings::warn_at_start(const std::string &text)
{
    if (strict_)
        throw Failure(kExitSetup, as_error(text));
    say_and_keep(text);
}

void Warnings::add_said(const std::string &text)
{
    if (strict_)
        throw Failure(kExitSetup, as_error(text));
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(texts_, text) == texts_.end())
        texts_.push_back(text);
}

void Warnings::say_and_keep(const std::string &text)
{
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(texts_, text) != texts_.end()) // of another session
        return;
    say("warning: {}\n", text);
    texts_.push_back(text);
}

std::vector<std::string> Warnings::texts() const
{
    const std::scoped_lock lock(mutex_);
    return texts_;
}

} // namespace vmaf::tool
