#include "input/raw_reader.h"

#include <utility>

#include "common/format.h"
#include "common/printable.h"
#include "input/raw_doubts.h"
#include "input/y4m_header.h"

namespace vmaf::tool {

/// A pipe's first bytes are waited for by the reader: here that could be for ever.
RawReader::RawReader(InputFile file, const VideoFormat &format, Warnings &warnings)
    : PlanarReader(std::move(file), {format}, {}), warnings_(warnings)
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

/// Of the first frame chroma is read for the check.
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

} // namespace vmaf::tool
