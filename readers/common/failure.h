#pragma once

#include <stdexcept>
#include <string>

namespace vmaf::tool {

/// spec cli 7, besides an engine error's own code.
constexpr int kExitUsage = 1;
constexpr int kExitUnmet = 3;
constexpr int kExitBadData = 234;
constexpr int kExitSetup = 255;

/// The exit code for a negative errno of the library: modulo 256.
constexpr int exit_code_of(int library_error)
{
    return static_cast<int>(static_cast<unsigned>(library_error) & 0xffU);
}

/// A reason to end the program: thrown where it is found, printed once by main.
class Failure : public std::runtime_error {
  public:
    Failure(int exit_code, const std::string &text) : std::runtime_error(text), exit_code_(exit_code) {}
    int exit_code() const { return exit_code_; }

  private:
    int exit_code_;
};

/// A command line that makes no sense: the reason is followed by a hint at the help.
class UsageError : public Failure {
  public:
    explicit UsageError(const std::string &text) : Failure(kExitUsage, text) {}
};

/// Why scoring ended before its time (spec cli 10.4).
enum class StopReason { interrupted, truncated_input, decode_error, engine_error };

constexpr const char *reason_text(StopReason reason)
{
    switch (reason) {
    case StopReason::interrupted:
        return "interrupted";
    case StopReason::truncated_input:
        return "truncated input";
    case StopReason::decode_error:
        return "decode error";
    case StopReason::engine_error:
        break;
    }
    return "engine error";
}

/// A failure in the middle of the videos: the frames before it are still scored and written.
class ScoringStopped : public Failure {
  public:
    ScoringStopped(StopReason reason, int exit_code, const std::string &text)
        : Failure(exit_code, text), reason_(reason)
    {
    }
    StopReason reason() const { return reason_; }

  private:
    StopReason reason_;
};

} // namespace vmaf::tool
