#include "tool_process.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace vmaf::test {
namespace {

/// Ends a run that hangs. The slowest run is a self-test on a software Vulkan driver. It takes 35 s
/// alone and 70 s on a busy machine.
constexpr unsigned kTimeLimitSeconds = 300;
constexpr const char *kStdoutName = ".stdout";
constexpr const char *kStderrName = ".stderr";

int open_capture(const char *name)
{
    return ::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

int unread_pipe()
{
    int ends[2] = {-1, -1};
    if (::pipe(ends) == 0)
        ::close(ends[0]);
    return ends[1];
}

int open_stdin(const ToolSetting &setting)
{
    int ends[2] = {-1, -1};
    if (setting.input.empty() || ::pipe(ends) != 0)
        return ::open("/dev/null", O_RDONLY);
    const ssize_t written = ::write(ends[1], setting.input.data(), setting.input.size());
    ::close(ends[1]);
    return written == static_cast<ssize_t>(setting.input.size()) ? ends[0] : -1;
}

/// A write to it never ends, because the tool itself keeps the reading end.
int full_pipe()
{
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0)
        return -1;
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const std::string block(4096, ' ');
    while (::write(ends[1], block.data(), block.size()) > 0) {
    }
    ::fcntl(ends[1], F_SETFL, 0);
    return ends[1];
}

int open_stderr(const ToolSetting &setting, int terminal)
{
    if (setting.stuck_stderr)
        return full_pipe();
    return setting.terminal ? terminal : open_capture(kStderrName);
}

int open_stdout(const ToolSetting &setting)
{
    if (setting.closed_stdout)
        return unread_pipe();
    return setting.full_stdout ? ::open("/dev/full", O_WRONLY) : open_capture(kStdoutName);
}

/// Runs in the child. The test's own signals and descriptors must not leak into the tool.
[[noreturn]] void become_tool(const std::filesystem::path &directory, std::vector<char *> arguments,
                              const ToolSetting &setting, int terminal)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGXFSZ})
        std::signal(signal, signal == setting.ignored_signal ? SIG_IGN : SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::alarm(kTimeLimitSeconds);
    if (setting.file_size_limit >= 0) {
        const rlimit limit{static_cast<rlim_t>(setting.file_size_limit), static_cast<rlim_t>(setting.file_size_limit)};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (::chdir(directory.c_str()) != 0)
        ::_exit(126);
    ::dup2(open_stdin(setting), STDIN_FILENO);
    ::dup2(open_stdout(setting), STDOUT_FILENO);
    ::dup2(open_stderr(setting, terminal), STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

std::string read_terminal(int terminal)
{
    std::string text;
    char block[4096];
    for (ssize_t got = 0; (got = ::read(terminal, block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(got));
    return text;
}

/// The state letter of /proc/PID/task/TID/stat, after the name in parentheses.
bool sleeps(const std::filesystem::path &task)
{
    const std::string stat = read_file(task / "stat");
    const std::size_t name_end = stat.rfind(')');
    return name_end != stat.npos && stat.substr(name_end + 2, 1) == "S";
}

bool all_tasks_sleep(pid_t pid)
{
    const std::filesystem::path tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto &task : std::filesystem::directory_iterator(tasks))
        if (!sleeps(task.path()))
            return false;
    return true;
}

} // namespace

bool has_pseudo_terminals()
{
    int master = -1, slave = -1;
    if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0)
        return false;
    ::close(master);
    ::close(slave);
    return true;
}

ToolProcess::ToolProcess(const std::filesystem::path &directory, const std::vector<std::string> &arguments,
                         const ToolSetting &setting)
    : directory_(directory)
{
    const char *const tool = std::getenv("VMAF_TOOL");
    if (!tool)
        throw std::runtime_error("VMAF_TOOL does not name the vmaf command");
    std::vector<std::string> texts{tool};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string &text : texts)
        argv.push_back(text.data());
    argv.push_back(nullptr);
    int slave = -1;
    if (setting.terminal && ::openpty(&terminal_, &slave, nullptr, nullptr, nullptr) != 0)
        throw std::runtime_error("no pseudo terminal");
    pid_ = ::fork();
    if (pid_ == 0)
        become_tool(directory, argv, setting, slave);
    if (slave >= 0)
        ::close(slave);
}

ToolProcess::~ToolProcess()
{
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    if (terminal_ >= 0)
        ::close(terminal_);
}

void ToolProcess::send(int signal) const
{
    ::kill(pid_, signal);
}

void ToolProcess::wait_until_idle() const
{
    constexpr int kChecksInARow = 40;
    for (int idle = 0; idle < kChecksInARow; idle = all_tasks_sleep(pid_) ? idle + 1 : 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

ToolResult ToolProcess::wait()
{
    ToolResult result;
    if (terminal_ >= 0)
        result.err = read_terminal(terminal_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    if (WIFEXITED(status))
        result.exit_code = WEXITSTATUS(status);
    else
        result.signal = WTERMSIG(status);
    result.out = read_file(directory_ / kStdoutName);
    if (terminal_ < 0)
        result.err = read_file(directory_ / kStderrName);
    return result;
}

std::string read_file(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

TemporaryDirectory::TemporaryDirectory()
{
    std::string name = std::filesystem::temp_directory_path() / "vmaf_cli_XXXXXX";
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("no temporary directory");
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace vmaf::test
