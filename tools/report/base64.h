#pragma once

#include <string>
#include <string_view>

namespace vmaf::tool {

/// Bytes as letters, for data URIs (RFC 4648, with padding).
std::string base64(std::string_view bytes);

constexpr std::size_t base64_bytes(std::size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

} // namespace vmaf::tool
