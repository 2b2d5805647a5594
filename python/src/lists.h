#pragma once

#include <string_view>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

namespace vmaf::python {

/// [(name, help, [(option, type, default, range, help)], [output], differs_on_gpu)]
nanobind::list feature_list();
/// (name, least, most, assumed) of the option by which a feature is told the clip's frame rate; None if it has none.
nanobind::object frame_rate_option(std::string_view feature);
/// [(version, [feature])]
nanobind::list model_list();

} // namespace vmaf::python
