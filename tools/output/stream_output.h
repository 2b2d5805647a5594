#pragma once

#include "common/checked_io.h"
#include "output/output_file.h"

namespace vmaf::tool {

/// Standard output, a FIFO or a device.
class StreamOutput final : public OutputFile {
  public:
    StreamOutput(std::string name, UniqueFd fd) : name_(std::move(name)), fd_(std::move(fd)) {}

    void write(std::string_view text) override;
    std::string write_incomplete(std::string_view text) override;
    void abandon() override {}

  private:
    std::string name_;
    UniqueFd fd_;
};

} // namespace vmaf::tool
