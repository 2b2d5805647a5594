#include "lists.h"

#include "listing/feature_table.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

nb::list texts(std::span<const char *const> names)
{
    nb::list list;
    for (const char *name : names)
        list.append(name);
    return list;
}

} // namespace

nb::list feature_list()
{
    nb::list features;
    for (const tool::FeatureRow &feature : tool::feature_table()) {
        nb::list options;
        for (const tool::FeatureOptionRow &option : feature.options)
            options.append(nb::make_tuple(option.name, option.type, option.default_value, option.range, option.help));
        features.append(
            nb::make_tuple(feature.name, feature.help, options, texts(feature.outputs), feature.differs_on_gpu));
    }
    return features;
}

nb::object frame_rate_option(std::string_view feature)
{
    const auto option = tool::frame_rate_option(feature);
    if (!option)
        return nb::none();
    const std::string_view assumed = option->assumed;
    return nb::make_tuple(option->name, option->least, option->most, nb::str(assumed.data(), assumed.size()));
}

nb::list model_list()
{
    nb::list models;
    for (const tool::ModelRow &model : tool::model_table())
        models.append(nb::make_tuple(model.version, texts(model.features)));
    return models;
}

} // namespace vmaf::python
