#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace vmaf::test {

/// While it lives, what the process writes to stderr comes here: line by line, and without a system
/// call for each. (What goes to the descriptor itself, a sanitizer's report say, still reaches the
/// terminal.)
class ErrorLines {
  public:
    ErrorLines();
    ~ErrorLines();
    ErrorLines(const ErrorLines &) = delete;
    ErrorLines &operator=(const ErrorLines &) = delete;

    /// The lines since the last call, without colours.
    std::vector<std::string> take();

  private:
    static ssize_t write(void *self, const char *text, size_t bytes);

    std::FILE *before_;
    std::FILE *instead_;
    std::mutex mutex_;
    std::string text_;
};

} // namespace vmaf::test
