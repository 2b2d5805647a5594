#include "report/decisions.h"

#include <algorithm>
#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/format.h"
#include "report/html_text.h"

namespace vmaf::tool {
namespace {

using nlohmann::ordered_json;

constexpr std::array kSides{"reference", "distorted", "scored"};

/// "–": nothing, and what is not so.
std::string value_text(const ordered_json &value)
{
    if (value.is_null() || value == false)
        return "–";
    if (value == true)
        return "yes";
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return value.dump();
    std::string text;
    for (const ordered_json &item : value)
        text += formatted("{}{}", text.empty() ? "" : ", ", value_text(item));
    return text;
}

/// Members of any of the sides, in their order.
std::vector<std::string> members_of(const ordered_json &record)
{
    std::vector<std::string> names;
    for (const char *side : kSides)
        if (const auto found = record.find(side); found != record.end() && found->is_object())
            for (const auto &[name, value] : found->items())
                if (std::ranges::find(names, name) == names.end())
                    names.push_back(name);
    return names;
}

std::string side_rows(const ordered_json &record)
{
    std::string rows;
    for (std::string name : members_of(record)) {
        std::string cells;
        bool is_known = false;
        for (const char *side : kSides) {
            const ordered_json of = record.value(side, ordered_json::object());
            const std::string text = of.contains(name) ? value_text(of.at(name)) : "–";
            is_known = is_known || text != "–";
            cells += formatted("<td>{}</td>", escaped(text));
        }
        std::ranges::replace(name, '_', ' ');
        if (is_known)
            rows += formatted("<tr><th scope=\"row\">{}</th>{}</tr>\n", escaped(name), cells);
    }
    return rows;
}

std::string items_of(const ordered_json &record, const char *list)
{
    std::string items;
    if (const auto found = record.find(list); found != record.end() && found->is_array())
        for (const ordered_json &item : *found)
            items += formatted("<li>{}</li>", escaped(value_text(item)));
    return items.empty() ? "" : formatted("<ul>{}</ul>\n", items);
}

} // namespace

std::string decisions_html(const std::string &record, const std::string &heading)
{
    const ordered_json json = ordered_json::parse(record, nullptr, false);
    if (!json.is_object() || json.empty())
        return {};
    std::string heads;
    for (const char *side : kSides)
        heads += formatted("<th scope=\"col\">{}</th>", side);
    return formatted("<details class=\"decisions\"><summary>{0}</summary>\n{1}<div class=\"scroll\" tabindex=\"0\" "
                     "role=\"region\" aria-label=\"{0}\"><table class=\"pairs\"><thead><tr><td></td>{2}</tr>"
                     "</thead><tbody>\n{3}</tbody></table></div></details>\n",
                     escaped(heading), items_of(json, "conversions"), heads, side_rows(json));
}

} // namespace vmaf::tool
