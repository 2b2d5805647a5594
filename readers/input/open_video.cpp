#include "input/open_video.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
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
    const std::string header = header_line(file);
    const bool needs_media =
        !is_known_chroma(header) || has_alpha_y4m(header) || (options.filters_frames() && is_interlaced_y4m(header));
    return has_media_support() && needs_media ? ContainerFormat::media : ContainerFormat::y4m;
}

/// Media files have it composed or warned of when their pictures are looked at.
void check_alpha(InputFile &file, const InputOptions &options, Warnings &warnings)
{
    if (!is_y4m(file) || !has_alpha_y4m(header_line(file)))
        return;
    const std::string path = printable(file.path());
    if (options.background && has_media_support())
        throw Failure(kExitSetup, formatted("{}: --background composes what is read as media (--ref_format, "
                                            "--dist_format)",
                                            path));
    if (options.background)
        throw Failure(kExitSetup, formatted("{}: --background: this vmaf was built without media support", path));
    warnings.warn(formatted("{}: transparency is not scored", path));
}

/// The message also says what the file is not.
std::unique_ptr<VideoReader> open_unknown(InputFile file, const SideOptions &side, const InputOptions &options,
                                          Warnings &warnings)
{
    const std::string path = file.path();
    const std::string y4m_header = is_y4m(file) ? header_line(file) : "";
    try {
        return make_media_reader(std::move(file), side, options, warnings);
    } catch (const NotMedia &failure) {
        if (!y4m_header.empty())
            parse_y4m_header(y4m_header); // which says what it does not understand
        throw Failure(kExitSetup, formatted("{}: neither a Y4M file nor {}; for raw video give -w -h -p -b",
                                            printable(path), failure.what()));
    }
}

/// Samples of two bytes, the lower one first, have their upper bits in every other byte.
constexpr unsigned kLargestUpperByte = 15; ///< of 12 bits

/// How files of video begin that are not raw.
struct Magic {
    std::size_t at;
    std::string_view text;
    const char *name;
};
constexpr Magic kMagics[] = {{0, kY4mMagic, "a Y4M file"},
                             {4, "ftyp", "an MP4 file"},
                             {0, "\x1a\x45\xdf\xa3", "a Matroska or WebM file"},
                             {0, "RIFF", "an AVI file"}};

unsigned largest_sample(unsigned depth)
{
    return (1U << depth) - 1;
}

/// The largest sample as the file holds it.
template <class Sample>
unsigned plane_maximum(const VmafPicture &picture, unsigned plane, unsigned first, unsigned step)
{
    unsigned largest = 0;
    const auto *row = static_cast<const std::byte *>(picture.data[plane]);
    for (unsigned y = 0; y < picture.h[plane]; ++y, row += picture.stride[plane]) {
        const auto *samples = reinterpret_cast<const Sample *>(row);
        for (unsigned x = first; x < picture.w[plane]; x += step)
            largest = std::max<unsigned>(largest, samples[x]);
    }
    return largest;
}

std::optional<std::string> doubt_about_bytes(const VmafPicture &picture)
{
    const unsigned even = plane_maximum<std::uint8_t>(picture, 0, 0, 2);
    const unsigned odd = plane_maximum<std::uint8_t>(picture, 0, 1, 2);
    if (picture.w[0] % 2 != 0 || odd > kLargestUpperByte || even <= 4 * kLargestUpperByte)
        return std::nullopt;
    return formatted(
        "every other byte of its first frame is {} or less, as if samples had two bytes: -b 10 or -b 12, not "
        "-b 8?",
        odd);
}

std::optional<std::string> doubt_about_words(const VmafPicture &picture, const FileLayout &layout)
{
    const unsigned depth = layout.format.depth - layout.shift;
    std::array<unsigned, 3> largest{};
    for (unsigned plane = 0; plane < layout.plane_count(); ++plane)
        largest[plane] = plane_maximum<std::uint16_t>(picture, plane, 0, 1) >> layout.shift;
    const unsigned of_all = *std::ranges::max_element(largest);
    if (of_all > largest_sample(depth))
        return formatted(
            "its first frame has samples up to {}, more than {} bits hold: is -b {} right, and not -b 8 or -b "
            "16?",
            of_all, depth, depth);
    // Chroma is half of the range where there is no colour, and where both are small luma is not:
    // this is no picture.
    if (layout.plane_count() == 3 && of_all <= largest_sample(depth - 2))
        return formatted("its first frame has samples only up to {}, of {} that {} bits hold: does it have fewer bits "
                         "than -b {} says?",
                         of_all, largest_sample(depth), depth, depth);
    return std::nullopt;
}

bool is_url(std::string_view path)
{
    return path.find("://") != path.npos;
}

/// One %d or %04d in its name, and no other %.
bool has_number_pattern(std::string_view path)
{
    const std::size_t percent = path.find('%');
    if (percent == path.npos || path.find('%', percent + 1) != path.npos)
        return false;
    const std::size_t letter = path.find_first_not_of("0123456789", percent + 1);
    return letter != path.npos && path[letter] == 'd';
}

} // namespace

InputFile open_input(const std::string &path, const InputOptions &options)
{
    if (path == "-")
        return InputFile::standard_input();
    if (options.allow_network && is_url(path))
        return InputFile::unopened(path);
    if (has_number_pattern(path) && has_media_support() && !std::filesystem::exists(path))
        return InputFile::unopened(path);
    try {
        return InputFile(path);
    } catch (const Failure &) {
        if (!is_url(path))
            throw;
        throw Failure(kExitSetup, formatted("{}: a URL is read only with --allow_network", printable(path)));
    }
}

bool is_image_sequence(const InputFile &file)
{
    return !file.is_open() && !is_url(file.path());
}

std::unique_ptr<VideoReader> open_video(InputFile file, const SideOptions &side, const InputOptions &options,
                                        Warnings &warnings)
{
    ContainerFormat format = side.container;
    const bool is_asked_for = format != ContainerFormat::automatic;
    if (!is_asked_for)
        format = detect(file, options);
    switch (format) {
    case ContainerFormat::raw:
        return make_video_reader(std::move(file), options.raw, warnings, side.samples);
    case ContainerFormat::media:
        return is_asked_for ? make_media_reader(std::move(file), side, options, warnings)
                            : open_unknown(std::move(file), side, options, warnings);
    case ContainerFormat::y4m:
    case ContainerFormat::automatic:
        break;
    }
    check_alpha(file, options, warnings);
    return make_video_reader(std::move(file), std::nullopt, warnings, side.samples);
}

std::optional<std::string> doubt_about_start(std::string_view start)
{
    for (const auto &[at, magic, name] : kMagics)
        if (start.size() >= at && start.substr(at).starts_with(magic))
            return formatted("it is {} and is read as raw video, its header as samples: leave -w -h -p -b out", name);
    return std::nullopt;
}

std::optional<std::string> doubt_about_size(std::uint64_t file_bytes, const FileLayout &layout)
{
    const std::uint64_t left = file_bytes % layout.frame_bytes();
    if (left == 0)
        return std::nullopt;
    const VideoFormat &format = layout.format;
    FileLayout other = layout;
    other.format.depth = format.depth > 8 ? 8 : 16;
    const char *const fits = file_bytes % other.frame_bytes() != 0 ? ""
                             : format.depth > 8                    ? "; -b 8 fits"
                                                                   : "; -b 10 fits";
    return formatted(
        "its {} bytes are no whole number of frames of {}x{}, {}, {} bits ({} bytes each): check -w -h -p -b{}",
        file_bytes, format.width_px, format.height_px, pixel_format_text(format.pix_fmt), format.depth,
        layout.frame_bytes(), fits);
}

std::optional<std::string> doubt_about_samples(const VmafPicture &picture, const FileLayout &layout)
{
    if (layout.bytes_per_sample() == 2)
        return doubt_about_words(picture, layout);
    return layout.shift == 0 ? doubt_about_bytes(picture) : std::nullopt;
}

} // namespace vmaf::tool
