#include "shell.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace vmaf::test {
namespace {

constexpr std::chrono::seconds kPatience{30};

[[noreturn]] void become(const std::filesystem::path &directory, const std::vector<std::string> &command)
{
    std::vector<char *> arguments;
    for (const std::string &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    ::setenv("TERM", "dumb", 1);
    ::setenv("INPUTRC", "/dev/null", 1);
    ::setenv("HOME", directory.c_str(), 1);
    ::alarm(2 * kPatience.count());
    if (::chdir(directory.c_str()) == 0)
        ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

/// False at the end of the input.
bool read_more(int fd, std::string &text)
{
    char block[4096];
    const ssize_t got = ::read(fd, block, sizeof block);
    if (got > 0)
        text.append(block, static_cast<std::size_t>(got));
    return got > 0;
}

} // namespace

bool has_program(const std::string &name)
{
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/" + name).c_str(), X_OK) == 0)
            return true;
    return false;
}

std::string printed_by(const std::filesystem::path &directory, const std::vector<std::string> &command)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return "no pipe";
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        become(directory, command);
    }
    ::close(ends[1]);
    std::string text;
    while (read_more(ends[0], text)) {
    }
    ::close(ends[0]);
    ::waitpid(pid, nullptr, 0);
    return text;
}

InteractiveShell::InteractiveShell(const std::filesystem::path &directory, const std::vector<std::string> &command,
                                   const std::string &setup)
{
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ == 0)
        become(directory, command);
    type(setup + "; echo rea''dy\n", "ready\r\n");
}

InteractiveShell::~InteractiveShell()
{
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(terminal_);
}

std::string InteractiveShell::type(const std::string &keys, const std::string &expected)
{
    if (::write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
        return "cannot be typed";
    std::string shown;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (shown.find(expected) == shown.npos && std::chrono::steady_clock::now() < end) {
        pollfd readable{terminal_, POLLIN, 0};
        if (::poll(&readable, 1, 100) > 0 && !read_more(terminal_, shown))
            break;
    }
    return shown;
}

} // namespace vmaf::test
