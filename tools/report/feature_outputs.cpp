#include "report/feature_outputs.h"

#include <algorithm>

#include "listing/feature_table.h"

namespace vmaf::tool {
namespace {

/// Options append "_NAME_VALUE" or "_NAME" (spec abi 5.3).
bool is_named_after(std::string_view column, std::string_view output)
{
    return column.starts_with(output) && (column.size() == output.size() || column[output.size()] == '_');
}

} // namespace

bool may_write(std::string_view extractor, std::string_view column)
{
    const FeatureRow *const row = find_feature_row(extractor);
    return row != nullptr &&
           std::ranges::any_of(row->outputs, [column](const char *output) { return is_named_after(column, output); });
}

} // namespace vmaf::tool
