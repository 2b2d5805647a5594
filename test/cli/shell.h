#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vmaf::test {

bool has_program(const std::string &name);

/// What the program prints on stdout and stderr together, run in that directory.
std::string printed_by(const std::filesystem::path &directory, const std::vector<std::string> &command);

/// A shell in that directory that a person types into. It is killed if it outlives this object.
class InteractiveShell {
  public:
    /// @param setup a line that it is given first.
    InteractiveShell(const std::filesystem::path &directory, const std::vector<std::string> &command,
                     const std::string &setup);
    ~InteractiveShell();
    InteractiveShell(const InteractiveShell &) = delete;

    /// What it shows from then on, until `expected` has come or a long time is over.
    std::string type(const std::string &keys, const std::string &expected);

  private:
    int terminal_ = -1;
    int pid_ = -1;
};

} // namespace vmaf::test
