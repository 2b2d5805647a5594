#include "scoring/library_log.h"

namespace vmaf::tool {

/// glibc lets stderr be assigned to. The stream is unbuffered, so that a message, which the library
/// writes in one piece, arrives in one. Without memory for it stderr stays what it is.
LibraryLog::LibraryLog()
    : stderr_before_(stderr), stream_(::fopencookie(this, "w", {nullptr, receive_from_stream, nullptr, nullptr}))
{
    if (!stream_)
        return;
    std::setvbuf(stream_, nullptr, _IONBF, 0);
    stderr = stream_;
}

LibraryLog::~LibraryLog()
{
    stderr = stderr_before_;
    if (stream_)
        std::fclose(stream_);
}

ssize_t LibraryLog::receive_from_stream(void *log, const char *text, std::size_t bytes)
{
    static_cast<LibraryLog *>(log)->receive({text, bytes});
    return static_cast<ssize_t>(bytes);
}

} // namespace vmaf::tool
