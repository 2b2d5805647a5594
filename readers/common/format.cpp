// Inside the header: the tool then needs no shared library of fmt.
#define FMT_HEADER_ONLY

#include "common/format.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace vmaf::tool {
namespace {

// Outside a UTF-8 character, bytes from 0xa0 on are letters in the older encodings and nothing in
// UTF-8: they are left.
std::string escape_controls(std::string_view text, std::string_view kept)
{
    std::string shown;
    while (!text.empty()) {
        const auto [code, bytes] = cut_character(text);
        if (is_control(code.value_or(static_cast<unsigned char>(bytes.front()))) && kept.find(bytes) == kept.npos)
            for (const char c : bytes)
                shown += formatted("\\x{:02x}", static_cast<unsigned char>(c));
        else
            shown += bytes;
    }
    return shown;
}

} // namespace

std::string formatted_arguments(fmt::string_view format, fmt::format_args arguments)
{
    return fmt::vformat(format, arguments);
}

std::string counted(std::uint64_t count, std::string_view what)
{
    return formatted("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string printable(std::string_view text)
{
    return escape_controls(text, "");
}

std::string printable_lines(std::string_view text)
{
    return escape_controls(text, "\n");
}

std::string NumberFormat::printf_format() const
{
    return formatted("%.{}g", digits_);
}

std::string NumberFormat::text(double score) const
{
    return is_established() ? formatted("{:f}", score) : formatted("{:.{}g}", score, digits_);
}

} // namespace vmaf::tool
