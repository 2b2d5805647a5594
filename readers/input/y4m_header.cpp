#include "input/y4m_header.h"

#include <charconv>
#include <optional>

#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

[[noreturn]] void refuse(const std::string &text)
{
    throw Failure(kExitSetup, text);
}

template <class Integer> std::optional<Integer> parse_integer(std::string_view text)
{
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

unsigned parse_dimension(char tag, std::string_view text)
{
    const auto value = parse_integer<unsigned>(text);
    if (!value || *value == 0)
        refuse(formatted("Y4M header: bad tag {}{}", tag, printable(text)));
    return *value;
}

/// Two integers. Empty if they are no rate: "0:0" says that it is unknown.
std::optional<double> parse_frame_rate(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const auto frames = parse_integer<int>(text.substr(0, colon));
    const auto seconds = colon == text.npos ? std::nullopt : parse_integer<int>(text.substr(colon + 1));
    if (!frames || !seconds)
        refuse(formatted("Y4M header: bad tag F{}", printable(text)));
    if (*frames <= 0 || *seconds <= 0)
        return std::nullopt;
    return static_cast<double>(*frames) / *seconds;
}

/// "0:0" says that it is unknown. A bad one is none: nothing else depends on it.
void parse_pixel_aspect(std::string_view text, Y4mHeader &header)
{
    const std::size_t colon = text.find(':');
    const int num = parse_integer<int>(text.substr(0, colon)).value_or(0);
    const int den = colon == text.npos ? 0 : parse_integer<int>(text.substr(colon + 1)).value_or(0);
    if (num <= 0 || den <= 0)
        return;
    header.pixel_aspect_num = num;
    header.pixel_aspect_den = den;
}

/// @param text of the tag I.
bool holds_fields(std::string_view text)
{
    return text != "p" && text != "?";
}

void check_interlacing(std::string_view text)
{
    if (holds_fields(text))
        refuse(
            formatted("Y4M header: tag I{}: interlaced video is not supported without --deinterlace", printable(text)));
}

/// Parses a tag X. Only "COLORRANGE=FULL" and the like are used.
void parse_extension(std::string_view text, Y4mHeader &header)
{
    constexpr std::string_view kRange = "COLORRANGE=";
    if (!text.starts_with(kRange))
        return;
    text.remove_prefix(kRange.size());
    if (text == "FULL")
        header.range = Range::full;
    else if (text == "LIMITED")
        header.range = Range::limited;
    else
        header.warnings.push_back(
            formatted("XCOLORRANGE={} is unknown, read as limited range (--range_ref, --range_dist)", printable(text)));
}

struct ChromaTag {
    std::string_view layout;
    VmafPixelFormat pix_fmt;
};
constexpr ChromaTag kChromaTags[] = {
    {"420jpeg", VMAF_PIX_FMT_YUV420P},  {"420mpeg2", VMAF_PIX_FMT_YUV420P}, {"420paldv", VMAF_PIX_FMT_YUV420P},
    {"444alpha", VMAF_PIX_FMT_YUV444P}, {"420", VMAF_PIX_FMT_YUV420P},      {"422", VMAF_PIX_FMT_YUV422P},
    {"444", VMAF_PIX_FMT_YUV444P},      {"mono", VMAF_PIX_FMT_YUV400P},
};

/// Stored depths 9 and 14 become pictures of 10 and 16 bits.
struct DepthTag {
    std::string_view text;
    unsigned stored, delivered;
};
constexpr DepthTag kDepthTags[] = {{"9", 9, 10}, {"10", 10, 10}, {"12", 12, 12}, {"14", 14, 16}, {"16", 16, 16}};

/// "420", "420p10", "mono12": a layout, then "p" (not after mono) and a depth if it is not 8.
bool parse_deep_chroma(std::string_view text, Y4mHeader &header)
{
    for (const auto &[layout, pix_fmt] : kChromaTags) {
        const std::string prefix = std::string(layout) + (layout == "mono" ? "" : "p");
        if (layout.size() > 4 || !text.starts_with(prefix))
            continue;
        for (const auto &[depth_text, stored, delivered] : kDepthTags) {
            if (text.substr(prefix.size()) != depth_text)
                continue;
            header.layout.format.pix_fmt = pix_fmt;
            header.layout.format.depth = delivered;
            header.layout.shift = delivered - stored;
            if (delivered != stored)
                header.notes.push_back(formatted("{} bits per sample are read as {}", stored, delivered));
            return true;
        }
    }
    return false;
}

/// False if the tag is unknown.
bool parse_chroma(std::string_view text, Y4mHeader &header)
{
    for (const auto &[layout, pix_fmt] : kChromaTags) {
        if (text != layout)
            continue;
        header.layout.format.pix_fmt = pix_fmt;
        header.layout.format.depth = 8;
        header.layout.shift = 0;
        header.layout.alpha = text == "444alpha";
        return true;
    }
    return parse_deep_chroma(text, header);
}

std::string_view next_word(std::string_view &rest)
{
    const std::size_t space = rest.find(' ');
    const std::string_view word = rest.substr(0, space);
    rest.remove_prefix(space == rest.npos ? rest.size() : space + 1);
    return word;
}

} // namespace

bool is_known_chroma(std::string_view line)
{
    while (!line.empty()) {
        const std::string_view word = next_word(line);
        Y4mHeader ignored;
        if (word.starts_with('C') && !parse_chroma(word.substr(1), ignored))
            return false;
    }
    return true;
}

bool has_alpha_y4m(std::string_view line)
{
    Y4mHeader header;
    while (!line.empty())
        if (const std::string_view word = next_word(line); word.starts_with('C'))
            parse_chroma(word.substr(1), header);
    return header.layout.alpha;
}

bool is_interlaced_y4m(std::string_view line)
{
    bool has_fields = false;
    while (!line.empty())
        if (const std::string_view word = next_word(line); word.starts_with('I'))
            has_fields = holds_fields(word.substr(1));
    return has_fields;
}

Y4mHeader parse_y4m_header(std::string_view line)
{
    if (!line.starts_with(kY4mMagic))
        refuse("not a Y4M file: it does not start with YUV4MPEG (for raw video give -w -h -p -b)");
    Y4mHeader header;
    header.layout.format = {0, 0, VMAF_PIX_FMT_YUV420P, 8};
    if (const std::string_view magic = next_word(line); magic.substr(kY4mMagic.size()) != "2")
        header.warnings.push_back(formatted("unknown Y4M version \"{}\", read as YUV4MPEG2", printable(magic)));
    bool has_rate = false;
    bool is_progressive = false;
    while (!line.empty()) {
        const std::string_view word = next_word(line);
        const std::string_view value = word.empty() ? word : word.substr(1);
        switch (word.empty() ? ' ' : word[0]) {
        case 'W':
            header.layout.format.width_px = parse_dimension('W', value);
            break;
        case 'H':
            header.layout.format.height_px = parse_dimension('H', value);
            break;
        case 'F':
            header.frame_rate = parse_frame_rate(value);
            has_rate = true;
            break;
        case 'I':
            check_interlacing(value);
            is_progressive = value == "p";
            break;
        case 'C':
            if (!parse_chroma(value, header))
                refuse(formatted("Y4M header: unsupported chroma tag C{}", printable(value)));
            break;
        case 'X':
            parse_extension(value, header);
            break;
        case 'A':
            parse_pixel_aspect(value, header);
            break;
        default: // spec cli 3.2: unknown tags say nothing that is used
            break;
        }
    }
    if (header.layout.format.width_px == 0 || header.layout.format.height_px == 0 || !has_rate)
        refuse("Y4M header: W, H and F tags are required");
    if (!is_progressive)
        header.warnings.emplace_back("interlacing is unknown, read as progressive");
    return header;
}

} // namespace vmaf::tool
