#include "model_choice.h"

#include <algorithm>

#include "common/console.h"
#include "common/format.h"
#include "comparison/display_size.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kLargestHdHeightPx = 1440;

/// spec comparison 5.
struct DisplayModels {
    Display display;
    const char *v1;
    const char *v1_high_rate;
    const char *v0; ///< null: there is none
    bool v0_is_transformed = false;
};
constexpr DisplayModels kModels[] = {
    {Display::hd, "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_hfr_3d0h", "vmaf_v0.6.1"},
    {Display::phone, "vmaf_v1.0.16_5d0h", "vmaf_v1.0.16_hfr_5d0h", "vmaf_v0.6.1", true},
    {Display::uhd, "vmaf_v1.0.16_1d5h_2160", "vmaf_v1.0.16_hfr_1d5h_2160", "vmaf_4k_v0.6.1"},
    {Display::uhd_tv, "vmaf_v1.0.16_3d0h_2160", "vmaf_v1.0.16_hfr_3d0h_2160", nullptr},
};
constexpr double kMostOfUsualRate = 40;

Display display_for(const ClipFacts &facts)
{
    constexpr unsigned kMostHdLines = 1088;
    if (facts.display != Display::none)
        return facts.display;
    return lines_of(facts.form.format) <= kMostHdLines ? Display::hd : Display::uhd;
}

const DisplayModels &models_for(Display display)
{
    return *std::ranges::find(kModels, display, &DisplayModels::display);
}

/// The built-in model that "auto" is for pictures of that height.
std::string version_for_height(unsigned height_px)
{
    return height_px > kLargestHdHeightPx ? "vmaf_4k_v0.6.1" : default_model().version;
}

/// The display that a model was made for. Empty: the model is not built in.
std::optional<Display> display_of_model(std::string_view version, bool is_transformed)
{
    if (!version.starts_with("vmaf_"))
        return std::nullopt;
    for (const DisplayModels &row : kModels)
        if (version == row.v1 || version == row.v1_high_rate)
            return row.display;
    if (version.find("_4k_") != version.npos)
        return Display::uhd;
    return is_transformed ? Display::phone : Display::hd;
}

std::string offered(Display display)
{
    return formatted("--display {} scales both videos to what it is made for", display_text(display));
}

/// The warning that a model is made for another height, with the cure. Empty: the height fits.
std::optional<std::string> doubt_about_height(const std::string &version, Display made_for, unsigned height_px)
{
    const bool is_large = height_px > kLargestHdHeightPx;
    const bool is_for_large = lines_of(made_for) > kLargestHdHeightPx;
    if (is_large == is_for_large)
        return std::nullopt;
    // VMAF v1 has models for 2160p at 1.5 and 3 screen heights.
    const std::string cure = !version.starts_with("vmaf_v1.") ? "-m auto takes the model for the height"
                             : is_large                       ? "its models for 2160p end in _2160"
                                                              : "its models for 1080p do not end in _2160";
    return formatted("model {} is made for {}p and the videos have {} lines: {}; {}", version, lines_of(made_for),
                     height_px, cure, offered(made_for));
}

std::optional<std::string> doubt_about_display(const std::string &version, Display made_for, Display display)
{
    if (made_for == display)
        return std::nullopt;
    return formatted("model {} is made for display {}, not {}: -m {} takes the model for the display", version,
                     display_text(made_for), display_text(display), models_for(display).v0 ? "v0 or v1" : "v1");
}

/// Empty: the model's display has about as many lines.
std::optional<std::string> display_offer(const std::string &version, Display made_for, const VideoFormat &pictures)
{
    constexpr double kLeast = 0.7, kMost = 1.3;
    const double ratio = static_cast<double>(lines_of(pictures)) / lines_of(made_for);
    if (ratio >= kLeast && ratio <= kMost)
        return std::nullopt;
    return formatted("the videos are {}x{} and model {} is made for {}p: {}", pictures.width_px, pictures.height_px,
                     version, lines_of(made_for), offered(made_for));
}

std::optional<double> frame_rate_of(const ClipFacts &facts)
{
    return facts.frame_rate || !facts.encode ? facts.frame_rate : facts.encode->frame_rate;
}

/// spec comparison 5: what its authors ask for.
void add_encode_options(ModelChoice &choice, const ModelRequest &request, const ClipFacts &facts)
{
    for (const VmafFeatureInfo *feature : listed(find_model_info(choice.version)->features)) {
        const ClipOptions encode = encode_options(*feature, facts);
        choice.doubts.insert(choice.doubts.end(), encode.doubts.begin(), encode.doubts.end());
        for (const OptionValue &option : encode.values) {
            const auto is_it = [&](const FeatureOverload &given) {
                return given.extractor == feature->name && given.option == option.first;
            };
            if (std::ranges::none_of(request.overloads, is_it))
                choice.overloads.push_back({feature->name, option.first, option.second});
        }
    }
}

/// The choice as a value of -m.
std::string spelled(const ModelChoice &choice)
{
    std::string text = choice.version + (choice.is_transformed ? ":enable_transform" : "");
    for (const auto &[extractor, option, value] : choice.overloads)
        text += formatted(":{}.{}={}", extractor, option, value);
    return text;
}

ModelChoice choose_v1(const ModelRequest &request, const ClipFacts &facts)
{
    const DisplayModels &models = models_for(display_for(facts));
    const std::optional<double> rate = frame_rate_of(facts);
    const bool is_high = rate.value_or(0) > kMostOfUsualRate;
    ModelChoice choice{is_high ? models.v1_high_rate : models.v1, request.is_transformed};
    add_encode_options(choice, request, facts);
    choice.notes.push_back(formatted("{}: -m v1 is {} (display {}, {})", facts.encode ? facts.encode->name : "",
                                     spelled(choice), display_text(models.display),
                                     !rate     ? "frame rate not known: up to 40"
                                     : is_high ? "above 40 frames/s"
                                               : "up to 40 frames/s"));
    return choice;
}

ModelChoice choose_v0(const ModelRequest &request, const ClipFacts &facts)
{
    const DisplayModels &models = models_for(display_for(facts));
    if (models.v0 == nullptr)
        throw Failure(kExitSetup, formatted("-m {} has no model for display {}: --display 4k, or -m v1",
                                            request.version, display_text(models.display)));
    ModelChoice choice{models.v0, request.is_transformed || models.v0_is_transformed};
    choice.notes.push_back(
        formatted("-m {} is {} (display {})", request.version, spelled(choice), display_text(models.display)));
    return choice;
}

} // namespace

bool is_chosen_by_videos(std::string_view version)
{
    return std::ranges::find(kChosenVersions, version) != std::end(kChosenVersions);
}

const VmafModelInfo *model_info(std::string_view version)
{
    if (version == kV1Version)
        return find_model_info(models_for(Display::hd).v1);
    return is_chosen_by_videos(version) ? &default_model() : find_model_info(version);
}

unsigned sdr_depth_for(std::span<const std::string> versions)
{
    return std::ranges::find(versions, kV1Version) != versions.end() ? 10 : 0;
}

ModelChoice choose_model(const ModelRequest &request, const ClipFacts &facts)
{
    const bool has_display = facts.display != Display::none;
    const unsigned height_px = facts.form.format.height_px;
    ModelChoice choice{request.version, request.is_transformed};
    if (request.version == kV1Version)
        choice = choose_v1(request, facts);
    else if (request.version == kV0Version || (request.version == kAutoVersion && has_display))
        choice = choose_v0(request, facts);
    else if (request.version == kAutoVersion)
        choice.version = version_for_height(height_px);
    const auto made_for = display_of_model(choice.version, choice.is_transformed);
    if (!made_for)
        return choice;
    std::optional<std::string> doubt;
    if (!is_chosen_by_videos(request.version))
        doubt = has_display ? doubt_about_display(choice.version, *made_for, facts.display)
                            : doubt_about_height(choice.version, *made_for, height_px);
    // Raw and Y4M videos with a model that is named are compared as ever, without a word.
    const bool is_offered = !has_display && !doubt &&
                            (facts.any_is_media || request.version == kV0Version || request.version == kV1Version);
    if (doubt)
        choice.doubts.push_back(*doubt);
    if (const auto offer = is_offered ? display_offer(choice.version, *made_for, facts.form.format) : std::nullopt)
        choice.notes.push_back(*offer);
    return choice;
}

void tell(const ModelChoice &choice, Warnings &warnings)
{
    for (const std::string &text : choice.notes)
        warnings.note(text);
    for (const std::string &text : choice.doubts)
        warnings.warn(text);
}

bool feature_reads_chroma(std::string_view name, std::span<const OptionText> options)
{
    const VmafFeatureInfo *const info = find_feature_info(name);
    if (info == nullptr)
        return true;
    bool reads = info->reads_chroma != 0;
    for (const auto &[option, value] : options)
        if (info->chroma_option != nullptr && option == info->chroma_option)
            reads = value != "false";
    return reads;
}

bool model_reads_chroma(std::string_view version)
{
    const VmafModelInfo *const info = model_info(version);
    return info == nullptr || info->reads_chroma != 0;
}

} // namespace vmaf::tool
