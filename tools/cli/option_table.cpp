#include "cli/option_table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

using enum OptionGroup;
using enum Origin;

constexpr OptionRow kTable[] = {
    {OptionId::reference, "reference", 'r', "PATH", input, established, "reference video (required)"},
    {OptionId::distorted, "distorted", 'd', "PATH", input, established,
     "distorted video (required); pass several to score them against one reference,\n"
     "each with a score file of its own"},
    {OptionId::width, "width", 'w', "N", input, established, "raw video: luma width"},
    {OptionId::height, "height", 'h', "N", input, established, "raw video: luma height"},
    {OptionId::pixel_format, "pixel_format", 'p', "FORMAT", input, established, "raw video: 420, 422 or 444",
     "420 422 444"},
    {OptionId::bitdepth, "bitdepth", 'b', "N", input, established, "raw video: 8, 10, 12 or 16 bits per sample",
     "8 10 12 16"},
    {OptionId::ref_format, "ref_format", 0, "KIND", input, added,
     "kind of the reference: auto (default), raw, y4m or media", "auto raw y4m media"},
    {OptionId::dist_format, "dist_format", 0, "KIND", input, added, "kind of the distorted video",
     "auto raw y4m media"},
    {OptionId::fps, "fps", 0, "RATE", input, added,
     "frames per second of numbered images (-r frame_%04d.png): 25, 23.976 or 24000/1001", "24 25 30 50 60"},
    {OptionId::no_autorotate, "no_autorotate", 0, nullptr, input, added,
     "score pictures as stored: ignore the rotation and mirroring that files ask for"},
    {OptionId::range_ref, "range_ref", 0, "RANGE", input, added,
     "range of the reference's samples: limited or full; auto (default): as the file says,\n"
     "or limited if it says nothing",
     "auto limited full"},
    {OptionId::range_dist, "range_dist", 0, "RANGE", input, added, "range of the distorted video's samples",
     "auto limited full"},
    {OptionId::matrix_ref, "matrix_ref", 0, "MATRIX", input, added,
     "YUV matrix of the reference: bt601, bt709 or bt2020; auto (default): as the file says",
     "auto bt601 bt709 bt2020"},
    {OptionId::matrix_dist, "matrix_dist", 0, "MATRIX", input, added, "YUV matrix of the distorted video",
     "auto bt601 bt709 bt2020"},
    {OptionId::allow_network, "allow_network", 0, nullptr, input, added,
     "allow URLs, also inside media files such as playlists"},
    {OptionId::decoder, "decoder", 0, "WHICH", input, added,
     "decoder of media files: cuda (the GPU), software, or auto (default): the GPU if it scores,\n"
     "supports the format and is faster, else software",
     "auto cuda software"},
    {OptionId::film_grain, "film_grain", 0, "WHAT", input, added,
     "grain that decoders of AV1, H.264 and HEVC add: keep (default) or remove", "keep remove"},
    {OptionId::deinterlace, "deinterlace", 0, nullptr, input, added,
     "make a progressive frame from each frame of videos marked as interlaced (ffmpeg's bwdif)"},
    {OptionId::filter_ref, "filter_ref", 0, "GRAPH", input, added,
     "filter the reference with a graph of ffmpeg's libavfilter, such as crop=1920:800 or fps=25"},
    {OptionId::filter_dist, "filter_dist", 0, "GRAPH", input, added, "filter the distorted videos with such a graph"},
    {OptionId::crop, "crop", 0, "HOW", input, added,
     "crop both videos before they are scaled: W:H:X:Y, a rectangle from column X and row Y on;\n"
     "L,R,T,B, columns and rows to cut off; auto, black bars; or none (default)",
     "auto none"},
    {OptionId::crop_ref, "crop_ref", 0, "HOW", input, added, "crop the reference alone", "auto none"},
    {OptionId::crop_dist, "crop_dist", 0, "HOW", input, added, "crop the distorted videos alone", "auto none"},
    {OptionId::frame_cnt, "frame_cnt", 0, "N", matching, established, "stop after N frame pairs (0: no limit)"},
    {OptionId::frame_skip_ref, "frame_skip_ref", 0, "N", matching, established,
     "drop the first N frames of the reference"},
    {OptionId::frame_skip_dist, "frame_skip_dist", 0, "N", matching, established,
     "drop the first N frames of the distorted video"},
    {OptionId::subsample, "subsample", 0, "N", matching, established, "score every N-th frame only"},
    {OptionId::sample, "sample", 0, "SHARE", matching, added,
     "score a fair choice of frames, with an interval for the mean of all frames: N%, or\n"
     "auto:ERR, until the first score is known within ERR",
     "10% auto:0.5"},
    {OptionId::align, "align", 0, "HOW", matching, added,
     "how frames are paired: off, by number; check (default), by number, with a warning if\n"
     "others fit better; offset, by one lag that is found; frames, each distorted frame with\n"
     "the reference frame that it shows",
     "off check offset frames"},
    {OptionId::offset, "offset", 0, "N", matching, added,
     "how late the distorted videos are, in frames or in seconds (0.5s); negative: early"},
    {OptionId::scale, "scale", 0, "HOW", matching, added,
     "scale the distorted video to the reference (ref), both videos (WxH), or nothing (none);\n"
     "auto (default): ref if one of the two is a media file, else none",
     "auto none ref"},
    {OptionId::display, "display", 0, "WHAT", matching, added,
     "scale both videos to just fit 1080p, phone (1920x1080), 4k or 4k_tv (3840x2160); none (default)",
     "none 1080p phone 4k 4k_tv"},
    {OptionId::scaler, "scaler", 0, "WHICH", matching, added,
     "swscale (default): as ffmpeg's scale filter; integer: the library's own, with the same\nresult on every "
     "processor and GPU",
     "swscale integer"},
    {OptionId::accurate_scale, "accurate_scale", 0, nullptr, matching, added,
     "scale exactly, with the same result on every processor"},
    {OptionId::pix_fmt, "pix_fmt", 0, "FORMAT", matching, added,
     "compare as 420, 422p10, 444p16, mono...; none: formats must be equal; auto (default):\n"
     "the reference's chroma format and the larger depth if one of the two is a media file",
     "auto none 420 422 444 420p10 422p10 444p10 mono mono10"},
    {OptionId::background, "background", 0, "RRGGBB", matching, added,
     "compose transparent videos over this colour; without it, transparency is ignored with a\n"
     "warning",
     "000000 ffffff"},
    {OptionId::allow_fps_mismatch, "allow_fps_mismatch", 0, nullptr, matching, added,
     "compare frame by frame although frame rates differ"},
    {OptionId::strict, "strict", 0, nullptr, matching, added, "turn warnings into errors"},
    {OptionId::compare_only, "compare_only", 0, nullptr, matching, added,
     "print as JSON which pictures would be compared, and score nothing"},
    {OptionId::model, "model", 'm', "MODEL", models, established,
     "version=NAME, path=FILE, a built-in NAME, a FILE, auto (v0 by height), or v1 or v0 (by display\n"
     "and frame rate); then any of :name=NAME, :disable_clip, :enable_transform,\n"
     ":EXTRACTOR.OPTION=VALUE; repeatable (default: vmaf_v0.6.1)"},
    {OptionId::feature, "feature", 0, "FEATURE", models, established,
     "extra feature extractor: NAME, NAME,NAME or NAME=OPTION=VALUE:OPTION=VALUE; repeatable"},
    {OptionId::aom_ctc, "aom_ctc", 0, "VERSION", models, established,
     "models and features of the AOM common test conditions, v1.0 to v7.0", "v1.0 v2.0 v3.0 v4.0 v5.0 v6.0 v7.0"},
    {OptionId::nflx_ctc, "nflx_ctc", 0, "VERSION", models, established,
     "models and features of the Netflix common test conditions, v1.0", "v1.0"},
    {OptionId::no_prediction, "no_prediction", 'n', nullptr, models, established,
     "extract features only, no model score"},
    {OptionId::fail_under, "fail_under", 0, "GATE", models, added,
     "exit with 3 if the score is lower: [METRIC[@STATISTIC]=]NUMBER, such as 93, vmaf@p1=80 or\n"
     "psnr_y@min=30; STATISTIC is mean (default), harmonic_mean, min, p1, p5, median, p95, p99 or\n"
     "max; repeatable"},
    {OptionId::fail_over, "fail_over", 0, "GATE", models, added,
     "exit with 3 if the score is higher, for metrics where lower is better: cambi=5,\n"
     "butteraugli_3norm@p99=2; otherwise as --fail_under"},
    {OptionId::output, "output", 'o', "PATH", output, established,
     "score file; - is standard output, as is a lone - without this option; for several -d the\n"
     "path contains {name} or %d; by default these write NAME.vmaf.json next to each video"},
    {OptionId::xml, "xml", 0, nullptr, output, established, "score file as XML (default)"},
    {OptionId::json, "json", 0, nullptr, output, established, "score file as JSON"},
    {OptionId::csv, "csv", 0, nullptr, output, established, "score file as CSV"},
    {OptionId::sub, "sub", 0, nullptr, output, established, "score file as subtitles"},
    {OptionId::log_details, "log_details", 0, nullptr, output, added,
     "also write videos, models and percentiles into the score file (XML or JSON)"},
    {OptionId::precision, "precision", 0, "N", output, added,
     "significant digits of scores in the file and the result lines: 1 to 17; max or full:\n"
     "enough to keep every bit; legacy (default): 6 decimals for most scores",
     "6 9 17 max full legacy"},
    {OptionId::summary, "summary", 0, "[=full]", output, added,
     "statistics of models and extra features on stderr (default on a terminal, without -q);\n"
     "full: of every metric",
     "full"},
    {OptionId::no_summary, "no_summary", 0, nullptr, output, added, "print no statistics"},
    {OptionId::worst, "worst", 0, "N", output, added,
     "list the N worst frames of the first model, or the first feature, on stderr"},
    {OptionId::html, "html", 0, "PATH", output, added,
     "write a report with plots as one HTML file, with or without a score file"},
    {OptionId::report, "report", 0, "PATH", output, added,
     "with --html: make the report from scores that were saved as JSON, by this command, ffmpeg\n"
     "or libvmaf; scores nothing; more files follow"},
    {OptionId::pictures, "pictures", 0, "N", output, added,
     "show the N worst frames of each video in the report, up to 100 (default: up to 12, in\n"
     "at most 4 MB)"},
    {OptionId::maps, "maps", 0, "FOLDER", output, added,
     "write a PNG file for each scored frame and each --feature that has a map; it shows where\n"
     "the loss is: brighter is worse; maps.json has the scales"},
    {OptionId::maps_depth, "maps_depth", 0, "BITS", output, added,
     "bits of these files: 8, colours of a palette (default), or 16, grey", "8 16"},
    {OptionId::print, "print", 0, nullptr, output, added,
     "print pooled scores on standard output, a line NAME VALUE for each column; with several\n"
     "-d, the video's path comes first"},
    {OptionId::quiet, "quiet", 'q', nullptr, output, established, "print no progress, and no statistics on a terminal"},
    {OptionId::progress, "progress", 0, "KIND", output, added, "progress on stderr: auto (default), bar, plain or none",
     "auto bar plain none"},
    {OptionId::threads, "threads", 0, "N", speed, established, "worker threads (default: one per available core)"},
    {OptionId::cpumask, "cpumask", 'c', "BITS", speed, established,
     "CPU instruction sets not to use (-1: use plain code only)"},
    {OptionId::gpumask, "gpumask", 0, "BITS", speed, established,
     "not 0: models score on the CPU; -1: do not open the GPU"},
    {OptionId::gpu, "gpu", 0, "WHICH", speed, added,
     "auto (default): the first GPU, if there is one; none; N: GPU number N, from 0, as\n"
     "CUDA_VISIBLE_DEVICES shows them; N,N,... or all: several share the work; vkN: Vulkan\n"
     "device number N; fails if a GPU that you name cannot be used",
     "auto none 0 all vk0"},
    {OptionId::no_cuda, "no_cuda", 0, nullptr, speed, added, "the same as --gpu none"},
    {OptionId::backend, "backend", 0, "KIND", speed, added,
     "cpu: as --gpu none; auto: as --gpu auto; cuda, vulkan: the first GPU or Vulkan device;\n"
     "fails if it cannot be used",
     "auto cpu cuda vulkan"},
    {OptionId::no_other_backend, "no_sycl", 0, nullptr, speed, added,
     "without effect, like the next two: there is no such backend"},
    {OptionId::no_other_backend, "no_hip", 0, nullptr, speed, added, "without effect"},
    {OptionId::no_other_backend, "no_metal", 0, nullptr, speed, added, "without effect"},
    {OptionId::list, "list", 0, "WHAT", other, added,
     "print the names of all models, features (with their options) or gpus", "models features gpus"},
    {OptionId::list_backends, "list_backends", 0, nullptr, other, added,
     "print as JSON whether CPU, CUDA and Vulkan can be used here, and why not"},
    {OptionId::self_test, "self_test", 0, nullptr, other, added,
     "score generated pictures on the GPU of --gpu and on the CPU, and print for each feature\n"
     "whether its scores are equal; exit with 3 if one differs"},
    {OptionId::completion, "completion", 0, "SHELL", other, added,
     "print a script that completes this command's options", "bash zsh fish"},
    {OptionId::man, "man", 0, nullptr, other, added, "print the manual page, for man -l"},
    {OptionId::help, "help", 0, nullptr, other, added, "print this text"},
    {OptionId::version, "version", 'v', nullptr, other, established, "print the library's version on stderr"},
};

std::vector<const OptionRow *> rows_with_prefix(std::string_view prefix, bool established_only)
{
    std::vector<const OptionRow *> rows;
    for (const OptionRow &row : kTable)
        if (std::string_view(row.name).starts_with(prefix) && (row.origin == established || !established_only))
            rows.push_back(&row);
    return rows;
}

std::string suggested_name(std::string_view typed)
{
    std::vector<std::string_view> names;
    for (const OptionRow &row : kTable)
        names.emplace_back(row.name);
    return suggestion(typed, names, "--");
}

constexpr int kHelpColumn = 33;

constexpr OptionHeading kHeadings[] = {
    {OptionGroup::input, "Input (mp4, mkv and all that ffmpeg reads; Y4M; raw YUV with -w -h -p -b):"},
    {OptionGroup::matching, "Matching:"},
    {OptionGroup::models, "Models and features:"},
    {OptionGroup::output, "Output:"},
    {OptionGroup::speed, "Speed:"},
    {OptionGroup::other, "Other:"},
};

std::string names_of(const OptionRow &row)
{
    const std::string letter = row.letter != 0 ? formatted("-{}, ", row.letter) : std::string(4, ' ');
    const char *const separator = row.value && !row.may_lack_value() ? " " : "";
    return formatted("  {}--{}{}{}", letter, row.name, separator, row.value ? row.value : "");
}

/// Lines after the first are indented to the help's column.
void append_row(std::string &text, const OptionRow &row)
{
    std::string left = names_of(row);
    for (std::string_view rest = row.help; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        text += formatted("{:<{}}{}\n", left, kHelpColumn, rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        left.clear();
    }
}

} // namespace

std::span<const OptionRow> option_table()
{
    return kTable;
}

const OptionRow &resolve_option(std::string_view typed)
{
    std::string name(typed);
    std::ranges::replace(name, '-', '_');
    const auto *exact = std::ranges::find(kTable, std::string_view(name),
                                          [](const OptionRow &row) { return std::string_view(row.name); });
    if (exact != std::end(kTable))
        return *exact;
    if (const auto rows = rows_with_prefix(name, true); rows.size() == 1)
        return *rows.front();
    const auto rows = rows_with_prefix(name, false);
    if (rows.empty())
        throw UsageError(formatted("unknown option --{}{}", printable(typed), suggested_name(name)));
    if (rows.size() > 1)
        throw UsageError(formatted("option --{} is ambiguous: --{} or --{}", typed, rows[0]->name, rows[1]->name));
    return *rows.front();
}

const OptionRow *find_letter(int letter)
{
    for (const OptionRow &row : kTable)
        if (row.letter != 0 && row.letter == letter)
            return &row;
    return nullptr;
}

std::span<const OptionHeading> option_headings()
{
    return kHeadings;
}

std::string usage_text()
{
    std::string text = "usage: vmaf -r REFERENCE -d DISTORTED [options]\n\n"
                       "  vmaf -r reference.mp4 -d encode.mp4                      print the VMAF score\n"
                       "  vmaf -r reference.mp4 -d encode.mp4 --html report.html   write a report to look at\n"
                       "  vmaf -r reference.mp4 -d low.mp4 -d high.mp4 --feature psnr --csv -o scores.csv\n";
    for (const OptionHeading &heading : kHeadings) {
        text += formatted("\n{}\n", heading.text);
        for (const OptionRow &row : option_table())
            if (row.group == heading.group)
                append_row(text, row);
    }
    return text;
}

} // namespace vmaf::tool
