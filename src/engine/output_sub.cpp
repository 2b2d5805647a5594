#include "engine/output_rows.h"
#include "feature/registry.h"

namespace vmaf {

std::string format_sub(const ScoreTable &table, const OutputInfo &info)
{
    const OutputColumns columns = table.ordered_columns(info.flush_call);
    std::vector<std::string_view> names;
    for (const ScoreColumn *column : columns)
        names.push_back(output_alias(column->stored_name()));

    std::string out;
    for (OutputRows rows(columns, info.subsample); rows.next();) {
        const std::string index = std::to_string(rows.index());
        out.append("{").append(index).append("}{").append(std::to_string(rows.index() + 1)).append("}frame: ");
        out.append(index).append("|");
        for (const OutputRows::Cell &cell : rows.cells())
            out.append(names[cell.column]).append(": ").append(info.numbers.text(cell.value)).append("|");
        out += '\n';
    }
    return out;
}

} // namespace vmaf
