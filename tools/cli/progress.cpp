#include "cli/progress.h"

#include "common/console.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

constexpr std::chrono::milliseconds kSampleInterval{100}; ///< and of redrawing the bar
constexpr std::chrono::seconds kPlainInterval{5};
constexpr std::size_t kDefaultColumns = 80;

std::size_t columns()
{
    const std::size_t columns = terminal_columns();
    return columns > 0 ? columns : kDefaultColumns;
}

} // namespace

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
