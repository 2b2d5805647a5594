#include "input/input_options.h"

#include <algorithm>
#include <charconv>

namespace vmaf::tool {
namespace {

std::optional<unsigned> parse_number(std::string_view text)
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool is_dimension(std::optional<unsigned> value)
{
    return value && *value > 0 && *value <= kMaxDimensionPx;
}

struct LayoutName {
    std::string_view text;
    VmafPixelFormat pix_fmt;
};
constexpr LayoutName kLayoutNames[] = {
    {"420", VMAF_PIX_FMT_YUV420P},
    {"422", VMAF_PIX_FMT_YUV422P},
    {"444", VMAF_PIX_FMT_YUV444P},
    {"mono", VMAF_PIX_FMT_YUV400P},
};

} // namespace

std::optional<ScaleOption> parse_scale(std::string_view text)
{
    using Kind = ScaleOption::Kind;
    if (text == "auto")
        return ScaleOption{Kind::automatic};
    if (text == "none")
        return ScaleOption{Kind::none};
    if (text == "ref")
        return ScaleOption{Kind::reference};
    const std::size_t cross = text.find('x');
    if (cross == text.npos)
        return std::nullopt;
    const auto width = parse_number(text.substr(0, cross));
    const auto height = parse_number(text.substr(cross + 1));
    if (!is_dimension(width) || !is_dimension(height))
        return std::nullopt;
    return ScaleOption{Kind::size, *width, *height};
}

std::optional<PixelFormatOption> parse_common_format(std::string_view text)
{
    using Kind = PixelFormatOption::Kind;
    if (text == "auto")
        return PixelFormatOption{Kind::automatic};
    if (text == "none")
        return PixelFormatOption{Kind::none};
    const auto *layout =
        std::ranges::find_if(kLayoutNames, [text](const LayoutName &name) { return text.starts_with(name.text); });
    if (layout == std::end(kLayoutNames))
        return std::nullopt;
    text.remove_prefix(layout->text.size());
    if (text.empty())
        return PixelFormatOption{Kind::named, layout->pix_fmt, 8};
    if (layout->pix_fmt != VMAF_PIX_FMT_YUV400P) {
        if (text.front() != 'p')
            return std::nullopt;
        text.remove_prefix(1);
    }
    if (text != "10" && text != "12" && text != "16")
        return std::nullopt;
    return PixelFormatOption{Kind::named, layout->pix_fmt, *parse_number(text)};
}

std::optional<Decoding> parse_decoding(std::string_view text)
{
    if (text == "auto")
        return Decoding::automatic;
    if (text == "cuda")
        return Decoding::cuda;
    if (text == "software")
        return Decoding::software;
    return std::nullopt;
}

std::optional<ScalerChoice> parse_scaler(std::string_view text)
{
    if (text == "swscale")
        return ScalerChoice::swscale;
    if (text == "integer")
        return ScalerChoice::integer;
    return std::nullopt;
}

std::optional<ContainerFormat> parse_container_format(std::string_view text)
{
    if (text == "auto")
        return ContainerFormat::automatic;
    if (text == "raw")
        return ContainerFormat::raw;
    if (text == "y4m")
        return ContainerFormat::y4m;
    if (text == "media")
        return ContainerFormat::media;
    return std::nullopt;
}

} // namespace vmaf::tool
