#include "cli/options.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include <getopt.h>

#include "cli/option_table.h"
#include "cli/score_files.h"
#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"
#include "output/score_text.h"

namespace vmaf::tool {
namespace {

/// @param words of which one may have been meant.
[[noreturn]] void invalid_argument(const OptionRow &row, std::string_view text, std::string_view should_be,
                                   const std::vector<std::string_view> &words = {})
{
    throw UsageError(formatted("invalid argument \"{}\" for option --{}; should be {}{}", printable(text), row.name,
                               should_be, suggestion(text, words)));
}

struct Number {
    unsigned value;
    bool is_as_written;
};

/// Masks are written as negative numbers by custom: -1 is all bits.
bool is_mask(const OptionRow &row)
{
    return row.id == OptionId::cpumask || row.id == OptionId::gpumask;
}

/// C strtoul, base 0, kept as 32 bit: "-1" is 4294967295, "010" is 8 (spec cli 2.1).
Number parse_unsigned(const OptionRow &row, const char *text)
{
    char *end = nullptr;
    errno = 0;
    const unsigned long long wide = std::strtoull(text, &end, 0);
    if (end == text || *end != '\0')
        invalid_argument(row, text, "an integer");
    const auto value = static_cast<unsigned>(wide);
    const bool is_negative = std::strchr(text, '-') != nullptr && wide != 0;
    if (is_negative && is_mask(row))
        return {value, errno == 0 && static_cast<long long>(wide) >= std::numeric_limits<int>::min()};
    return {value, errno == 0 && value == wide && !is_negative};
}

VmafPixelFormat parse_pixel_format(const OptionRow &row, std::string_view text)
{
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        if (text == pixel_format_text(format))
            return format;
    invalid_argument(row, text, "420, 422 or 444");
}

ContainerFormat container_format(const OptionRow &row, std::string_view text)
{
    if (const auto format = parse_container_format(text))
        return *format;
    invalid_argument(row, text, "auto, raw, y4m or media", {"auto", "raw", "y4m", "media"});
}

std::optional<Range> range(const OptionRow &row, std::string_view text)
{
    if (const auto range = parse_range(text))
        return *range;
    invalid_argument(row, text, "auto, limited or full", {"auto", "limited", "full"});
}

std::optional<int> matrix(const OptionRow &row, std::string_view text)
{
    if (const auto matrix = parse_matrix(text))
        return *matrix;
    invalid_argument(row, text, "auto, bt601, bt709, bt2020 or another name that ffmpeg has",
                     {"auto", "bt601", "bt709", "bt2020"});
}

Background background(const OptionRow &row, std::string_view text)
{
    if (const auto background = parse_background(text))
        return *background;
    invalid_argument(row, text, "a colour like 000000 or ffffff");
}

CropOption crop(const OptionRow &row, std::string_view text)
{
    if (const auto crop = parse_crop(text))
        return *crop;
    invalid_argument(row, text, "auto, none, W:H:X:Y or L,R,T,B", {"auto", "none"});
}

Decoding decoding(const OptionRow &row, std::string_view text)
{
    if (const auto decoding = parse_decoding(text))
        return *decoding;
    invalid_argument(row, text, "auto, cuda or software", {"auto", "cuda", "software"});
}

FilmGrain film_grain(const OptionRow &row, std::string_view text)
{
    if (const auto grain = parse_film_grain(text))
        return *grain;
    invalid_argument(row, text, "keep or remove", {"keep", "remove"});
}

Fraction frame_rate(const OptionRow &row, std::string_view text)
{
    if (const auto rate = parse_frame_rate(text))
        return *rate;
    invalid_argument(row, text, "frames per second, such as 25, 23.976 or 24000/1001");
}

Alignment alignment(const OptionRow &row, std::string_view text)
{
    if (const auto alignment = parse_alignment(text))
        return *alignment;
    invalid_argument(row, text, "off, check, offset or frames", {"off", "check", "offset", "frames"});
}

FrameOffset frame_offset(const OptionRow &row, std::string_view text)
{
    if (const auto offset = parse_frame_offset(text))
        return *offset;
    invalid_argument(row, text, "a number of frames, such as 1 or -2, or seconds, such as 0.5s");
}

SampleOption sample(const OptionRow &row, std::string_view text)
{
    if (const auto sample = parse_sample(text))
        return *sample;
    invalid_argument(row, text, "a share of the frames below 100 %, such as 10%, or auto:0.5");
}

ScaleOption scale(const OptionRow &row, std::string_view text)
{
    if (const auto scale = parse_scale(text))
        return *scale;
    invalid_argument(row, text, "auto, none, ref or a size like 1920x1080", {"auto", "none", "ref"});
}

Display display(const OptionRow &row, std::string_view text)
{
    if (const auto display = parse_display(text))
        return *display;
    invalid_argument(row, text, "none, 1080p, phone, 4k or 4k_tv", {"none", "1080p", "phone", "4k", "4k_tv"});
}

ScalerChoice scaler(const OptionRow &row, std::string_view text)
{
    if (const auto scaler = parse_scaler(text))
        return *scaler;
    invalid_argument(row, text, "swscale or integer", {"swscale", "integer"});
}

PixelFormatOption common_format(const OptionRow &row, std::string_view text)
{
    if (const auto format = parse_common_format(text))
        return *format;
    invalid_argument(row, text, "auto, none or a format like 420, 422p10, 444p16, mono", {"auto", "none", "mono"});
}

ProgressKind parse_progress(const OptionRow &row, std::string_view text)
{
    if (text == "auto")
        return ProgressKind::automatic;
    if (text == "bar")
        return ProgressKind::bar;
    if (text == "plain")
        return ProgressKind::plain;
    if (text == "none")
        return ProgressKind::none;
    invalid_argument(row, text, "auto, bar, plain or none", {"auto", "bar", "plain", "none"});
}

NumberFormat parse_precision(const OptionRow &row, std::string_view text)
{
    if (text == "legacy")
        return {};
    if (text == "max" || text == "full")
        return NumberFormat::full();
    unsigned digits = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), digits);
    if (error != std::errc() || end != text.end() || digits == 0 || digits > NumberFormat::kFullDigits)
        invalid_argument(row, text, formatted("1 to {}, max, full or legacy", NumberFormat::kFullDigits),
                         {"max", "full", "legacy"});
    return NumberFormat::digits(digits);
}

/// @param value null: none was given.
SummaryKind parse_summary(const OptionRow &row, const char *value)
{
    if (!value)
        return SummaryKind::brief;
    if (std::string_view(value) == "full")
        return SummaryKind::full;
    invalid_argument(row, value, "full, or left out", {"full"});
}

MapPixels map_pixels(const OptionRow &row, std::string_view text)
{
    if (text == "8")
        return MapPixels::colours;
    if (text == "16")
        return MapPixels::grey;
    invalid_argument(row, text, "8 or 16");
}

Action parse_list(const OptionRow &row, std::string_view text)
{
    if (text == "models")
        return Action::list_models;
    if (text == "features")
        return Action::list_features;
    if (text == "gpus")
        return Action::list_gpus;
    invalid_argument(row, text, "models, features or gpus", {"models", "features", "gpus"});
}

Action parse_shell(const OptionRow &row, std::string_view text)
{
    if (text == "bash")
        return Action::complete_bash;
    if (text == "zsh")
        return Action::complete_zsh;
    if (text == "fish")
        return Action::complete_fish;
    invalid_argument(row, text, "bash, zsh or fish", {"bash", "zsh", "fish"});
}

GpuSelection parse_gpu(const OptionRow &row, std::string_view text)
{
    constexpr std::string_view kVulkan = "vk";
    if (text == "auto")
        return {GpuUse::if_possible};
    if (text == "none")
        return {GpuUse::none};
    if (text == "all")
        return {.use = GpuUse::demanded, .kind = GpuKind::cuda, .all = true};
    const bool is_vulkan = text.starts_with(kVulkan);
    std::vector<unsigned> devices;
    for (std::string_view rest = is_vulkan ? text.substr(kVulkan.size()) : text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        unsigned device = 0;
        const auto [end, error] = std::from_chars(item.begin(), item.end(), device);
        if (error != std::errc() || end != item.end())
            invalid_argument(row, text, "auto, none, all, numbers of GPUs (0 or 0,1) or a Vulkan device (vk0)",
                             {"auto", "none", "all", "vk0"});
        if (std::ranges::find(devices, device) != devices.end())
            invalid_argument(row, text, "numbers of different GPUs");
        devices.push_back(device);
        if (comma == rest.npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    if (devices.size() == 1)
        return {
            .use = GpuUse::demanded, .kind = is_vulkan ? GpuKind::vulkan : GpuKind::cuda, .device = devices.front()};
    if (is_vulkan)
        invalid_argument(row, text, "one Vulkan device");
    return {.use = GpuUse::demanded, .kind = GpuKind::cuda, .devices = std::move(devices)};
}

GpuSelection parse_backend(const OptionRow &row, std::string_view text)
{
    if (text == "cpu")
        return {GpuUse::none};
    if (text == "auto")
        return {GpuUse::if_possible};
    if (text == "cuda")
        return {GpuUse::demanded, GpuKind::cuda};
    if (text == "vulkan")
        return {GpuUse::demanded, GpuKind::vulkan};
    invalid_argument(row, text, "cpu, auto, cuda or vulkan", {"cpu", "auto", "cuda", "vulkan"});
}

/// One pass over the arguments, in their order.
class Parser {
  public:
    Parser(int argc, const char *const *argv, const IsBuiltinModel &is_builtin);
    Options parse();

  private:
    void expand_next_long_name();
    void handle(int code);
    void apply(const OptionRow &row, const char *value);
    unsigned number(const OptionRow &row, const char *text);
    unsigned bitdepth(const OptionRow &row, const char *text);
    unsigned subsample(const OptionRow &row, const char *text);
    unsigned pictures(const OptionRow &row, const char *text);
    VideoFormat &raw();
    void add_saved(const char *path);
    void positional(std::string_view argument);
    void check_strays() const;
    void check_report() const;
    void check_distorted() const;
    void check_raw_options() const;
    void check_sample() const;
    void check_maps();
    void check_combination();
    void settle_output();
    void settle_format();
    void settle_gpu();

    std::deque<std::string> expanded_; ///< owns the texts put into argv_
    std::vector<char *> argv_;
    std::string letters_ = "-:"; ///< report everything in order, say which argument is missing
    std::vector<option> long_options_;
    const IsBuiltinModel &is_builtin_;
    bool lone_dash_ = false;
    std::vector<std::string> strays_;        ///< arguments without an option
    std::optional<VmafOutputFormat> format_; ///< asked for
    bool no_cuda_ = false;
    GpuSelection backend_;
    Options options_;
};

constexpr int argument_kind(const OptionRow &row)
{
    return !row.value ? no_argument : row.may_lack_value() ? optional_argument : required_argument;
}

constexpr int kFirstLongCode = 256;
constexpr unsigned kNoGpuMask = 4294967295U;

Parser::Parser(int argc, const char *const *argv, const IsBuiltinModel &is_builtin) : is_builtin_(is_builtin)
{
    for (int i = 0; i < argc; ++i)
        argv_.push_back(expanded_.emplace_back(argv[i]).data());
    argv_.push_back(nullptr);
    int code = kFirstLongCode;
    for (const OptionRow &row : option_table()) {
        long_options_.push_back({row.name, argument_kind(row), nullptr, code++});
        if (row.letter != 0)
            letters_ += row.value ? formatted("{}:", row.letter) : std::string(1, row.letter);
    }
    long_options_.push_back({});
}

/// getopt_long sees exact names only, so that our own rules decide what an abbreviation means.
void Parser::expand_next_long_name()
{
    char *&next = argv_[static_cast<std::size_t>(optind == 0 ? 1 : optind)];
    const std::string_view text = next ? next : "";
    if (text.size() < 3 || !text.starts_with("--"))
        return;
    const std::size_t equals = text.find('=');
    const OptionRow &row = resolve_option(text.substr(2, equals == text.npos ? equals : equals - 2));
    const std::string_view value = equals == text.npos ? "" : text.substr(equals);
    next = expanded_.emplace_back(formatted("--{}{}", row.name, value)).data();
}

void Parser::handle(int code)
{
    if (code == 1)
        return positional(optarg);
    const bool bad = code == '?' || code == ':';
    const int meant = bad ? optopt : code;
    const OptionRow *row = meant >= kFirstLongCode ? &option_table()[static_cast<std::size_t>(meant - kFirstLongCode)]
                                                   : find_letter(meant);
    if (!row)
        throw UsageError(formatted("unknown option -{}", printable(std::string(1, static_cast<char>(meant)))));
    if (code == ':')
        throw UsageError(formatted("option --{} needs an argument", row->name));
    if (code == '?')
        throw UsageError(formatted("option --{} takes no argument", row->name));
    apply(*row, optarg);
}

Options Parser::parse()
{
    opterr = 0;
    optind = 0; // glibc: forget an earlier parse
    const int argc = static_cast<int>(argv_.size()) - 1;
    for (;;) {
        if (argc > 1)
            expand_next_long_name();
        const int code = getopt_long(argc, argv_.data(), letters_.c_str(), long_options_.data(), nullptr);
        if (code == -1)
            break;
        handle(code);
        if (options_.action != Action::score && options_.action != Action::report &&
            options_.action != Action::self_test)
            return std::move(options_);
    }
    for (int i = optind; i < argc; ++i)
        positional(argv_[static_cast<std::size_t>(i)]);
    check_strays();
    if (options_.action == Action::report)
        check_report();
    else if (options_.action == Action::self_test)
        settle_gpu();
    else
        check_combination();
    return std::move(options_);
}

/// What the established tool makes of a number that is too large or negative is part of what it
/// accepts.
unsigned Parser::number(const OptionRow &row, const char *text)
{
    const Number number = parse_unsigned(row, text);
    if (!number.is_as_written)
        options_.warnings.push_back(
            formatted("--{} {} is out of range and read as {}", row.name, printable(text), number.value));
    return number.value;
}

unsigned Parser::bitdepth(const OptionRow &row, const char *text)
{
    const unsigned depth = number(row, text);
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        invalid_argument(row, text, "8, 10, 12 or 16");
    return depth;
}

unsigned Parser::subsample(const OptionRow &row, const char *text)
{
    const unsigned step = number(row, text);
    if (step == 0)
        options_.warnings.push_back("--subsample 0 scores every frame, as 1 does");
    return step;
}

unsigned Parser::pictures(const OptionRow &row, const char *text)
{
    constexpr unsigned kMost = 100; // they are in memory together
    const unsigned count = number(row, text);
    if (count > kMost)
        invalid_argument(row, text, "0 to 100");
    return count;
}

VideoFormat &Parser::raw()
{
    auto &raw = options_.reading.input.raw;
    return raw ? *raw : raw.emplace();
}

void Parser::apply(const OptionRow &row, const char *value)
{
    Selection &selection = options_.selection;
    // clang-format off
    switch (row.id) {
    case OptionId::reference: options_.reading.reference = value; break;
    case OptionId::distorted: options_.reading.distorted.push_back(value); break;
    case OptionId::width: raw().width_px = number(row, value); break;
    case OptionId::height: raw().height_px = number(row, value); break;
    case OptionId::pixel_format: raw().pix_fmt = parse_pixel_format(row, value); break;
    case OptionId::bitdepth: raw().depth = bitdepth(row, value); break;
    case OptionId::ref_format: options_.reading.input.ref.container = container_format(row, value); break;
    case OptionId::dist_format: options_.reading.input.dis.container = container_format(row, value); break;
    case OptionId::range_ref: options_.reading.input.ref.samples.range = range(row, value); break;
    case OptionId::range_dist: options_.reading.input.dis.samples.range = range(row, value); break;
    case OptionId::matrix_ref: options_.reading.input.ref.samples.matrix = matrix(row, value); break;
    case OptionId::matrix_dist: options_.reading.input.dis.samples.matrix = matrix(row, value); break;
    case OptionId::fps: options_.reading.input.sequence_rate = frame_rate(row, value); break;
    case OptionId::no_autorotate: options_.reading.input.autorotate = false; break;
    case OptionId::allow_network: options_.reading.input.allow_network = true; break;
    case OptionId::decoder: options_.reading.input.decoding = decoding(row, value); break;
    case OptionId::film_grain: options_.reading.input.film_grain = film_grain(row, value); break;
    case OptionId::deinterlace: options_.reading.input.deinterlace = true; break;
    case OptionId::filter_ref: options_.reading.input.ref.filter = value; break;
    case OptionId::filter_dist: options_.reading.input.dis.filter = value; break;
    case OptionId::crop: options_.reading.input.crop = crop(row, value); break;
    case OptionId::crop_ref: options_.reading.input.ref.crop = crop(row, value); break;
    case OptionId::crop_dist: options_.reading.input.dis.crop = crop(row, value); break;
    case OptionId::frame_cnt: options_.reading.count = number(row, value); break;
    case OptionId::frame_skip_ref: options_.reading.skip_ref = number(row, value); break;
    case OptionId::frame_skip_dist: options_.reading.skip_dist = number(row, value); break;
    case OptionId::sample: options_.reading.sample = sample(row, value); break;
    case OptionId::subsample: options_.reading.subsample = subsample(row, value); break;
    case OptionId::align: options_.reading.align = alignment(row, value); break;
    case OptionId::offset: options_.reading.offset = frame_offset(row, value); break;
    case OptionId::scale: options_.reading.input.scale = scale(row, value); break;
    case OptionId::display: options_.reading.input.display = display(row, value); break;
    case OptionId::scaler: options_.reading.input.scaler = scaler(row, value); break;
    case OptionId::accurate_scale: options_.reading.input.accurate_scale = true; break;
    case OptionId::pix_fmt: options_.reading.input.pix_fmt = common_format(row, value); break;
    case OptionId::background: options_.reading.input.background = background(row, value); break;
    case OptionId::allow_fps_mismatch: options_.reading.input.allow_fps_mismatch = true; break;
    case OptionId::strict: options_.reading.strict = true; break;
    case OptionId::compare_only: options_.compare_only = true; break;
    case OptionId::model: selection.add(parse_model_spec(value, is_builtin_)); break;
    case OptionId::feature: selection.add(parse_feature_specs(value)); break;
    case OptionId::aom_ctc: add_aom_ctc(selection, options_.reading.input, value); break;
    case OptionId::nflx_ctc: add_nflx_ctc(selection, value); break;
    case OptionId::no_prediction: options_.no_prediction = true; break;
    case OptionId::fail_under: options_.answers.gates.push_back(parse_gate_spec(value, GateKind::under)); break;
    case OptionId::fail_over: options_.answers.gates.push_back(parse_gate_spec(value, GateKind::over)); break;
    case OptionId::output: options_.outputs.path = value; break;
    case OptionId::xml: format_ = VMAF_OUTPUT_FORMAT_XML; break;
    case OptionId::json: format_ = VMAF_OUTPUT_FORMAT_JSON; break;
    case OptionId::csv: format_ = VMAF_OUTPUT_FORMAT_CSV; break;
    case OptionId::sub: format_ = VMAF_OUTPUT_FORMAT_SUB; break;
    case OptionId::log_details: options_.outputs.details = true; break;
    case OptionId::precision: options_.outputs.precision = parse_precision(row, value); break;
    case OptionId::summary: options_.answers.summary = parse_summary(row, value); break;
    case OptionId::no_summary: options_.answers.summary = SummaryKind::none; break;
    case OptionId::worst: options_.answers.worst = number(row, value); break;
    case OptionId::html: options_.outputs.html = value; break;
    case OptionId::report: add_saved(value); break;
    case OptionId::pictures: options_.outputs.pictures = pictures(row, value); break;
    case OptionId::maps: options_.outputs.maps = value; break;
    case OptionId::maps_depth: options_.outputs.map_pixels = map_pixels(row, value); break;
    case OptionId::print: options_.answers.print = true; break;
    case OptionId::quiet: options_.quiet = true; break;
    case OptionId::progress: options_.progress = parse_progress(row, value); break;
    case OptionId::threads: options_.sessions.threads = number(row, value); break;
    case OptionId::cpumask: options_.sessions.cpumask = number(row, value); break;
    case OptionId::gpumask: options_.sessions.gpumask = number(row, value); break;
    case OptionId::gpu: options_.sessions.gpu = parse_gpu(row, value); break;
    case OptionId::no_cuda: no_cuda_ = true; break;
    case OptionId::backend: backend_ = parse_backend(row, value); break;
    case OptionId::list: options_.action = parse_list(row, value); break;
    case OptionId::no_other_backend: break;
    case OptionId::list_backends: options_.action = Action::list_backends; break;
    case OptionId::self_test: options_.action = Action::self_test; break;
    case OptionId::completion: options_.action = parse_shell(row, value); break;
    case OptionId::man: options_.action = Action::print_manual; break;
    case OptionId::help: options_.action = Action::print_help; break;
    case OptionId::version: options_.action = Action::print_version; break;
    }
    // clang-format on
}

void Parser::add_saved(const char *path)
{
    options_.action = Action::report;
    options_.outputs.saved.emplace_back(path);
}

void Parser::check_report() const
{
    const ReadingOptions &reading = options_.reading;
    if (!options_.outputs.html)
        throw UsageError("--report needs --html PATH for the report");
    if (!reading.reference.empty() || !reading.distorted.empty() || options_.outputs.path ||
        options_.outputs.pictures || options_.outputs.maps)
        throw UsageError("--report uses saved scores: leave out videos, --pictures, --maps and score files");
}

/// Score files after --report. Else nothing but one lone "-" may stand without an option: the score
/// file on standard output (spec cli 10.2).
void Parser::positional(std::string_view argument)
{
    if (options_.action == Action::report)
        return add_saved(std::string(argument).c_str());
    if (argument != "-" || lone_dash_)
        strays_.emplace_back(argument);
    lone_dash_ = lone_dash_ || argument == "-";
}

void Parser::check_strays() const
{
    if (strays_.empty())
        return;
    const bool are_videos =
        strays_.size() > 1 && options_.reading.reference.empty() && options_.reading.distorted.empty();
    std::string meant = are_videos ? formatted("did you mean -r {}", printable(strays_.front()))
                                   : "videos are given as -r REFERENCE -d DISTORTED";
    for (std::size_t i = 1; are_videos && i < strays_.size(); ++i)
        meant += " -d " + printable(strays_[i]);
    throw UsageError(
        formatted("unexpected argument \"{}\": {}{}", printable(strays_.front()), meant, are_videos ? "?" : ""));
}

void Parser::check_raw_options() const
{
    const InputOptions &input = options_.reading.input;
    const auto is_one = [&](ContainerFormat format) {
        return input.ref.container == format || input.dis.container == format;
    };
    const bool is_complete = input.raw && input.raw->width_px != 0 && input.raw->height_px != 0 &&
                             input.raw->pix_fmt != VMAF_PIX_FMT_UNKNOWN && input.raw->depth != 0;
    if ((input.raw || is_one(ContainerFormat::raw)) && !is_complete)
        throw UsageError("raw video needs all four of -w/--width, -h/--height, -p/--pixel_format and -b/--bitdepth, "
                         "none of them 0");
    if (input.raw && !is_one(ContainerFormat::raw) && !is_one(ContainerFormat::automatic))
        throw UsageError("-w -h -p -b describe raw video, and neither --ref_format nor --dist_format is raw");
}

/// Several are a ladder (spec device_pictures 4).
void Parser::check_distorted() const
{
    const auto &distorted = options_.reading.distorted;
    const bool any_is_input = std::ranges::find(distorted, "-") != distorted.end();
    if (options_.reading.reference == "-" && any_is_input)
        throw UsageError("-r - and -d -: only one of the two can be standard input");
    if (distorted.size() > 1 && any_is_input)
        throw UsageError("-d -: standard input cannot be one of several distorted videos");
    if (distorted.size() > 1 && options_.selection.writes_heatmaps())
        throw UsageError("heatmaps_path: the heatmaps of several distorted videos would go to the same files");
}

void Parser::check_sample() const
{
    if (!options_.reading.sample)
        return;
    if (options_.reading.subsample > 1)
        throw UsageError("--sample and --subsample both choose frames: one of them can be given");
    if (options_.reading.sample->error > 0 && options_.reading.distorted.size() > 1)
        throw UsageError("--sample auto is for one distorted video; --sample N% takes several");
    if (options_.selection.writes_heatmaps())
        throw UsageError("heatmaps_path: heatmaps are those of all frames, and --sample leaves some out");
}

void Parser::check_maps()
{
    const OutputOptions &outputs = options_.outputs;
    if (outputs.map_pixels && !outputs.maps)
        throw UsageError("--maps_depth needs maps: add --maps FOLDER");
    if (!outputs.maps)
        return;
    const auto &distorted = options_.reading.distorted;
    if (options_.reading.reference == "-" || std::ranges::find(distorted, "-") != distorted.end())
        throw UsageError("--maps reads the videos a second time: neither can be standard input");
    bool any = false;
    for (const FeatureSpec &feature : options_.selection.features) {
        const VmafFeatureInfo *const info = find_feature_info(feature.name);
        any |= info != nullptr && info->map != nullptr;
        if (info != nullptr && info->map == nullptr)
            options_.warnings.push_back(formatted("--maps: {} has no map", printable(feature.name)));
    }
    if (any)
        return;
    std::string names;
    for (const VmafFeatureInfo *info : library_features())
        if (info->map != nullptr)
            names += formatted("{}{}", names.empty() ? "" : ", ", info->name);
    throw UsageError(formatted("--maps needs a --feature that has a map: {}", names));
}

/// spec cli 2.3, in its order.
void Parser::check_combination()
{
    if (options_.reading.reference.empty())
        throw UsageError("a reference video is required: -r/--reference");
    if (options_.reading.distorted.empty() ||
        std::ranges::find(options_.reading.distorted, "") != options_.reading.distorted.end())
        throw UsageError("a distorted video is required: -d/--distorted");
    check_distorted();
    check_raw_options();
    const Alignment align = options_.reading.align;
    if (options_.reading.offset && (align == Alignment::offset || align == Alignment::frames))
        throw UsageError("--offset says what --align offset and --align frames look for: one of them can be given");
    check_sample();
    check_maps();
    settle_output();
    auto &models = options_.selection.models;
    if (models.empty() && !options_.no_prediction)
        models.push_back(parse_model_spec(formatted("version={}", default_model().version), is_builtin_));
    std::set<std::string> names;
    std::vector<std::string> versions(models.size());
    std::ranges::transform(models, versions.begin(), &ModelSpec::version);
    options_.reading.input.sdr_depth = sdr_depth_for(versions);
    for (const ModelSpec &model : models)
        if (!names.insert(model.name).second)
            throw UsageError(formatted("each model should be uniquely named, set with key name= in --model; \"{}\" is "
                                       "used twice",
                                       printable(model.name)));
    const bool no_first_model = options_.no_prediction || models.empty();
    for (const GateSpec &gate : options_.answers.gates)
        if (gate.metric.empty() && no_first_model)
            throw UsageError(formatted("{} applies to the first model, and no model is scored; should be METRIC=NUMBER",
                                       gate.text()));
    settle_gpu();
}

bool is_standard_output(std::string_view path)
{
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

/// Destination and format of the scores.
void Parser::settle_output()
{
    if (lone_dash_ && options_.outputs.path)
        throw UsageError("unexpected argument \"-\" besides -o/--output");
    if (lone_dash_)
        options_.outputs.path = "-";
    if (options_.outputs.pictures && !options_.outputs.html)
        throw UsageError("--pictures needs a report: add --html PATH");
    for (const auto &file : {options_.outputs.path, options_.outputs.html})
        if (options_.answers.print && file && is_standard_output(*file))
            throw UsageError("--print and a score file or report cannot both go to standard output");
    settle_format();
}

/// Choose the format of the score file: by an option, or by the file's name.
void Parser::settle_format()
{
    const ScoreFileKind *const kind = options_.outputs.path ? kind_by_suffix(*options_.outputs.path) : nullptr;
    if (!format_ && kind && kind->format != VMAF_OUTPUT_FORMAT_XML)
        options_.notes.push_back(formatted("{} is written as {}, as its name says (--xml: as XML)",
                                           printable(*options_.outputs.path), kind->name));
    const bool beside_videos = !options_.outputs.path && options_.reading.distorted.size() > 1;
    options_.outputs.format = format_         ? *format_
                              : kind          ? kind->format
                              : beside_videos ? VMAF_OUTPUT_FORMAT_JSON
                                              : VMAF_OUTPUT_FORMAT_XML;
    score_files(options_.outputs, options_.reading.distorted); // refuses what would lose scores
    if (options_.outputs.details &&
        ((!options_.outputs.path && !beside_videos) || !has_room_for_details(options_.outputs.format)))
        throw UsageError("--log_details needs a score file (-o/--output) as XML or JSON");
}

/// One wish from five options. auto agrees with everything.
void Parser::settle_gpu()
{
    GpuSelection &gpu = options_.sessions.gpu;
    const bool decodes = options_.reading.input.decoding == Decoding::cuda;
    const bool demanded = gpu.use == GpuUse::demanded || backend_.use == GpuUse::demanded || decodes;
    const bool turned_off =
        gpu.use == GpuUse::none || backend_.use == GpuUse::none || no_cuda_ || options_.sessions.gpumask == kNoGpuMask;
    if (demanded && turned_off)
        throw UsageError("a GPU is demanded (--gpu N, --gpu all, --backend cuda, --decoder cuda) and turned off (--gpu "
                         "none, --backend cpu, "
                         "--no_cuda, --gpumask -1)");
    if (backend_.kind == GpuKind::cuda && (gpu.device.value_or(0) != 0 || gpu.wants_several()))
        throw UsageError("--backend cuda means the first GPU, and --gpu names another one or several");
    if (backend_.use == GpuUse::demanded && gpu.kind != GpuKind::either && gpu.kind != backend_.kind)
        throw UsageError("--backend and --gpu name GPUs of different kinds");
    if (gpu.kind == GpuKind::either)
        gpu.kind = backend_.kind;
    if (decodes && gpu.kind == GpuKind::vulkan)
        throw UsageError("--decoder cuda needs a CUDA GPU, and a Vulkan device is demanded");
    if (decodes && gpu.wants_several() && options_.reading.distorted.size() > 1)
        throw UsageError("--decoder cuda decodes a ladder on one GPU only, and --gpu names several");
    if (demanded)
        gpu.use = GpuUse::demanded;
    if (turned_off)
        gpu.use = GpuUse::none;
}

} // namespace

Options parse_options(int argc, const char *const *argv, const IsBuiltinModel &is_builtin)
{
    return Parser(argc, argv, is_builtin).parse();
}

} // namespace vmaf::tool
