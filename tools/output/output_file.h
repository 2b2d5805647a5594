#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/checked_io.h"

namespace vmaf::tool {

/// Destination of the score file, checked or opened before scoring starts (spec cli 10.2).
/// Destroyed unwritten, it leaves no trace.
class OutputFile {
  public:
    virtual ~OutputFile() = default;

    /// Write a complete score file, once. Throws Failure.
    virtual void write(std::string_view text) = 0;
    /// Write what there is of an incomplete run; returns where it is found. Throws Failure.
    virtual std::string write_incomplete(std::string_view text) = 0;
    /// The process is about to end, whatever is being written: leave nothing unfinished. From any
    /// thread.
    virtual void abandon() = 0;
};

/// Whether what is written to one of the two paths, or to its PATH.partial, would replace the
/// other's or stand in it.
bool are_same_output(const std::string &path, const std::string &other);

/// @param path "-" is standard output. @param inputs the files being read, not to be written to.
/// Throws Failure.
std::unique_ptr<OutputFile> open_output(const std::string &path, std::span<const FileStatus> inputs);

} // namespace vmaf::tool
