#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "output/output_file.h"
#include "report/session_report.h"

namespace vmaf::tool {

/// Where results go.
struct Outputs {
    std::vector<std::shared_ptr<OutputFile>> scores; ///< one for each distorted video, or none
    std::shared_ptr<OutputFile> report;              ///< may be null

    /// See OutputFile.
    void abandon() const;
};

/// @param inputs not to be written over. Throws Failure.
Outputs open_outputs(const Options &options, std::span<const FileStatus> inputs);

/// What became of the files.
struct WrittenResults {
    std::vector<std::string> partial;  ///< where those of incomplete runs are
    std::vector<std::string> failures; ///< a line for each that could not be written
};

/// All of them are tried, whatever becomes of the others. @param runs one for each distorted video.
WrittenResults write_results(const Outputs &outputs, std::span<const ScoredRun> runs);

} // namespace vmaf::tool
