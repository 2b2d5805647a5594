#include "input/input_options.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "common/format.h"

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

template <class Value> struct Word {
    std::string_view text;
    Value value;
};

template <class Value, std::size_t count>
std::optional<Value> meaning(const Word<Value> (&words)[count], std::string_view text)
{
    const auto *word = std::ranges::find(words, text, &Word<Value>::text);
    return word == std::end(words) ? std::nullopt : std::optional<Value>(std::in_place, word->value);
}

constexpr Word<Display> kDisplays[] = {{"none", Display::none},
                                       {"1080p", Display::hd},
                                       {"phone", Display::phone},
                                       {"4k", Display::uhd},
                                       {"4k_tv", Display::uhd_tv}};

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

const char *display_text(Display display)
{
    return std::ranges::find(kDisplays, display, &Word<Display>::value)->text.data();
}

std::optional<Display> parse_display(std::string_view text)
{
    return meaning(kDisplays, text);
}

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

std::string common_format_text(const VideoFormat &format)
{
    return formatted("{}p{}", pixel_format_text(format.pix_fmt),
                     format.depth <= 10   ? 10
                     : format.depth <= 12 ? 12
                                          : 16);
}

std::optional<Fraction> parse_frame_rate(std::string_view text)
{
    constexpr std::size_t kMostDecimals = 4;
    constexpr unsigned kMostFramesPerSecond = 100000;
    const std::size_t mark = text.find_first_of("./");
    std::optional<unsigned> num = parse_number(text.substr(0, mark));
    std::optional<unsigned> den = 1;
    if (mark != text.npos && text[mark] == '/') {
        den = parse_number(text.substr(mark + 1));
    } else if (mark != text.npos) {
        const std::string_view decimals = text.substr(mark + 1);
        const auto digits = parse_number(decimals);
        if (!num || !digits || decimals.size() > kMostDecimals || *num > kMostFramesPerSecond)
            return std::nullopt;
        for (std::size_t i = 0; i < decimals.size(); ++i)
            den = *den * 10;
        num = *num * *den + *digits;
    }
    constexpr unsigned kMost = std::numeric_limits<int>::max();
    if (!num || !den || *num == 0 || *den == 0 || *num > kMost || *den > kMost || *num / *den > kMostFramesPerSecond)
        return std::nullopt;
    return Fraction{static_cast<int>(*num), static_cast<int>(*den)};
}

std::optional<Decoding> parse_decoding(std::string_view text)
{
    constexpr Word<Decoding> kWords[] = {
        {"auto", Decoding::automatic}, {"cuda", Decoding::cuda}, {"software", Decoding::software}};
    return meaning(kWords, text);
}

std::optional<ScalerChoice> parse_scaler(std::string_view text)
{
    constexpr Word<ScalerChoice> kWords[] = {{"swscale", ScalerChoice::swscale}, {"integer", ScalerChoice::integer}};
    return meaning(kWords, text);
}

std::optional<FilmGrain> parse_film_grain(std::string_view text)
{
    constexpr Word<FilmGrain> kWords[] = {{"keep", FilmGrain::keep}, {"remove", FilmGrain::remove}};
    return meaning(kWords, text);
}

std::optional<Background> parse_background(std::string_view text)
{
    unsigned colour = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), colour, 16);
    if (text.size() != 6 || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    const auto component = [colour](unsigned shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255; };
    return Background{component(16), component(8), component(0)};
}

std::optional<std::optional<Range>> parse_range(std::string_view text)
{
    constexpr Word<std::optional<Range>> kWords[] = {
        {"auto", std::nullopt}, {"limited", Range::limited}, {"full", Range::full}};
    return meaning(kWords, text);
}

std::optional<std::optional<int>> parse_matrix(std::string_view text)
{
    const auto code = h273::code_of(h273::Kind::matrix, text);
    if (!code && text != "auto")
        return std::nullopt;
    return std::optional<std::optional<int>>(std::in_place, code);
}

std::optional<ContainerFormat> parse_container_format(std::string_view text)
{
    constexpr Word<ContainerFormat> kWords[] = {{"auto", ContainerFormat::automatic},
                                                {"raw", ContainerFormat::raw},
                                                {"y4m", ContainerFormat::y4m},
                                                {"media", ContainerFormat::media}};
    return meaning(kWords, text);
}

} // namespace vmaf::tool
