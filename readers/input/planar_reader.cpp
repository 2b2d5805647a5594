#include "input/planar_reader.h"

#include <utility>

#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {

PlanarReader::PlanarReader(InputFile file, const FileLayout &layout, Overhead overhead)
    : file_(std::move(file)), layout_(layout), overhead_(overhead)
{
}

PlanarReader::PlanarReader(InputFile file, const PlanarReader &other)
    : PlanarReader(std::move(file), other.layout_, other.overhead_)
{
    file_.skip(overhead_.file_bytes);
}

void PlanarReader::raise_depth(unsigned depth)
{
    layout_.shift += depth - layout_.format.depth;
    layout_.format.depth = depth;
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
    return pass_frame([&] { return read_planes(file_, layout_, picture, planes_); });
}

bool PlanarReader::read_whole_frame(VmafPicture &picture)
{
    return pass_frame([&] { return read_planes(file_, layout_, picture, layout_.plane_count()); });
}

bool PlanarReader::skip_frame()
{
    return pass_frame([&] { return file_.skip(layout_.frame_bytes()); });
}

} // namespace vmaf::tool
