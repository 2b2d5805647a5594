#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "libvmaf/libvmaf.h"
#include "output/incomplete_mark.h"

namespace vmaf::tool {

/// Where the score file goes, opened before scoring starts (spec cli 10.2). Destroyed unwritten, it leaves no trace.
class OutputFile {
  public:
    virtual ~OutputFile() = default;

    /// Write the context's scores, once. Throws Failure.
    virtual void write(VmafContext *context, VmafOutputFormat format, const std::optional<Incomplete> &incomplete) = 0;
    /// Where incomplete results are found after write().
    virtual const std::string &incomplete_path() const = 0;
};

/// @param path "-" is standard output. @param inputs the files being read, not to be written to. Throws Failure.
std::unique_ptr<OutputFile> open_output(const std::string &path, std::span<const struct stat> inputs);

} // namespace vmaf::tool
