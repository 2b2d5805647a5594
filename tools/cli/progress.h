#pragma once

#include <mutex>
#include <optional>

#include "cli/options.h"
#include "cli/progress_text.h"

namespace vmaf::tool {

/// Progress on stderr while frames are scored. Thread-safe.
class Progress {
  public:
    /// @param kind bar, plain or none.
    Progress(ProgressKind kind, std::optional<std::uint64_t> total);
    /// Ends the bar's line, so that messages start on their own.
    ~Progress();
    Progress(const Progress &) = delete;

    void frame_read();
    void finishing();
    /// The bar's last state: all frames there are were read, whatever number was expected.
    void finished();
    /// The same where scoring ended before its time.
    void stopped();

  private:
    using Clock = std::chrono::steady_clock;

    void sample(Clock::time_point now);
    void draw();
    void show_whole_run();

    ProgressKind kind_;
    std::mutex mutex_; ///< of what follows
    Clock::time_point start_;
    Clock::time_point next_sample_;
    Clock::time_point next_plain_line_;
    FrameRate rate_;
    ProgressState state_;
    bool line_open_ = false;
};

/// What "auto" means here; a bar needs a terminal.
ProgressKind choose_progress(ProgressKind asked, bool quiet, bool terminal);

} // namespace vmaf::tool
