#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparison/clip_options.h"

/// Facts about the videos that the choice of models and features needs.
namespace vmaf::tool {

/// The version that is chosen by picture height (spec cli 10.5).
constexpr std::string_view kAutoVersion = "auto";
/// Names of models that are chosen by display and frame rate (spec comparison 5).
constexpr std::string_view kV0Version = "v0";
constexpr std::string_view kV1Version = "v1";
constexpr std::string_view kChosenVersions[] = {kAutoVersion, kV0Version, kV1Version};

/// Whether the videos decide which model it is.
bool is_chosen_by_videos(std::string_view version);

/// The library's entry of a built-in model; for one that the videos choose, that of one with the
/// same features. Null: there is none.
const VmafModelInfo *model_info(std::string_view version);

/// What InputOptions::sdr_depth is for models of these versions.
unsigned sdr_depth_for(std::span<const std::string> versions);

/// An option of a feature that a model is scored with.
struct FeatureOverload {
    std::string extractor;
    std::string option;
    std::string value;
};

/// A model as the user names it.
struct ModelRequest {
    std::string version;
    bool is_transformed = false;
    std::vector<FeatureOverload> overloads = {};
};

/// The built-in model that it is for the videos.
struct ModelChoice {
    std::string version;
    bool is_transformed = false;
    std::vector<FeatureOverload> overloads = {}; ///< besides those of the request
    std::vector<std::string> notes = {};         ///< what was chosen, and what could be asked for
    std::vector<std::string> doubts = {};        ///< that it fits the videos, with the cure
};

/// One that is no built-in model stays as it is. Throws Failure if there is none for the display.
ModelChoice choose_model(const ModelRequest &request, const ClipFacts &facts);

/// Say notes and doubts, once for each text.
void tell(const ModelChoice &choice, Warnings &warnings);

/// Name and value.
using OptionText = std::pair<std::string, std::string>;

/// Whether a feature may read chroma with these options, of which the last of a name counts. One
/// that is not known may.
bool feature_reads_chroma(std::string_view name, std::span<const OptionText> options = {});
/// Whether a model without overloads may. One that is not built in may.
bool model_reads_chroma(std::string_view version);

} // namespace vmaf::tool
