#pragma once

#include <sys/stat.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "output/output_file.h"
#include "report/session_report.h"

namespace vmaf::tool {

/// Where a run's results go; each may be null.
struct Outputs {
    std::shared_ptr<OutputFile> scores;
    std::shared_ptr<OutputFile> report;

    /// See OutputFile.
    void abandon() const;
};

/// @param inputs not to be written over. Throws Failure.
Outputs open_outputs(const Options &options, std::span<const struct stat> inputs);

/// What became of the files.
struct WrittenResults {
    std::vector<std::string> partial;  ///< where an incomplete run's are
    std::vector<std::string> failures; ///< a line for each that could not be written
};

/// All of them are tried, whatever becomes of the others.
WrittenResults write_results(const Outputs &outputs, const ScoredRun &run);

} // namespace vmaf::tool
