#pragma once

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "common/console.h"

namespace vmaf::tool {

/// The library says what it has to say on the C library's stderr. While this lives it passes
/// through here: text that it quotes is escaped, and nothing is said twice. To be made before the
/// library's contexts and to outlive them.
class LibraryLog {
  public:
    LibraryLog();
    ~LibraryLog();
    LibraryLog(const LibraryLog &) = delete;

    /// Messages of that action, kept back. Of one thread's action only: others are kept back with
    /// them.
    template <class Action> std::vector<std::string> held(Action action)
    {
        hold();
        action();
        return release();
    }
    void show(std::string_view message);

    /// The text of a message that is a warning; empty: it is none.
    static std::optional<std::string_view> warning_of(std::string_view message);

  private:
    static ssize_t receive_from_stream(void *log, const char *text, std::size_t bytes);
    void receive(std::string_view message);
    void show_new(std::string_view message);
    void hold();
    std::vector<std::string> release();

    std::FILE *stderr_before_;
    std::mutex mutex_;
    bool holding_ = false;
    std::vector<std::string> held_;
    std::set<std::string> said_; ///< messages that were printed; limited in number
};

/// Show what the library said about features and their options, with the names that were probably
/// meant. Its warnings are warnings of ours. Throws Failure with --strict.
void show_option_messages(const std::vector<std::string> &messages, LibraryLog &log, Warnings &warnings);

} // namespace vmaf::tool
