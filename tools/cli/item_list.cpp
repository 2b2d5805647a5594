#include "cli/item_list.h"

namespace vmaf::tool {

std::vector<std::string> split_items(std::string_view text)
{
    std::vector<std::string> items(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '\\');
        if (escaped)
            items.back() += text[++i];
        else if (text[i] == ':')
            items.emplace_back();
        else
            items.back() += text[i];
    }
    return items;
}

KeyValue split_key_value(std::string_view item)
{
    const std::size_t equals = item.find('=');
    if (equals == item.npos)
        return {std::string(item), {}, false};
    return {std::string(item.substr(0, equals)), std::string(item.substr(equals + 1)), true};
}

} // namespace vmaf::tool
