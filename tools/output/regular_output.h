#pragma once

#include <optional>

#include "common/file_status.h"
#include "output/output_file.h"
#include "output/unfinished_file.h"

namespace vmaf::tool {

/// A regular file. Nothing on disk changes before there is a text to write; that takes its place complete, so that PATH is
/// never a part of a score file. What an incomplete run has goes to PATH.partial.
class RegularOutput final : public OutputFile {
  public:
    static std::string partial_path_of(const std::string &path) { return path + ".partial"; }

    /// @param name what messages call it. @param path no symbolic link. Throws Failure if it could not be written.
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
    std::optional<unsigned> mode_; ///< of the file that is replaced
    UnfinishedFile file_;
};

#ifndef _WIN32
/// Whether a user may put another file in this one's place: in a directory like /tmp only its owner may.
bool may_replace(const struct stat &file, const struct stat &directory, unsigned user);
#endif

} // namespace vmaf::tool
