#pragma once

#include <optional>
#include <span>
#include <string_view>

/// What the library can be asked for, as plain text: written at build time by describe_library.cpp from the library's own
/// tables, of which the tool links nothing.
namespace vmaf::tool {

struct FeatureOptionRow {
    const char *name;
    const char *type;          ///< bool, int, real or text
    const char *default_value; ///< empty: none that could be given
    const char *range;         ///< "LEAST..MOST" of a number; else empty
    const char *help;
    double least;
    double most;        ///< of a number
    bool is_frame_rate; ///< what the clip's is, unless somebody says another thing
};

struct FeatureRow {
    const char *name;
    const char *help;
    std::span<const FeatureOptionRow> options;
    /// Names of the score columns and aggregates that it may write; a suffix for each changed option may follow.
    std::span<const char *const> outputs;
    bool has_clip_values; ///< with some options: scores of the whole clip, which those of its parts do not tell
    bool differs_on_gpu;  ///< from its scores on a CPU, by more than nothing
};

struct ModelRow {
    const char *version;
    std::span<const char *const> features; ///< names of FeatureRows
};

/// Empty where the build could not run what it had compiled.
std::span<const FeatureRow> feature_table();
std::span<const ModelRow> model_table();

/// Of a feature's name that vmaf_use_feature takes: "vif_cuda" is vif on a GPU.
std::string_view without_device(std::string_view name);

/// By either name. Null: there is none, or no table.
const FeatureRow *find_feature_row(std::string_view name);

/// The option by which a feature is told the clip's frame rate.
struct FrameRateOption {
    const char *name;
    double least, most;
    std::string_view assumed; ///< what it takes a clip for whose rate is not known or not among those; empty: for none

    bool takes(double rate) const { return rate >= least && rate <= most; }
};
/// Empty: the feature has none.
std::optional<FrameRateOption> frame_rate_option(std::string_view feature);

} // namespace vmaf::tool
