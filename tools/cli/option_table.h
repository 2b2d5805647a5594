#pragma once

#include <span>
#include <string>
#include <string_view>

/// The one table of options: parsing, usage text, suggestions, completions and the manual page all
/// come from it (spec cli 2, 10.8).
namespace vmaf::tool {

enum class OptionId {
    reference,
    distorted,
    width,
    height,
    pixel_format,
    bitdepth,
    ref_format,
    dist_format,
    fps,
    no_autorotate,
    range_ref,
    range_dist,
    matrix_ref,
    matrix_dist,
    allow_network,
    decoder,
    film_grain,
    deinterlace,
    filter_ref,
    filter_dist,
    crop,
    crop_ref,
    crop_dist,
    frame_cnt,
    frame_skip_ref,
    frame_skip_dist,
    subsample,
    sample,
    align,
    offset,
    scale,
    display,
    scaler,
    accurate_scale,
    pix_fmt,
    background,
    allow_fps_mismatch,
    strict,
    compare_only,
    model,
    feature,
    aom_ctc,
    nflx_ctc,
    no_prediction,
    fail_under,
    fail_over,
    output,
    xml,
    json,
    csv,
    sub,
    log_details,
    precision,
    summary,
    no_summary,
    worst,
    html,
    report,
    pictures,
    maps,
    maps_depth,
    print,
    quiet,
    progress,
    threads,
    cpumask,
    gpumask,
    gpu,
    no_cuda,
    no_other_backend,
    backend,
    list_backends,
    self_test,
    list,
    completion,
    man,
    help,
    version,
};

enum class OptionGroup { input, matching, models, output, speed, other };

/// Abbreviations of an established name keep their meaning whatever is added later.
enum class Origin { established, added };

struct OptionRow {
    OptionId id;
    const char *name;
    char letter;       ///< 0: no short form
    const char *value; ///< what the help calls the argument; null: the option is a flag; "[=...]": it may be left out
    OptionGroup group;
    Origin origin;
    const char *help;
    const char *words =
        ""; ///< what the argument may be, with blanks between, for completion: of an open set the usual ones

    constexpr bool may_lack_value() const { return value && *value == '['; }
};

std::span<const OptionRow> option_table();

/// The option meant by a long name as typed (without "--"; '-' for '_' and unambiguous prefixes
/// allowed, spec cli 2.1). Throws UsageError if it is unknown or ambiguous.
const OptionRow &resolve_option(std::string_view typed);

/// Null if no option has this letter.
const OptionRow *find_letter(int letter);

struct OptionHeading {
    OptionGroup group;
    const char *text;
};

/// The groups in the order of the help.
std::span<const OptionHeading> option_headings();

/// The text of --help.
std::string usage_text();

} // namespace vmaf::tool
