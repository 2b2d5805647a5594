#include "common/checked_io.h"

#include <cerrno>
#include <cstring>

#include "common/format.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kBlockBytes = 1 << 16;

} // namespace

std::string could_not_open(const std::string &path)
{
    return formatted("could not open file: {} ({})", printable(path), std::strerror(errno));
}

std::string cannot_write(const std::string &path)
{
    return formatted("cannot write {} ({})", printable(path), std::strerror(errno));
}

bool read_all(int fd, std::string &text, std::size_t limit_bytes)
{
    text.clear();
    for (;;) {
        const std::size_t done = text.size();
        text.resize(done + kBlockBytes);
        const std::ptrdiff_t got = read_some(fd, text.data() + done, kBlockBytes);
        text.resize(done + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0 || text.size() >= limit_bytes)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
    }
}

bool write_all(int fd, std::string_view text)
{
    while (!text.empty()) {
        const std::ptrdiff_t written = write_some(fd, text.data(), text.size());
        if (written < 0 && errno == EAGAIN)
            wait_for_room(fd);
        else if (written < 0 && errno != EINTR)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written > 0 ? written : 0));
    }
    return true;
}

} // namespace vmaf::tool
