#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "common/checked_io.h"
#include "output/output_file.h"

namespace vmaf::tool {

/// A new file under a name that nobody has, until it takes its place. It is gone with this object
/// unless it got there. Calls that fail say false and leave errno.
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

/// A regular file. Nothing on disk changes before there is a text to write; that takes its place
/// complete, so that PATH is never a part of a score file. What an incomplete run has goes to
/// PATH.partial, or NAME.partial.html: browsers go by the suffix.
class RegularOutput final : public OutputFile {
  public:
    static std::string partial_path_of(const std::string &path);

    /// @param name what messages call it. @param path no symbolic link. Throws Failure if it could
    /// not be written.
    RegularOutput(std::string name, std::string path);

    void write(std::string_view text) override;
    std::string write_incomplete(std::string_view text) override;
    void abandon() override { file_.abandon(); }

  private:
    void check_existing(const FileStatus &directory);
    void check_partial(const FileStatus &directory) const;
    void write_beside(std::string_view text, const std::string &name);
    void remove_older_partial() const;

    std::string name_;
    std::string path_;
    std::string partial_path_;
    std::string directory_;
    std::optional<unsigned> mode_; ///< mode of the replaced file
    UnfinishedFile file_;
};

#ifndef _WIN32
/// Whether a user may put another file in this one's place: in a directory like /tmp only its owner
/// may.
bool may_replace(const struct stat &file, const struct stat &directory, unsigned user);
#endif

} // namespace vmaf::tool
