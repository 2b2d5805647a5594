#include "scoring/library_log.h"

namespace vmaf::tool {
namespace {

/// Whom the stream's text goes to.
std::mutex g_mutex;
LibraryLog *g_log = nullptr;

} // namespace

/// glibc lets stderr be assigned to. The stream is unbuffered, so that a message, which the library
/// writes in one piece, arrives in one. Without memory for it stderr stays what it is. It is never
/// closed: a driver that was loaded meanwhile may keep the stderr that it found, and write to it
/// until the process ends.
LibraryLog::LibraryLog() : stderr_before_(stderr)
{
    static std::FILE *const stream = [] {
        std::FILE *const made = ::fopencookie(nullptr, "w", {nullptr, receive_from_stream, nullptr, nullptr});
        if (made != nullptr)
            std::setvbuf(made, nullptr, _IONBF, 0);
        return made;
    }();
    if (stream == nullptr)
        return;
    const std::scoped_lock lock(g_mutex);
    g_log = this;
    stderr = stream;
}

LibraryLog::~LibraryLog()
{
    const std::scoped_lock lock(g_mutex);
    g_log = nullptr;
    stderr = stderr_before_;
}

ssize_t LibraryLog::receive_from_stream(void *, const char *text, std::size_t bytes)
{
    const std::scoped_lock lock(g_mutex);
    if (g_log != nullptr)
        g_log->receive({text, bytes});
    else
        put({text, bytes});
    return static_cast<ssize_t>(bytes);
}

} // namespace vmaf::tool
