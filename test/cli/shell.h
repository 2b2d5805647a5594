#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vmaf::test {

bool has_program(const std::string &name);

/// Runs the program in that directory. @return its stdout and stderr together.
std::string printed_by(const std::filesystem::path &directory, const std::vector<std::string> &command);

/// A shell in that directory into which a person types. It is killed when this object ends.
class InteractiveShell {
  public:
    /// @param setup the first line that is typed.
    InteractiveShell(const std::filesystem::path &directory, const std::vector<std::string> &command,
                     const std::string &setup);
    ~InteractiveShell();
    InteractiveShell(const InteractiveShell &) = delete;

    /// Types and returns the output from then on, until `expected` has come or a long time is over.
    std::string type(const std::string &keys, const std::string &expected);

  private:
    int terminal_ = -1;
    int pid_ = -1;
};

} // namespace vmaf::test
