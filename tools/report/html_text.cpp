#include "report/html_text.h"

#include "base/utf8.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

std::string_view entity(std::string_view character)
{
    switch (character.front()) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return character;
    }
}

} // namespace

std::string escaped(std::string_view text)
{
    const std::string shown = printable(text);
    std::string html;
    for (std::string_view rest = shown; !rest.empty();) {
        const auto [code, bytes] = cut_character(rest);
        html += code ? entity(bytes) : kReplacementCharacter;
    }
    return html;
}

std::string filled(std::string_view text, const std::map<std::string_view, std::string> &values)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t begin = text.find("{{");
        result += text.substr(0, begin);
        if (begin == text.npos)
            break;
        const std::size_t end = text.find("}}", begin);
        if (const auto value = values.find(text.substr(begin + 2, end - begin - 2)); value != values.end())
            result += value->second;
        text.remove_prefix(end == text.npos ? text.size() : end + 2);
    }
    return result;
}

std::string base_name(const std::string &path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == path.npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve(base64_bytes(bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? kLetters[group >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

} // namespace vmaf::tool
