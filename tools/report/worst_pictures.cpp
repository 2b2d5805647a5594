#include "report/worst_pictures.h"

#include <algorithm>
#include <map>

#include "common/failure.h"
#include "common/format.h"
#include "report/html_text.h"
#include "report/thumbnail.h"

namespace vmaf::tool {
namespace {

std::size_t data_uri_bytes(const FramePictures &pictures)
{
    std::size_t bytes = base64_bytes(pictures.reference.size()) + base64_bytes(pictures.distorted.size()) +
                        base64_bytes(pictures.whole.size()) + base64_bytes(pictures.difference.size());
    for (const FramePictures::Map &map : pictures.maps)
        bytes += base64_bytes(map.png.size());
    return bytes;
}

/// Adds the maps that can be made. @return why another one cannot; empty: all were made.
std::string add_maps(FramePixels &pixels, std::span<const MappedFeature> features, const VmafPicture &ref,
                     const VmafPicture &dis)
{
    std::string missing;
    for (const MappedFeature &feature : features)
        try {
            pixels.maps.push_back({feature.name, map_levels(*map_of(feature, ref, dis), pixels.crop, ref)});
        } catch (const Failure &failure) {
            missing = formatted("No map of {}: {}.", feature.name, failure.what());
        }
    return missing;
}

} // namespace

WorstPictures worst_pictures(const ScoredSide &ref, const ScoredSide &dis, std::span<const unsigned> frames,
                             std::span<const MappedFeature> maps, PictureRoom room, const std::stop_token &stop)
{
    WorstPictures result;
    const std::span<const unsigned> mapped = frames.first(std::min(frames.size(), room.mapped));
    std::map<unsigned, FramePixels> seen;
    try {
        FramesAgain ref_again(ref);
        FramesAgain dis_again(dis);
        std::vector<unsigned> ascending(frames.begin(), frames.end());
        std::ranges::sort(ascending);
        for (const unsigned frame : ascending) {
            if (stop.stop_requested())
                break;
            const unsigned whole_px = frame == frames.front() ? room.whole_px : kThumbnailWidthPx;
            const VmafPicture &ref_picture = ref_again.frame(frame), &dis_picture = dis_again.frame(frame);
            FramePixels pixels =
                frame_pixels(frame, ref_picture, dis_picture, {.crop_px = room.crop_px, .whole_px = whole_px});
            if (std::ranges::find(mapped, frame) != mapped.end())
                if (std::string missing = add_maps(pixels, maps, ref_picture, dis_picture); !missing.empty())
                    result.missing = std::move(missing);
            seen.emplace(frame, std::move(pixels));
        }
    } catch (const Failure &failure) {
        result.missing = formatted("There are no pictures: {}.", failure.what());
    }
    std::size_t bytes = 0;
    for (const unsigned frame : frames) {
        const auto found = seen.find(frame);
        if (found == seen.end())
            continue;
        FramePictures pictures = frame_pictures(found->second);
        bytes += data_uri_bytes(pictures);
        if (bytes > room.most_bytes)
            break;
        result.pictures.push_back(std::move(pictures));
    }
    if (result.pictures.empty() && bytes > 0)
        result.missing =
            formatted("There are no pictures, because they take more than {:.1f} MB. --pictures N shows N of them.",
                      static_cast<double>(room.most_bytes) / 1e6);
    return result;
}

} // namespace vmaf::tool
