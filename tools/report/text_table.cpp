#include "report/text_table.h"

#include <algorithm>

#include "base/utf8.h"

namespace vmaf::tool {
namespace {

/// Characters, of one column each.
std::size_t width_of(std::string_view text)
{
    std::size_t characters = 0;
    for (; !text.empty(); ++characters)
        cut_character(text);
    return characters;
}

} // namespace

std::string text_table(std::span<const std::vector<std::string>> lines)
{
    std::vector<std::size_t> widths;
    for (const auto &cells : lines) {
        widths.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    std::string text;
    for (const auto &cells : lines) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - width_of(cells[i]), ' ');
            text += i == 0 ? cells[i] + padding : "  " + padding + cells[i];
        }
        text += '\n';
    }
    return text;
}

} // namespace vmaf::tool
