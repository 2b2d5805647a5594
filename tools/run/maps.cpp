#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/score_files.h"
#include "common/failure.h"
#include "common/format.h"
#include "output/output_file.h"
#include "report/feature_maps.h"
#include "report/frames_again.h"
#include "report/map_picture.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

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
struct WrittenFeature {
    MappedFeature feature;
    nlohmann::ordered_json record{};

    std::string file_name(unsigned frame) const { return formatted("{}_{:06}.png", feature.name, frame); }
};

std::vector<WrittenFeature> written_features(const Selection &selection)
{
    std::vector<WrittenFeature> features;
    for (MappedFeature &feature : mapped_features(selection))
        features.push_back({std::move(feature)});
    return features;
}

/// The frames in the record of the first map: all have the same size and scale.
void describe(WrittenFeature &written, const VmafMap &map)
{
    if (!written.record.empty())
        return;
    const MappedFeature &feature = written.feature;
    written.record = {{"feature", feature.info->name},
                      {"value", feature.info->map},
                      {"options", nlohmann::ordered_json::object()},
                      {"files", feature.name + "_FRAME.png"},
                      {"width", map.w},
                      {"height", map.h},
                      {"dark", map.dark},
                      {"bright", map.bright}};
    for (const auto &[key, value] : feature.asked->options)
        written.record["options"][key] = value;
}

void write_file(const std::string &folder, const std::string &name, std::string_view content)
{
    open_output((std::filesystem::path(folder) / name).string(), {})->write(content);
}

void write_record(const std::string &folder, MapPixels pixels, std::span<const WrittenFeature> features)
{
    const bool is_grey = pixels == MapPixels::grey;
    nlohmann::ordered_json record{{"bits", is_grey ? 16 : 8}, {"palette", is_grey ? "grey" : "viridis"}};
    record["maps"] = nlohmann::ordered_json::array();
    for (const WrittenFeature &feature : features)
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
        std::vector<WrittenFeature> features = written_features(selections[number]);
        for (const unsigned frame : encode.scores.get().frames) {
            if (signals.token().stop_requested())
                throw ScoringStopped(StopReason::interrupted, signals.exit_code(),
                                     "interrupted: later frames have no maps");
            const VmafPicture &ref_picture = ref.frame(frame), &dis_picture = dis.frame(frame);
            for (WrittenFeature &written : features) {
                const OwnedMap map = map_of(written.feature, ref_picture, dis_picture);
                describe(written, *map);
                write_file(folders[number], written.file_name(frame), png_of_map(*map, pixels));
            }
        }
        write_record(folders[number], pixels, features);
    }
}

} // namespace vmaf::tool
