#pragma once

#include <string_view>
#include <vector>

#include "cli/specs.h"
#include "input/input_options.h"

/// The common test conditions of --aom_ctc and --nflx_ctc (spec cli 4.3).
namespace vmaf::tool {

/// Models and features from -m, --feature and the presets, in command-line order.
struct Selection {
    std::vector<ModelSpec> models;
    std::vector<FeatureSpec> features;

    /// Add models or features. UsageError beyond 32 of each.
    void add(ModelSpec model);
    void add(FeatureSpec feature);
    void add(std::vector<FeatureSpec> several);

    /// Whether a feature writes files of its own, of all frames, one after the other.
    bool writes_heatmaps() const;
};

/// Append the preset. Throws UsageError if there is none of that version.
/// @param input v6.0 and v7.0 bring both videos to the larger depth.
void add_aom_ctc(Selection &selection, InputOptions &input, std::string_view version);
void add_nflx_ctc(Selection &selection, std::string_view version);

} // namespace vmaf::tool
