#include "listing/lists.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/format.h"
#include "listing/feature_table.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

template <class Rows> Rows not_empty(Rows rows)
{
    if (rows.empty())
        throw Failure(kExitSetup, "this vmaf was built where programs could not be run: it has no such list");
    return rows;
}

constexpr std::size_t kRangeColumns = 10;

std::size_t longest_option_name(std::span<const FeatureRow> features)
{
    std::size_t longest = 0;
    for (const FeatureRow &feature : features)
        for (const FeatureOptionRow &option : feature.options)
            longest = std::max(longest, std::string_view(option.name).size());
    return longest;
}

nlohmann::ordered_json backend(const char *name, bool usable, const char *reason)
{
    return {{"name", name}, {"usable", usable}, {"reason", reason}};
}

const char *reason_for(int error)
{
    return error == 0 ? "the first GPU can be used" : error == -ENODEV ? "there is no GPU" : gpu_reason(error);
}

} // namespace

std::string list_of_models()
{
    std::string text;
    for (const ModelRow &model : not_empty(model_table()))
        text += formatted("{}\n", model.version);
    return text;
}

std::string list_of_features()
{
    const auto features = not_empty(feature_table());
    const std::size_t name_columns = longest_option_name(features);
    std::string text;
    for (const FeatureRow &feature : features) {
        text += formatted("{}\n", feature.name);
        for (const FeatureOptionRow &option : feature.options)
            text +=
                formatted("  {:<{}}  {:4}  {:<8}  {:<{}}  {}\n", option.name, name_columns, option.type,
                          *option.default_value ? option.default_value : "-", option.range, kRangeColumns, option.help);
    }
    return text;
}

std::string name_and_memory(const GpuFacts &gpu)
{
    return formatted("{} {} MiB", gpu.name, gpu.memory_bytes >> 20);
}

std::string list_of_gpus()
{
    std::string text;
    for (const GpuFacts &gpu : usable_gpus())
        text += formatted("{} {}\n", gpu.index, name_and_memory(gpu));
    return text;
}

std::string list_of_backends()
{
    Gpu gpu;
    const int error = find_gpu(GpuUse::if_possible, gpu);
    nlohmann::ordered_json document;
    document["backends"] = {backend("cpu", true, "it always can"), backend("cuda", error == 0, reason_for(error))};
    return document.dump(2) + '\n';
}

} // namespace vmaf::tool
