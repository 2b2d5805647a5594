#include "input/planar_reader.h"

#include <array>
#include <string>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "input/open_video.h"

namespace vmaf::tool {
namespace {

constexpr std::string_view kFrameMagic = "FRAME";
constexpr unsigned kMaxFrameParameterBytes = 80; ///< newline included

/// Up to the newline, which is dropped. Stops early where the magic is missed: any file gives the
/// right complaint.
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

PlanarReader::PlanarReader(InputFile file, const FileLayout &layout, const SampleTags &samples, Overhead overhead)
    : file_(std::move(file)), layout_(layout), stored_(layout.format), map_(depth_map(layout)), overhead_(overhead)
{
    tags_.range = samples.range;
    tags_.colour.matrix = samples.matrix.value_or(h273::kUnspecified);
}

PlanarReader::PlanarReader(InputFile file, const PlanarReader &other)
    : PlanarReader(std::move(file), other.layout_, {}, other.overhead_)
{
    stored_ = other.stored_;
    tags_ = other.tags_;
    file_.skip(overhead_.file_bytes);
}

void PlanarReader::raise_depth(unsigned depth)
{
    layout_.shift += depth - layout_.format.depth;
    layout_.format.depth = depth;
    map_ = depth_map(layout_);
}

std::optional<std::uint64_t> PlanarReader::frame_count() const
{
    const auto size = file_.size_bytes();
    if (!size)
        return std::nullopt;
    if (*size < overhead_.file_bytes)
        return 0;
    return (*size - overhead_.file_bytes) / (overhead_.frame_bytes + layout_.frame_bytes());
}

void PlanarReader::stop(StopReason reason, const char *what) const
{
    throw ScoringStopped(reason, kExitBadData, formatted("{}: frame {}: {}", printable(file_.path()), frame_, what));
}

/// @param pass gets past the planes; how many of their bytes there are.
template <class Pass> bool PlanarReader::pass_frame(Pass pass)
{
    const FrameStart start = begin_frame();
    if (start == FrameStart::end_of_video)
        return false;
    const std::size_t done = pass();
    if (done == 0 && start == FrameStart::unknown)
        return false;
    if (done < layout_.frame_bytes())
        stop(StopReason::truncated_input, "the file ends within the frame");
    ++frame_;
    return true;
}

bool PlanarReader::read_frame(VmafPicture &picture)
{
    return pass_frame([&] { return read_planes(file_, layout_, map_, picture, planes_); });
}

bool PlanarReader::read_whole_frame(VmafPicture &picture)
{
    return pass_frame([&] { return read_planes(file_, layout_, map_, picture, layout_.plane_count()); });
}

bool PlanarReader::skip_frame()
{
    return pass_frame([&] { return file_.skip(layout_.frame_bytes()); });
}

/// A pipe's first bytes are waited for by the reader: here that could be for ever.
RawReader::RawReader(InputFile file, const VideoFormat &format, const SampleTags &samples, Warnings &warnings)
    : PlanarReader(std::move(file), {format, 0, false, samples.range.value_or(Range::limited)}, samples, {}),
      warnings_(warnings)
{
    const auto size = input().size_bytes();
    if (!size)
        return;
    start_checked_ = true;
    if (const auto doubt = doubt_about_start(input().peek(kY4mMagic.size())))
        warn(*doubt);
    else if (const auto other = doubt_about_size(*size, layout()))
        warn(*other);
}

void RawReader::warn(const std::string &doubt) const
{
    warnings_.warn_at_start(formatted("{}: {}", printable(file().path()), doubt));
}

PlanarReader::FrameStart RawReader::begin_frame()
{
    if (!std::exchange(start_checked_, true))
        if (const auto doubt = doubt_about_start(input().peek(kY4mMagic.size())))
            warn(*doubt);
    return FrameStart::unknown;
}

/// Reads a frame. The first frame's chroma is read in any case, for the check.
bool RawReader::read_frame(VmafPicture &picture)
{
    if (std::exchange(samples_checked_, true))
        return PlanarReader::read_frame(picture);
    if (!read_whole_frame(picture))
        return false;
    if (const auto doubt = doubt_about_samples(picture, layout()))
        warn(*doubt);
    return true;
}

std::unique_ptr<Y4mReader> Y4mReader::open(InputFile file, SampleTags samples, Warnings &warnings)
{
    const std::string line = read_header_line(file);
    Y4mHeader header = parse_y4m_header(line);
    for (const std::string &note : header.notes)
        say("{}: {}\n", printable(file.path()), note);
    for (const std::string &warning : header.warnings)
        warnings.warn(formatted("{}: {}", printable(file.path()), warning));
    if (!samples.range)
        samples.range = header.range;
    header.layout.range = samples.range.value_or(Range::limited);
    const Overhead overhead{line.size() + 1, kFrameMagic.size() + 1};
    return std::unique_ptr<Y4mReader>(new Y4mReader(std::move(file), header, samples, overhead));
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
