#pragma once

#include <optional>
#include <vector>

#include "cli/presets.h"
#include "common/console.h"
#include "scoring/library_log.h"
#include "scoring/model_files.h"
#include "scoring/scoring_models.h"

namespace vmaf::tool {

/// Register the models and features of the selection with a context. Throws Failure.
/// @param height_px of the scored pictures.
/// @param frame_rate of the reference, if it is known: features that ask for one get it, unless the user gives them another.
/// @param files shared by contexts of one selection: what can be read only once is read once.
std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, unsigned height_px,
                                       std::optional<double> frame_rate, ModelFiles &files, LibraryLog &log,
                                       Warnings &warnings);

/// False if it is certain that no feature of the selection reads chroma, so that the readers may leave it out. A model's file
/// and names that are not known here may want anything.
bool may_read_chroma(const Selection &selection);

} // namespace vmaf::tool
