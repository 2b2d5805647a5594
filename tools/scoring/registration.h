#pragma once

#include <vector>

#include "cli/presets.h"
#include "common/console.h"
#include "compared_videos.h"
#include "comparison/clip_options.h"
#include "scoring/library_log.h"
#include "scoring/model_files.h"
#include "scoring/scoring_models.h"

namespace vmaf::tool {

/// Choose the models that the videos decide on, and give features what they ask of their callers,
/// unless the user gives it. Once for all contexts. Throws Failure.
void fill_options(Selection &selection, const ClipFacts &facts, Warnings &warnings);

/// Say and record which of its models and features are made for SDR, if the encode is HDR. Models
/// that the videos decide on are chosen as fill_options() does.
void note_what_is_made_for_sdr(Videos &videos, std::size_t encode, const Selection &selection);

/// Register the models and features of the selection with a context. Throws Failure.
/// @param selection after fill_options().
/// @param files shared by contexts of one selection: what can be read only once is read once.
std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, ModelFiles &files,
                                       LibraryLog &log, Warnings &warnings);

/// False if it is certain that no feature of the selection reads chroma, so that the readers may
/// leave it out. A model's file and names that are not known here may want anything.
bool may_read_chroma(const Selection &selection);

} // namespace vmaf::tool
