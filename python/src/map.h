#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "model.h"

namespace vmaf::python {

/// The map of a feature of two frames, as a numpy array of float32, rows first. Throws Python's
/// exceptions.
/// @param bpc of uint16 planes that come without a Frame; 0: refuse them.
nanobind::object map_of(const std::string &feature, const OptionTexts &options, nanobind::handle ref,
                        nanobind::handle dis, unsigned bpc);

} // namespace vmaf::python
