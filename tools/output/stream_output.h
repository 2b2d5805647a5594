#pragma once

#include "common/unique_fd.h"
#include "output/output_file.h"

namespace vmaf::tool {

/// Standard output, a FIFO or a device: the library writes to memory, which is copied with every write checked.
class StreamOutput final : public OutputFile {
  public:
    StreamOutput(std::string name, UniqueFd fd) : name_(std::move(name)), fd_(std::move(fd)) {}

    void write(VmafContext *context, VmafOutputFormat format, const std::optional<Incomplete> &incomplete) override;
    const std::string &incomplete_path() const override { return name_; }

  private:
    std::string name_;
    UniqueFd fd_;
};

} // namespace vmaf::tool
