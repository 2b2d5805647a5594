#pragma once

#include "base/printf_format.h"

namespace vmaf {

enum class LogLevel { none, error, warning, info, debug };

/// Set the process-wide level (spec abi 7: the last vmaf_init wins) and look again whether stderr
/// is a terminal.
void set_log_level(LogLevel level);

/// One line on stderr, `libvmaf LEVEL message`, if the level is enabled. The format has no newline
/// at its end. Bytes of the message that are no printable UTF-8 are written as \xNN. Thread-safe; a
/// line is written in one piece.
void log(LogLevel level, const char *format, ...) VMAF_PRINTF_FORMAT(2, 3);

/// Takes messages in place of stderr: without head and newline, escaped as there.
struct LogSink {
    void (*write)(void *opaque, LogLevel level, const char *message) = nullptr; ///< null: stderr
    void *opaque = nullptr;
};

/// Process-wide. When it returns, the sink before is not running and will not run again.
void set_log_sink(LogSink sink);

/// The client's public call begins on this thread.
void begin_public_call();
/// The level for a failure in it: error for the first, debug for the others, which follow from that
/// one or have its cause.
LogLevel failure_level();

/// While it lives, log() is silent on this thread.
class LogSilence {
  public:
    LogSilence();
    ~LogSilence();
    LogSilence(const LogSilence &) = delete;
    LogSilence &operator=(const LogSilence &) = delete;
};

/// Like log(), whatever the level (spec abi 6: an output file that cannot be opened).
void log_always(const char *format, ...) VMAF_PRINTF_FORMAT(1, 2);

} // namespace vmaf
