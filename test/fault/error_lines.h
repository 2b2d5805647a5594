#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace vmaf::test {

/// While it lives, it collects what the process writes to stderr, line by line and without a system
/// call for each line. Writes to the descriptor itself, such as a sanitizer's report, still go to
/// the terminal.
class ErrorLines {
  public:
    ErrorLines();
    ~ErrorLines();
    ErrorLines(const ErrorLines &) = delete;
    ErrorLines &operator=(const ErrorLines &) = delete;

    /// Lines since the last call, without colours.
    std::vector<std::string> take();

  private:
    static ssize_t write(void *self, const char *text, size_t bytes);

    std::FILE *before_;
    std::FILE *instead_;
    std::mutex mutex_;
    std::string text_;
};

} // namespace vmaf::test
