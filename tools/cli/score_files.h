#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options.h"

namespace vmaf::tool {

struct ScoreFileKind {
    const char *suffix; ///< ".xml"
    VmafOutputFormat format;
    const char *name; ///< name shown to the user
};

/// The kind of score file for the path's suffix, in any case of letters; null: unknown suffix.
const ScoreFileKind *kind_by_suffix(const std::string &path);

/// Paths for the scores of each distorted video, in their order; empty: no score files. One video's
/// go to -o as it is given. For several, -o holds "{name}", the video's file name without folder
/// and suffix, or "%d", its number from 1 on; without -o they go to NAME.vmaf.json beside each
/// video (spec device_pictures 4). Throws UsageError if two would go to the same file.
std::vector<std::string> score_files(const OutputOptions &options, std::span<const std::string> distorted);

} // namespace vmaf::tool
