#include "input/open_video.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "input/media.h"
#include "input/y4m_header.h"

namespace vmaf::tool {
namespace {

bool is_y4m(InputFile &file)
{
    return file.is_open() && file.peek(kY4mMagic.size()) == kY4mMagic;
}

std::string header_line(InputFile &file)
{
    const std::string_view start = file.peek(kMaxY4mHeaderBytes);
    return std::string(start.substr(0, start.find('\n')));
}

ContainerFormat detect(InputFile &file, const InputOptions &options)
{
    if (options.raw)
        return ContainerFormat::raw;
    if (!is_y4m(file))
        return ContainerFormat::media;
    return has_media_support() && !is_known_chroma(header_line(file)) ? ContainerFormat::media : ContainerFormat::y4m;
}

/// What it is not is part of the answer.
std::unique_ptr<VideoReader> open_unknown(InputFile file, const InputOptions &options, Warnings &warnings)
{
    const std::string path = file.path();
    const std::string y4m_header = is_y4m(file) ? header_line(file) : "";
    try {
        return make_media_reader(std::move(file), options, warnings);
    } catch (const NotMedia &failure) {
        if (!y4m_header.empty())
            parse_y4m_header(y4m_header); // which says what it does not understand
        throw Failure(kExitSetup, formatted("{}: neither a Y4M file nor {}; for raw video give -w -h -p -b",
                                            printable(path), failure.what()));
    }
}

} // namespace

InputFile open_input(const std::string &path, const InputOptions &options)
{
    if (path == "-")
        return InputFile::standard_input();
    if (options.allow_network && path.find("://") != path.npos)
        return InputFile::unopened(path);
    return InputFile(path);
}

std::unique_ptr<VideoReader> open_video(InputFile file, ContainerFormat format, const InputOptions &options,
                                        Warnings &warnings)
{
    const bool is_asked_for = format != ContainerFormat::automatic;
    if (!is_asked_for)
        format = detect(file, options);
    switch (format) {
    case ContainerFormat::raw:
        return make_video_reader(std::move(file), options.raw, warnings);
    case ContainerFormat::media:
        return is_asked_for ? make_media_reader(std::move(file), options, warnings)
                            : open_unknown(std::move(file), options, warnings);
    case ContainerFormat::y4m:
    case ContainerFormat::automatic:
        break;
    }
    return make_video_reader(std::move(file), std::nullopt, warnings);
}

} // namespace vmaf::tool
