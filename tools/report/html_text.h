#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace vmaf::tool {

/// Colours of encodes: the page's classes k0, k1 and so on.
constexpr std::size_t kColours = 10;

/// Text from outside as HTML shows it, in elements and in quoted attributes. What is no UTF-8
/// becomes U+FFFD.
std::string escaped(std::string_view text);

/// A template with each {{name}} replaced once; nothing in the values is looked at. A name without
/// a value stays out.
std::string filled(std::string_view text, const std::map<std::string_view, std::string> &values);

/// A file's name without its folders.
std::string base_name(const std::string &path);

/// Bytes as letters, for data URIs (RFC 4648, with padding).
std::string base64(std::string_view bytes);

constexpr std::size_t base64_bytes(std::size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

} // namespace vmaf::tool
