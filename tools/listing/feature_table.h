#pragma once

#include <span>

/// What the library can be asked for, as plain text: written at build time by describe_library.cpp from the library's own
/// tables, of which the tool links nothing.
namespace vmaf::tool {

struct FeatureOptionRow {
    const char *name;
    const char *type;          ///< bool, int, real or text
    const char *default_value; ///< empty: none that could be given
    const char *range;         ///< "LEAST..MOST" of a number; else empty
    const char *help;
};

struct FeatureRow {
    const char *name;
    const char *help;
    std::span<const FeatureOptionRow> options;
    /// Names of the score columns and aggregates that it may write; a suffix for each changed option may follow.
    std::span<const char *const> outputs;
};

struct ModelRow {
    const char *version;
    std::span<const char *const> features; ///< names of FeatureRows
};

/// Empty where the build could not run what it had compiled.
std::span<const FeatureRow> feature_table();
std::span<const ModelRow> model_table();

} // namespace vmaf::tool
