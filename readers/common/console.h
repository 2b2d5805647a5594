#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {

/// Write the text to stderr in one call, unchanged. Errors of stderr are ignored.
void put(std::string_view text);

/// Send every message to `sink` instead of stderr, for a program with a log of its own. Any thread
/// calls it. Set it before other threads start. Null: stderr again.
void redirect_console(void (*sink)(std::string_view text));

/// One message on stderr. Whatever it quotes, the terminal obeys nothing in it.
template <class... Args> void say(fmt::format_string<Args...> format, const Args &...arguments)
{
    put(printable_lines(formatted(format, arguments...)));
}

/// All there is to say on stdout, which is closed then. Throws Failure.
inline void print(std::string_view text)
{
    if (!write_all(STDOUT_FILENO, text) || ::close(STDOUT_FILENO) != 0)
        throw Failure(kExitSetup, cannot_write("standard output"));
}

/// Warnings are said at once and kept for reports. With --strict they are errors (spec cli 10.1).
/// Any thread may warn.
class Warnings {
  public:
    explicit Warnings(bool strict) : all_(std::make_shared<All>(strict)) {}
    /// Warnings of one encode among several. It also has all common warnings. Each text is printed
    /// once.
    Warnings of_encode() const { return {all_, ++all_->owners}; }

    /// @param text one line without "warning:", quoted names printable.
    /// @param reason why scoring then ends, if it has begun. Throws Failure or ScoringStopped with
    /// --strict.
    void warn(const std::string &text, StopReason reason = StopReason::decode_error);
    /// Warn of what is known before the first frame is scored, also from a reader that runs ahead:
    /// never a reason for partial results.
    void warn_at_start(const std::string &text);
    /// Keep what the library's log says right after this call.
    void add_said(const std::string &text);
    /// Print a note once. Notes are not kept, because they are no warnings.
    void note(const std::string &text);
    /// From now on an error leaves partial results behind.
    void frames_follow() { all_->frames_follow = true; }
    /// Say every warning once more if anything was printed after the last one (spec cli 10.1).
    void repeat_if_buried() const;
    /// All that were said, in order.
    std::vector<std::string> texts() const;

  private:
    static constexpr unsigned kCommon = 0;
    struct Said {
        std::string text;
        unsigned owner;
    };
    struct All {
        explicit All(bool is_strict) : strict(is_strict) {}

        const bool strict;
        std::atomic<bool> frames_follow = false;
        std::atomic<unsigned> owners = kCommon;
        std::mutex mutex;
        std::vector<Said> said;
        std::set<std::string> notes;
        unsigned last_message = 0; ///< number of the last one that was a warning
    };

    Warnings(std::shared_ptr<All> all, unsigned owner) : all_(std::move(all)), owner_(owner) {}
    bool is_mine(const Said &said) const { return said.owner == kCommon || said.owner == owner_; }
    bool keep(const std::string &text);
    void say_warning(const std::string &text);

    std::shared_ptr<All> all_;
    unsigned owner_ = kCommon;
};

} // namespace vmaf::tool
