#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

/// Runs the built vmaf command as its users do.
namespace vmaf::test {

struct ToolResult {
    int exit_code = -1; ///< -1: killed by a signal
    int signal = 0;
    std::string out;
    std::string err;
};

struct ToolSetting {
    bool terminal = false;      ///< stderr is a terminal
    int ignored_signal = 0;     ///< as nohup does
    bool closed_stdout = false; ///< stdout is a pipe that nobody reads
    bool full_stdout = false;   ///< stdout is /dev/full
    std::string input = {};     ///< what a pipe on stdin delivers, less than its capacity; empty: stdin is empty
    bool stuck_stderr = false;  ///< stderr is a full pipe that nobody empties
    long file_size_limit = -1;  ///< largest size of a file in bytes; -1: no limit
};

/// False in a container without /dev/pts. Then no ToolSetting may ask for a terminal.
bool has_pseudo_terminals();

/// A running vmaf. It is killed if it takes too long, or when this object ends.
class ToolProcess {
  public:
    ToolProcess(const std::filesystem::path &directory, const std::vector<std::string> &arguments,
                const ToolSetting &setting = {});
    ~ToolProcess();
    ToolProcess(const ToolProcess &) = delete;

    pid_t pid() const { return pid_; }
    void send(int signal) const;
    /// Waits until each of its threads has slept for longer than the time between two frames.
    void wait_until_idle() const;
    /// Waits until it ends.
    ToolResult wait();

  private:
    std::filesystem::path directory_;
    pid_t pid_ = -1;
    int terminal_ = -1;
};

inline ToolResult run_tool(const std::filesystem::path &directory, const std::vector<std::string> &arguments,
                           const ToolSetting &setting = {})
{
    return ToolProcess(directory, arguments, setting).wait();
}

std::string read_file(const std::filesystem::path &path);
void write_file(const std::filesystem::path &path, const std::string &bytes);

/// An empty directory that is removed with its contents.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory &) = delete;

    const std::filesystem::path &path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace vmaf::test
