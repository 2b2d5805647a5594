#pragma once

#include <string>
#include <utility>

#include "base/printf_format.h"
#include "base/result.h"

namespace vmaf {

/// A model file being loaded: its text, and the one line that says why it cannot be.
class ModelFile {
  public:
    explicit ModelFile(std::string path) : path_(std::move(path)) {}

    /// The whole file; fails if it cannot be read or is larger than 64 MiB.
    Result<std::string> read() const;

    /// Logs the reason with the path; -EINVAL.
    Status fail(const char *format, ...) const VMAF_PRINTF_FORMAT(2, 3);

  private:
    std::string path_;
};

} // namespace vmaf
