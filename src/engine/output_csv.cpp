#include "engine/output_rows.h"
#include "feature/registry.h"

namespace vmaf {

std::string format_csv(const ScoreTable &table, const OutputInfo &info)
{
    const OutputColumns columns = table.ordered_columns(info.flush_call);
    std::string out = "Frame,";
    for (const ScoreColumn *column : columns)
        out.append(output_alias(column->stored_name())).append(",");
    out += '\n';
    for (OutputRows rows(columns, info.subsample); rows.next();) {
        out.append(std::to_string(rows.index())).append(",");
        for (const OutputRows::Cell &cell : rows.cells())
            out.append(info.numbers.text(cell.value)).append(",");
        out += '\n';
    }
    return out;
}

} // namespace vmaf
