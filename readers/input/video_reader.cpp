#include "input/video_reader.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/planar_reader.h"

namespace vmaf::tool {
namespace {

void check_size(const VideoFormat &format)
{
    if (format.width_px > kMaxDimensionPx || format.height_px > kMaxDimensionPx)
        throw Failure(kExitSetup, formatted("{}x{} is too large, the limit is {}", format.width_px, format.height_px,
                                            kMaxDimensionPx));
}

} // namespace

const VideoTags &VideoReader::tags() const
{
    static const VideoTags kNone;
    return kNone;
}

std::unique_ptr<VideoReader> make_video_reader(InputFile file, const std::optional<VideoFormat> &raw,
                                               Warnings &warnings, const SampleTags &samples)
{
    if (raw) {
        check_size(*raw);
        return std::make_unique<RawReader>(std::move(file), *raw, samples, warnings);
    }
    std::unique_ptr<VideoReader> reader = Y4mReader::open(std::move(file), samples, warnings);
    check_size(reader->format());
    return reader;
}

} // namespace vmaf::tool
