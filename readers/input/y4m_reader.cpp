#include "input/y4m_reader.h"

#include <array>
#include <string>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "input/y4m_header.h"

namespace vmaf::tool {
namespace {

constexpr std::string_view kFrameMagic = "FRAME";
constexpr unsigned kMaxFrameParameterBytes = 80; ///< newline included

/// Up to the newline, which is dropped. Stops early where the magic is missed: any file gives the right complaint.
std::string read_header_line(InputFile &file)
{
    std::string line;
    for (char c = 0; line.size() < kMaxY4mHeaderBytes && file.read(&c, 1) == 1; line += c) {
        if (c == '\n')
            return line;
        if (line.size() == kY4mMagic.size() && line != kY4mMagic)
            break;
    }
    if (line.starts_with(kY4mMagic))
        throw Failure(kExitSetup, formatted("Y4M header: no end within {} bytes", line.size()));
    return line;
}

} // namespace

std::unique_ptr<Y4mReader> Y4mReader::open(InputFile file, Warnings &warnings)
{
    const std::string line = read_header_line(file);
    const Y4mHeader header = parse_y4m_header(line);
    for (const std::string &note : header.notes)
        say("{}: {}\n", printable(file.path()), note);
    for (const std::string &warning : header.warnings)
        warnings.warn(formatted("{}: {}", printable(file.path()), warning));
    const Overhead overhead{line.size() + 1, kFrameMagic.size() + 1};
    return std::unique_ptr<Y4mReader>(new Y4mReader(std::move(file), header.layout, overhead, header.frame_rate));
}

PlanarReader::FrameStart Y4mReader::begin_frame()
{
    std::array<char, kFrameMagic.size() + 1> start;
    if (input().read(start.data(), start.size()) < start.size())
        return FrameStart::end_of_video;
    if (!std::string_view(start.data(), start.size()).starts_with(kFrameMagic))
        stop(StopReason::decode_error, "loss of framing: FRAME should be here");
    char last = start.back();
    for (unsigned bytes = 1; last != '\n'; ++bytes) {
        if (bytes == kMaxFrameParameterBytes)
            stop(StopReason::decode_error, "loss of framing: the frame's header does not end");
        if (input().read(&last, 1) == 0)
            stop(StopReason::truncated_input, "the file ends within the frame's header");
    }
    return FrameStart::planes_follow;
}

} // namespace vmaf::tool
