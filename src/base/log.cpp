#include "base/log.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>

namespace vmaf {
namespace {

std::atomic<LogLevel> g_level{LogLevel::info};
std::atomic<bool> g_colour{false};

struct LevelText {
    const char *name;
    int colour; // ANSI foreground, spec abi 7
};
constexpr std::array<LevelText, 5> kLevels{{{"", 0}, {"ERROR", 31}, {"WARNING", 33}, {"INFO", 32}, {"DEBUG", 34}}};

// Long enough for a path or a file's error text; what is longer is cut.
constexpr std::size_t kLineBytes = 4096;

void write_line(LogLevel level, const char *format, va_list args)
{
    std::array<char, kLineBytes> line{};
    const LevelText &text = kLevels[static_cast<std::size_t>(level)];
    const int head = g_colour ? std::snprintf(line.data(), line.size(), "\x1b[35mlibvmaf\x1b[0m \x1b[%dm%s\x1b[0m ",
                                              text.colour, text.name)
                              : std::snprintf(line.data(), line.size(), "libvmaf %s ", text.name);
    const std::size_t start = static_cast<std::size_t>(head);
    const int body = std::vsnprintf(line.data() + start, line.size() - start - 1, format, args);
    std::size_t length = start + (body > 0 ? static_cast<std::size_t>(body) : 0);
    if (length > line.size() - 2)
        length = line.size() - 2;
    if (line[length - 1] == '\n') // other libraries' messages bring one; a line has one (spec abi 7)
        --length;
    line[length] = '\n';
    std::fwrite(line.data(), 1, length + 1, stderr);
}

} // namespace

void set_log_level(LogLevel level)
{
    g_level = level;
    g_colour = isatty(STDERR_FILENO) == 1;
}

void log(LogLevel level, const char *format, ...)
{
    if (level == LogLevel::none || level > g_level)
        return;
    va_list args;
    va_start(args, format);
    write_line(level, format, args);
    va_end(args);
}

void log_always(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(LogLevel::error, format, args);
    va_end(args);
}

} // namespace vmaf
