#include "common/printable.h"

#include <cstddef>

#include <fmt/format.h>

namespace vmaf::tool {
namespace {

bool is_between(std::string_view text, std::size_t index, unsigned char first, unsigned char last)
{
    const auto byte = index < text.size() ? static_cast<unsigned char>(text[index]) : '\0';
    return first <= byte && byte <= last;
}

/// Bytes of the UTF-8 character that the text starts with; 0: it starts with none, or with one of ASCII. Longer forms than
/// needed are no characters: some terminals decode them all the same.
std::size_t encoded_length(std::string_view text)
{
    struct Form {
        unsigned char first, last;               ///< of the first byte
        unsigned char second_first, second_last; ///< of the second
        std::size_t length;
    };
    constexpr Form kForms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (const Form &form : kForms) {
        if (!is_between(text, 0, form.first, form.last) || !is_between(text, 1, form.second_first, form.second_last))
            continue;
        std::size_t length = 2;
        while (length < form.length && is_between(text, length, 0x80, 0xbf))
            ++length;
        return length == form.length ? length : 0;
    }
    return 0;
}

/// The control characters of ISO 8859 and Unicode behind ASCII, as UTF-8.
bool is_encoded_control(std::string_view character)
{
    return is_between(character, 0, 0xc2, 0xc2) && is_between(character, 1, 0x80, 0x9f);
}

/// Alone, outside a UTF-8 character. From 0xa0 on bytes are letters in the older encodings and nothing in UTF-8.
bool is_control_byte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || (0x7f <= byte && byte < 0xa0);
}

std::string escape_controls(std::string_view text, std::string_view kept)
{
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = encoded_length(text);
        const std::string_view character = text.substr(0, length > 0 ? length : 1);
        const bool is_control = length > 0 ? is_encoded_control(character) : is_control_byte(text.front());
        if (is_control && kept.find(character) == kept.npos)
            for (const char c : character)
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            shown += character;
        text.remove_prefix(character.size());
    }
    return shown;
}

} // namespace

std::string printable(std::string_view text)
{
    return escape_controls(text, "");
}

std::string printable_lines(std::string_view text)
{
    return escape_controls(text, "\n");
}

} // namespace vmaf::tool
