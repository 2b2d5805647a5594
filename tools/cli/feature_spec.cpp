#include "cli/feature_spec.h"

#include "cli/item_list.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {

FeatureSpec parse_feature_spec(std::string_view text)
{
    const std::size_t equals = text.find('=');
    FeatureSpec spec{std::string(text.substr(0, equals)), {}};
    if (equals == text.npos)
        return spec;
    for (const std::string &item : split_items(text.substr(equals + 1))) {
        const KeyValue option = split_key_value(item);
        if (option.key.empty() || !option.has_value)
            throw UsageError(
                formatted("bad option string in feature \"{}\"; should be NAME=OPTION=VALUE:...", printable(text)));
        spec.options.emplace_back(option.key, option.value);
    }
    return spec;
}

} // namespace vmaf::tool
