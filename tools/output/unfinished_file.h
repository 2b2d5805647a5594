#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "common/unique_fd.h"

namespace vmaf::tool {

/// A new file under a name that nobody has, until it takes its place. It is gone with this object unless it got there.
/// Calls that fail say false and leave errno.
class UnfinishedFile {
  public:
    UnfinishedFile() = default;
    ~UnfinishedFile() { abandon(); }
    UnfinishedFile(const UnfinishedFile &) = delete;

    /// @param mode empty: as new files have it.
    bool create(const std::string &directory, std::optional<unsigned> mode);
    bool write(std::string_view text);
    /// Replaces what is there, a link itself and not what it leads to.
    bool move_to(const std::string &path);
    /// Remove it, and make none any more. From any thread.
    void abandon();

  private:
    bool create_named(const std::string &path, unsigned mode);

    std::mutex mutex_;
    bool abandoned_ = false;
    std::string path_; ///< empty: there is none
    UniqueFd fd_;
};

} // namespace vmaf::tool
