#pragma once

#include <filesystem>

namespace vmaf::test {

/// Writes two FIFOs "ref" and "dis", videos of small_shape(), in turn: header, header, frame,
/// frame...
class TwoFifos {
  public:
    explicit TwoFifos(const std::filesystem::path &directory);
    ~TwoFifos() { close(); }
    TwoFifos(const TwoFifos &) = delete;

    /// Waits until both are open for reading, then writes the headers and the first frames.
    void begin(unsigned frames);
    void write_frames(unsigned first, unsigned count) const;
    void close();

  private:
    std::filesystem::path directory_;
    int ref_ = -1;
    int dis_ = -1;
};

} // namespace vmaf::test
