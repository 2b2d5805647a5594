#include "cli/progress.h"

#include <algorithm>

#include "common/console.h"
#include "common/format.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

using std::chrono::duration;
using std::chrono::seconds;

constexpr std::size_t kBarColumns = 18;
constexpr seconds kRateWindow{2};

std::string clock_text(seconds time)
{
    const auto s = time.count();
    return formatted("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

double done_share(const ProgressState &state)
{
    return *state.total == 0 ? 1.0
                             : std::min(1.0, static_cast<double>(state.frames) / static_cast<double>(*state.total));
}

std::string bar(double share)
{
    const auto filled = static_cast<std::size_t>(share * kBarColumns);
    std::string text(filled, '=');
    if (filled < kBarColumns)
        text += '>';
    text.resize(kBarColumns, ' ');
    return formatted(" [{}]", text);
}

constexpr std::chrono::milliseconds kSampleInterval{100}; ///< and of redrawing the bar
constexpr std::chrono::seconds kPlainInterval{5};
constexpr std::size_t kDefaultColumns = 80;

std::size_t columns()
{
    const std::size_t columns = terminal_columns();
    return columns > 0 ? columns : kDefaultColumns;
}

} // namespace

std::optional<seconds> ProgressState::eta() const
{
    if (!total || frames == 0)
        return std::nullopt;
    const std::uint64_t left = *total > frames ? *total - frames : 0;
    return std::chrono::ceil<seconds>(elapsed * (static_cast<double>(left) / static_cast<double>(frames)));
}

std::string bar_line(const ProgressState &state, std::size_t columns)
{
    const std::string count =
        state.total ? formatted("  {}/{}", state.frames, *state.total) : formatted("  {} frames", state.frames);
    const auto time = state.total ? state.eta() : std::chrono::floor<seconds>(state.elapsed);
    const std::string clock = time ? clock_text(*time) : "-:--:--";
    const std::string rate =
        state.finishing ? "  finishing" : formatted(" {:6.1f} fps  {}{}", state.fps, state.total ? "ETA " : "", clock);
    const std::string percent = state.total ? formatted(" {:3.0f}%", 100 * done_share(state)) : "";
    const std::string drawn = state.total ? bar(done_share(state)) : "";
    for (const std::string &line : {count + percent + drawn + rate, count + percent + rate})
        if (line.size() <= columns)
            return line;
    return (count + rate).substr(0, columns);
}

std::string plain_line(const ProgressState &state)
{
    const auto eta = state.eta();
    return formatted("progress frame={} total={} fps={:.1f} eta={}", state.frames, state.total.value_or(0), state.fps,
                     eta ? eta->count() : -1);
}

double FrameRate::update(Time now, std::uint64_t frames)
{
    samples_.push_back({now, frames});
    while (samples_.size() > 2 && now - samples_[1].time >= kRateWindow)
        samples_.pop_front();
    const duration<double> span = now - samples_.front().time;
    return span.count() > 0 ? static_cast<double>(frames - samples_.front().frames) / span.count() : 0.0;
}

ProgressKind choose_progress(ProgressKind asked, bool quiet, bool terminal)
{
    if (asked == ProgressKind::automatic)
        return terminal && !quiet ? ProgressKind::bar : ProgressKind::none;
    return asked == ProgressKind::bar && !terminal ? ProgressKind::plain : asked;
}

Progress::Progress(ProgressKind kind, std::optional<std::uint64_t> total)
    : kind_(kind), start_(Clock::now()), next_sample_(start_ + kSampleInterval),
      next_plain_line_(start_ + kPlainInterval), rate_(start_)
{
    state_.total = total;
}

Progress::~Progress()
{
    if (line_open_)
        say("\n");
}

void Progress::frame_read()
{
    const std::scoped_lock lock(mutex_);
    ++state_.frames;
    if (kind_ == ProgressKind::none)
        return;
    const auto now = Clock::now();
    if (now < next_sample_)
        return;
    sample(now);
    if (kind_ == ProgressKind::plain && now < next_plain_line_)
        return;
    next_plain_line_ = now + kPlainInterval;
    draw();
}

void Progress::finishing()
{
    const std::scoped_lock lock(mutex_);
    state_.finishing = true;
    if (kind_ != ProgressKind::bar)
        return;
    sample(Clock::now());
    draw();
}

void Progress::finished()
{
    const std::scoped_lock lock(mutex_);
    if (state_.total)
        state_.total = state_.frames;
    show_whole_run();
}

void Progress::stopped()
{
    const std::scoped_lock lock(mutex_);
    show_whole_run();
}

/// The frame rate is that of the whole run.
void Progress::show_whole_run()
{
    if (kind_ != ProgressKind::bar)
        return;
    state_.finishing = false;
    state_.elapsed = Clock::now() - start_;
    state_.fps = static_cast<double>(state_.frames) / state_.elapsed.count();
    draw();
}

void Progress::sample(Clock::time_point now)
{
    state_.elapsed = now - start_;
    state_.fps = rate_.update(now, state_.frames);
    next_sample_ = now + kSampleInterval;
}

void Progress::draw()
{
    if (kind_ == ProgressKind::plain) {
        say("{}\n", plain_line(state_));
        return;
    }
    put(formatted("\r{}\x1b[K", bar_line(state_, columns() - 1)));
    line_open_ = true;
}

} // namespace vmaf::tool
