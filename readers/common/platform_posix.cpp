#include "common/platform.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "common/checked_io.h"
#include "common/failure.h"

namespace vmaf::tool {
namespace {

/// A video opened where stdout or stderr was closed would be written to.
void occupy_standard_descriptors()
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) != fd)
            throw Failure(kExitSetup, "could not open file: /dev/null");
}

} // namespace

void prepare_process(int &, char **&)
{
    occupy_standard_descriptors();
    for (const int signal : {SIGPIPE, SIGXFSZ}) // write errors like others
        std::signal(signal, SIG_IGN);
}

std::optional<FileStatus> status_of(const std::string &path)
{
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

std::size_t terminal_columns()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::ptrdiff_t read_some(int fd, void *data, std::size_t bytes)
{
    return ::read(fd, data, bytes);
}

std::ptrdiff_t write_some(int fd, const void *data, std::size_t bytes)
{
    return ::write(fd, data, bytes);
}

void wait_for_room(int fd)
{
    pollfd room{fd, POLLOUT, 0};
    ::poll(&room, 1, -1);
}

std::tm in_utc(std::time_t time)
{
    std::tm utc{};
    ::gmtime_r(&time, &utc);
    return utc;
}

bool set_environment(const char *name, const char *value)
{
    return ::setenv(name, value, 1) == 0;
}

bool files::random_number(std::uint64_t &number)
{
    return ::getrandom(&number, sizeof number, 0) == sizeof number;
}

int files::create(const std::string &path, unsigned mode)
{
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
}

void files::set_mode(int fd, unsigned mode)
{
    ::fchmod(fd, static_cast<mode_t>(mode));
}

bool files::move(const std::string &from, const std::string &to)
{
    return ::rename(from.c_str(), to.c_str()) == 0;
}

void files::remove(const std::string &path)
{
    ::unlink(path.c_str());
}

} // namespace vmaf::tool
