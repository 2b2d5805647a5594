#include <filesystem>
#include <map>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/score_files.h"
#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"
#include "output/output_file.h"
#include "report/frames_again.h"
#include "report/map_picture.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

using OwnedMap = std::unique_ptr<VmafMap, ReleasedBy<vmaf_map_destroy>>;

/// The folder of each distorted video's maps: that which is given, or one in it for each of
/// several.
std::vector<std::string> folders_of(const Options &options)
{
    const std::string &folder = *options.outputs.maps;
    if (options.reading.distorted.size() == 1)
        return {folder};
    OutputOptions pattern;
    pattern.path = folder + "/{name}";
    return score_files(pattern, options.reading.distorted);
}

/// A feature whose maps are written.
struct MappedFeature {
    const VmafFeatureInfo *info;
    const FeatureSpec *asked;
    std::string stem; ///< of its files' names
    nlohmann::ordered_json record{};

    std::string file_name(unsigned frame) const { return formatted("{}_{:06}.png", stem, frame); }
};

std::vector<MappedFeature> mapped_features(const Selection &selection)
{
    std::vector<MappedFeature> features;
    std::map<std::string, unsigned> uses;
    for (const FeatureSpec &asked : selection.features) {
        const VmafFeatureInfo *const info = find_feature_info(asked.name);
        if (info == nullptr || info->map == nullptr)
            continue;
        const unsigned use = ++uses[info->name];
        features.push_back({info, &asked, use == 1 ? info->name : formatted("{}-{}", info->name, use)});
    }
    return features;
}

OwnedMap map_of(const MappedFeature &feature, const VmafPicture &ref, const VmafPicture &dis)
{
    FeatureDictionary options;
    VmafMap *map = nullptr;
    int error = 0;
    for (const auto &[key, value] : feature.asked->options)
        error = error != 0 ? error : options.set(key.c_str(), value.c_str());
    if (error == 0)
        error = vmaf_map_create(&map, feature.info->name, options.get(), &ref, &dis);
    if (error != 0)
        throw Failure(exit_code_of(error), formatted("problem making the map of {}", feature.info->name));
    return OwnedMap(map);
}

/// The frames in the record of the first map: all have the same size and scale.
void describe(MappedFeature &feature, const VmafMap &map)
{
    if (!feature.record.empty())
        return;
    feature.record = {{"feature", feature.info->name},
                      {"value", feature.info->map},
                      {"options", nlohmann::ordered_json::object()},
                      {"files", feature.stem + "_FRAME.png"},
                      {"width", map.w},
                      {"height", map.h},
                      {"dark", map.dark},
                      {"bright", map.bright}};
    for (const auto &[key, value] : feature.asked->options)
        feature.record["options"][key] = value;
}

void write_file(const std::string &folder, const std::string &name, std::string_view content)
{
    open_output((std::filesystem::path(folder) / name).string(), {})->write(content);
}

void write_record(const std::string &folder, MapPixels pixels, std::span<const MappedFeature> features)
{
    const bool is_grey = pixels == MapPixels::grey;
    nlohmann::ordered_json record{{"bits", is_grey ? 16 : 8}, {"palette", is_grey ? "grey" : "viridis"}};
    record["maps"] = nlohmann::ordered_json::array();
    for (const MappedFeature &feature : features)
        record["maps"].push_back(feature.record);
    write_file(folder, "maps.json", record.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

} // namespace

/// Before anything is scored.
void Run::make_map_folders() const
{
    if (!options.outputs.maps)
        return;
    if (!kMakesPng)
        throw Failure(kExitSetup, "--maps: this vmaf was built without zlib and writes no PNG files");
    for (const std::string &folder : folders_of(options)) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error || !std::filesystem::is_directory(folder, error))
            throw Failure(kExitSetup, formatted("could not make folder: {}", printable(folder)));
    }
}

/// An encode that was stopped has none.
void Run::write_maps()
{
    if (!options.outputs.maps)
        return;
    const std::vector<std::string> folders = folders_of(options);
    const MapPixels pixels = options.outputs.map_pixels.value_or(MapPixels::colours);
    for (const Encode &encode : encodes) {
        if (encode.result.stop)
            continue;
        const auto number = static_cast<std::size_t>(&encode.compared - videos.encodes.data());
        const auto [skip_ref, skip_dis] = skips_of(options.reading, encode.compared);
        FramesAgain ref({encode.reference, skip_ref, encode.scores.frames().pairs});
        FramesAgain dis({*encode.compared.video, skip_dis});
        std::vector<MappedFeature> features = mapped_features(selections[number]);
        for (const unsigned frame : encode.scores.get().frames) {
            if (signals.token().stop_requested())
                throw ScoringStopped(StopReason::interrupted, signals.exit_code(),
                                     "interrupted: later frames have no maps");
            const VmafPicture &ref_picture = ref.frame(frame), &dis_picture = dis.frame(frame);
            for (MappedFeature &feature : features) {
                const OwnedMap map = map_of(feature, ref_picture, dis_picture);
                describe(feature, *map);
                write_file(folders[number], feature.file_name(frame), png_of_map(*map, pixels));
            }
        }
        write_record(folders[number], pixels, features);
    }
}

} // namespace vmaf::tool
