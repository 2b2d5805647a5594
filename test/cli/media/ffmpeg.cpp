#include "ffmpeg.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace vmaf::test {
namespace {

bool succeeds(const std::string &command)
{
    return std::system(command.c_str()) == 0; // NOLINT: the shell's redirections are wanted
}

} // namespace

bool has_ffmpeg()
{
    static const bool kHas = succeeds("ffmpeg -version >/dev/null 2>&1");
    return kHas;
}

bool has_encoder(const std::string &name)
{
    return succeeds("ffmpeg -hide_banner -h encoder=" + name + " 2>/dev/null | grep -q '^Encoder " + name + " '");
}

void Studio::shell(const std::string &command) const
{
    EXPECT_TRUE(succeeds("cd '" + directory().string() + "' && " + command)) << command;
}

void Studio::ffmpeg(const std::string &arguments) const
{
    shell("ffmpeg -nostdin -hide_banner -loglevel error -y " + arguments + " >&2");
}

void Studio::make_source(const std::string &name, unsigned frames, const std::string &pixel_format,
                         const std::string &size) const
{
    const std::string crop = size.substr(0, size.find('x')) + ":" + size.substr(size.find('x') + 1);
    ffmpeg("-f lavfi -i testsrc2=size=320x240:rate=25,format=gbrp,crop=" + crop + ":9:7 -frames:v " +
           std::to_string(frames) + " -pix_fmt " + pixel_format + " -strict -1 " +
           (name.ends_with(".nut") ? "-c:v rawvideo " : "") + name);
}

} // namespace vmaf::test
