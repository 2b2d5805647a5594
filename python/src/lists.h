#pragma once

#include <nanobind/nanobind.h>

namespace vmaf::python {

/// [(name, help, [(option, type, default, range, help)], [output])]
nanobind::list feature_list();
/// [(version, [feature])]
nanobind::list model_list();

} // namespace vmaf::python
