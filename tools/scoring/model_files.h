#pragma once

#include <map>
#include <string>

#include "common/checked_io.h"

namespace vmaf::tool {

/// The library reads a model's file twice, once as a model and once as a collection. What can be
/// read only once, a FIFO or a shell's <(command), is read once here.
class ModelFiles {
  public:
    /// A path under which the file can be read again and again while this lives: its own, or that
    /// of a copy in memory. Waits for the writer of a FIFO. Throws Failure.
    std::string repeatable_path(const std::string &path);

  private:
    std::map<std::string, UniqueFd> copies_;
};

} // namespace vmaf::tool
