#include "listing/feature_table.h"

namespace vmaf::tool {

std::span<const FeatureRow> feature_table()
{
    return {};
}

std::span<const ModelRow> model_table()
{
    return {};
}

} // namespace vmaf::tool
