#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool_process.h"

/// The installed ffmpeg makes the media files. A test that needs them starts with VMAF_NEED_FFMPEG.
namespace vmaf::test {

bool has_ffmpeg();
/// Whether the installed ffmpeg has an encoder of that name.
bool has_encoder(const std::string &name);

/// A directory in which ffmpeg runs.
class Studio {
  public:
    const std::filesystem::path &directory() const { return directory_.path(); }
    std::filesystem::path path(const std::string &name) const { return directory_.path() / name; }

    /// Runs the command in the directory. Fails the test if the command fails.
    void shell(const std::string &command) const;
    /// Runs ffmpeg with these arguments, words separated by blanks. Fails the test if ffmpeg does.
    void ffmpeg(const std::string &arguments) const;
    /// Frames of 160x96, moving and textured.
    void make_source(const std::string &name, unsigned frames = 8, const std::string &pixel_format = "yuv420p",
                     const std::string &size = "160x96") const;
    std::string read(const std::string &name) const { return read_file(path(name)); }
    void write(const std::string &name, const std::string &bytes) const { write_file(path(name), bytes); }

  private:
    TemporaryDirectory directory_;
};

} // namespace vmaf::test

#define VMAF_NEED_FFMPEG()                                                                                             \
    if (!vmaf::test::has_ffmpeg())                                                                                     \
    GTEST_SKIP() << "no ffmpeg is installed"
