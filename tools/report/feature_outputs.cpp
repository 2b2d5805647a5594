#include "report/feature_outputs.h"

#include <algorithm>

#include "library/lists.h"

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
    const VmafFeatureInfo *const info = find_feature_info(extractor);
    return info != nullptr && std::ranges::any_of(listed(info->outputs), [column](const VmafOutputInfo *output) {
               return is_named_after(column, output->log_name);
           });
}

} // namespace vmaf::tool
