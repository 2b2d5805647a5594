#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vmaf::tool {

/// "a:b:c" as its items, empty ones included (spec cli 4.1). "\:" and "\\" are a literal ':' and '\'.
std::vector<std::string> split_items(std::string_view text);

struct KeyValue {
    std::string key;
    std::string value;
    bool has_value; ///< an '=' was there
};

/// Cut at the first '='.
KeyValue split_key_value(std::string_view item);

} // namespace vmaf::tool
