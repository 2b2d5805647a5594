#include "base/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/platform.h"
#include "base/utf8.h"

namespace vmaf {
namespace {

std::atomic<LogLevel> g_level{LogLevel::info};
std::atomic<bool> g_colour{false};
thread_local bool g_failure_was_said = false;
thread_local unsigned g_silences = 0;
std::mutex g_sink_mutex; ///< held while the sink runs: one message at a time
LogSink g_sink;

struct LevelText {
    const char *name;
    int colour; // ANSI foreground, spec abi 7
};
constexpr std::array<LevelText, 5> kLevels{{{"", 0}, {"ERROR", 31}, {"WARNING", 33}, {"INFO", 32}, {"DEBUG", 34}}};

// Long enough for a path or a file's error text; what is longer is cut.
constexpr std::size_t kLineBytes = 4096;

/// A line under construction; what does not fit is left out.
class Line {
  public:
    void add(std::string_view text)
    {
        const std::size_t fitting = std::min(text.size(), room());
        std::copy_n(text.begin(), fitting, text_.begin() + length_);
        length_ += fitting;
    }

    /// Adds a message that may quote names and paths from anywhere. What is no printable character
    /// is written as \xNN, byte by byte, so that it neither commands a terminal nor looks like
    /// another line.
    void add_printable(std::string_view message)
    {
        constexpr std::string_view kDigits = "0123456789abcdef";
        while (!message.empty()) {
            const auto [code, bytes] = cut_character(message);
            const bool printable = code && !is_control(*code);
            if (bytes.size() * (printable ? 1 : 4) > room())
                return;
            if (printable) {
                add(bytes);
                continue;
            }
            for (const char c : bytes) {
                const auto byte = static_cast<unsigned char>(c);
                const char escape[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
                add({escape, sizeof escape});
            }
        }
    }

    void write()
    {
        text_[length_] = '\n';
        std::fwrite(text_.data(), 1, length_ + 1, stderr);
    }

    const char *text()
    {
        text_[length_] = '\0';
        return text_.data();
    }

  private:
    std::size_t room() const { return text_.size() - 1 - length_; } // the last byte is the newline's

    std::array<char, kLineBytes> text_;
    std::size_t length_ = 0;
};

void add_head(Line &line, LogLevel level)
{
    const LevelText &text = kLevels[static_cast<std::size_t>(level)];
    std::array<char, 64> head{};
    if (g_colour)
        std::snprintf(head.data(), head.size(), "\x1b[35mlibvmaf\x1b[0m \x1b[%dm%s\x1b[0m ", text.colour, text.name);
    else
        std::snprintf(head.data(), head.size(), "libvmaf %s ", text.name);
    line.add(head.data());
}

/// False if there is no sink.
bool give_to_sink(LogLevel level, std::string_view message)
{
    const std::scoped_lock lock(g_sink_mutex);
    if (g_sink.write == nullptr)
        return false;
    Line line;
    line.add_printable(message);
    g_sink.write(g_sink.opaque, level, line.text());
    return true;
}

void write_line(LogLevel level, const char *format, va_list args)
{
    std::array<char, kLineBytes> text{};
    std::vsnprintf(text.data(), text.size(), format, args);
    std::string_view message = text.data();
    if (message.ends_with('\n')) // other libraries' messages bring one; a line has one (spec abi 7)
        message.remove_suffix(1);
    if (give_to_sink(level, message))
        return;
    Line line;
    add_head(line, level);
    line.add_printable(message);
    line.write();
}

} // namespace

void set_log_level(LogLevel level)
{
    g_level = level;
    g_colour = stderr_is_terminal();
}

void log(LogLevel level, const char *format, ...)
{
    if (level == LogLevel::none || level > g_level || g_silences > 0)
        return;
    va_list args;
    va_start(args, format);
    write_line(level, format, args);
    va_end(args);
}

void set_log_sink(LogSink sink)
{
    const std::scoped_lock lock(g_sink_mutex);
    g_sink = sink;
}

void begin_public_call()
{
    g_failure_was_said = false;
}

LogLevel failure_level()
{
    return std::exchange(g_failure_was_said, true) ? LogLevel::debug : LogLevel::error;
}

LogSilence::LogSilence()
{
    ++g_silences;
}

LogSilence::~LogSilence()
{
    --g_silences;
}

void log_always(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(LogLevel::error, format, args);
    va_end(args);
}

} // namespace vmaf
