#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace vmaf {

/// Replacement for bytes that are not text: U+FFFD.
constexpr std::string_view kReplacementCharacter = "\xef\xbf\xbd";

struct Utf8Character {
    std::optional<char32_t> code; ///< none: `bytes` is one byte that is no UTF-8
    std::string_view bytes;
};

/// The control characters of ASCII, ISO 8859 and Unicode, which a terminal may obey.
inline bool is_control(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/// The code point of the `bytes` bytes at the start of `text`; none if that is no UTF-8.
inline std::optional<char32_t> decoded_utf8(std::string_view text, std::size_t bytes)
{
    constexpr char32_t kSmallest[] = {0, 0x80, 0x800, 0x10000}; // of that length: smaller ones are not written longer
    if (bytes == 0 || text.size() < bytes)
        return std::nullopt;
    char32_t code = static_cast<unsigned char>(text[0]) & (bytes == 1 ? 0x7fU : 0x7fU >> bytes);
    for (const char c : text.substr(1, bytes - 1)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) != 0x80)
            return std::nullopt;
        code = code << 6 | (byte & 0x3fU);
    }
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (code < kSmallest[bytes - 1] || code > 0x10ffff || is_surrogate)
        return std::nullopt;
    return code;
}

/// Cuts the first character off `text`, which is not empty.
inline Utf8Character cut_character(std::string_view &text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lead < 0x80   ? 1
                              : lead < 0xc0 ? 0
                              : lead < 0xe0 ? 2
                              : lead < 0xf0 ? 3
                              : lead < 0xf8 ? 4
                                            : 0;
    const std::optional<char32_t> code = decoded_utf8(text, bytes);
    const std::string_view character = text.substr(0, code ? bytes : 1);
    text.remove_prefix(character.size());
    return {code, character};
}

} // namespace vmaf
