#pragma once

#include "common/unique_fd.h"
#include "output/output_file.h"

namespace vmaf::tool {

/// A regular file: written beside its place and renamed when complete, so that PATH is never a part of a score file.
class RegularOutput final : public OutputFile {
  public:
    static std::string partial_path_of(const std::string &path) { return path + ".partial"; }

    /// Throws Failure if the file could not be written.
    explicit RegularOutput(std::string path);
    ~RegularOutput() override;
    RegularOutput(const RegularOutput &) = delete;

    void write(std::string_view text) override;
    std::string write_incomplete(std::string_view text) override;

  private:
    std::string path_;
    std::string partial_path_;
    UniqueFd partial_;
    bool partial_is_wanted_ = false;
};

} // namespace vmaf::tool
