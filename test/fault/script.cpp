#include "fault/script.h"

#include <cstring>
#include <ostream>
#include <string_view>

#include "feature/feature.h"
#include "support/registry.h"

namespace vmaf::test {

void PrintTo(const Script &script, std::ostream *stream)
{
    *stream << script.name;
}

std::vector<ScoreColumn> columns_of(const Script &script)
{
    std::vector<const char *> names = script.features;
    if (script.model != nullptr)
        names.insert(names.end(), {"adm", "motion", "vif"}); // features of vmaf_v0.6.1
    if (script.late_feature != nullptr)
        names.push_back(script.late_feature);
    std::vector<ScoreColumn> list;
    for (std::string_view name : names) {
        if (name.ends_with("_cuda"))
            name.remove_suffix(std::strlen("_cuda"));
        const auto feature = default_feature(*find_feature(name));
        for (const OutputSpec &output : feature->outputs(script.format)) {
            const bool delayed = output.kind == OutputKind::delayed;
            list.push_back({output.name, delayed || output.kind == OutputKind::running,
                            delayed ? feature->window(script.format).frames_after : 0});
        }
    }
    return list;
}

PictureFormat small_format(const FeatureSpec &spec)
{
    PictureFormat format = Script{}.format;
    for (; !takes(spec, format); format.height += 16)
        format.width += 16;
    return format;
}

} // namespace vmaf::test
