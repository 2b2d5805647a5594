#include "two_fifos.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "tool_test.h"

namespace vmaf::test {
namespace {

void put(int fd, const std::string &bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (written <= 0)
            throw std::runtime_error("the tool does not read its FIFO to the end");
        done += static_cast<std::size_t>(written);
    }
}

std::string y4m_frame(unsigned frame, bool distorted)
{
    return "FRAME\n" + frame_bytes(small_shape(), make_frame(small_shape(), frame, distorted));
}

} // namespace

TwoFifos::TwoFifos(const std::filesystem::path &directory) : directory_(directory)
{
    for (const char *name : {"ref", "dis"})
        if (::mkfifo((directory / name).c_str(), 0600) != 0)
            throw std::runtime_error("no FIFO");
}

void TwoFifos::begin(unsigned frames)
{
    ref_ = ::open((directory_ / "ref").c_str(), O_WRONLY | O_CLOEXEC);
    dis_ = ::open((directory_ / "dis").c_str(), O_WRONLY | O_CLOEXEC);
    for (const int fd : {ref_, dis_})
        put(fd, y4m_header(small_shape(), "420"));
    write_frames(0, frames);
}

void TwoFifos::close()
{
    for (int *fd : {&ref_, &dis_})
        if (*fd >= 0)
            ::close(std::exchange(*fd, -1));
}

void TwoFifos::write_frames(unsigned first, unsigned count) const
{
    for (unsigned frame = first; frame < first + count; ++frame) {
        put(ref_, y4m_frame(frame, false));
        put(dis_, y4m_frame(frame, true));
    }
}

} // namespace vmaf::test
