#include "comparison/record.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "input/h273.h"

namespace vmaf::tool {
namespace {

using nlohmann::ordered_json;

/// Null: the video does not say.
ordered_json tag_name(h273::Kind kind, int code)
{
    return h273::canonical(kind, code) == h273::kUnspecified ? ordered_json() : ordered_json(h273::name(kind, code));
}

ordered_json size_of(const VideoFormat &format)
{
    return {format.width_px, format.height_px};
}

/// Null: all of the picture.
ordered_json crop_of(const VideoReader &video)
{
    const auto crop = video.crop();
    return crop ? ordered_json{crop->x, crop->y, crop->width_px, crop->height_px} : ordered_json();
}

/// The video as stored, before any conversion.
ordered_json stored(const VideoReader &video)
{
    const VideoTags &tags = video.tags();
    const VideoFormat &format = video.stored_format();
    return {{"path", video.file().path()},
            {"size", size_of(format)},
            {"rotation", 90 * tags.orientation.quarter_turns},
            {"mirrored", tags.orientation.is_mirrored},
            {"crop", crop_of(video)},
            {"range", range_text(tags.range.value_or(Range::limited))},
            {"matrix", tag_name(h273::Kind::matrix, tags.colour.matrix)},
            {"primaries", tag_name(h273::Kind::primaries, tags.colour.primaries)},
            {"transfer", tag_name(h273::Kind::transfer, tags.colour.transfer)},
            {"pixel_format", pixel_format_text(format.pix_fmt)},
            {"depth", format.depth},
            {"interlaced", tags.is_interlaced}};
}

ordered_json scored(const PictureForm &form, Display display)
{
    return {{"size", size_of(form.format)},
            {"pixel_format", pixel_format_text(form.format.pix_fmt)},
            {"depth", form.format.depth},
            {"range", range_text(form.range)},
            {"matrix", tag_name(h273::Kind::matrix, form.matrix)},
            {"display", display == Display::none ? ordered_json() : ordered_json(display_text(display))}};
}

/// Null: it is infinite.
ordered_json in_hundredths(double value)
{
    return std::isfinite(value) ? ordered_json(std::round(value * 100) / 100) : ordered_json();
}

ordered_json time_of(const Pairing &pairing)
{
    ordered_json time{{"method", pairing.method},
                      {"offset", pairing.lag ? ordered_json(*pairing.lag) : ordered_json()},
                      {"dropped", pairing.dropped},
                      {"repeated", pairing.repeated}};
    if (pairing.evidence_db)
        time["evidence_db"] = {in_hundredths(pairing.evidence_db->first), in_hundredths(pairing.evidence_db->second)};
    return time;
}

} // namespace

std::string comparison_record(const VideoReader &ref, const VideoReader &dis, Display display,
                              std::span<const Decision> decisions, const Pairing &pairing,
                              std::span<const std::string> warnings)
{
    ordered_json conversions = ordered_json::array();
    for (const Decision &decision : decisions)
        if (decision.severity == Severity::note || decision.severity == Severity::detail)
            conversions.push_back(decision.text);
    ordered_json record{{"reference", stored(ref)},
                        {"distorted", stored(dis)},
                        {"scored", scored(ref.form(), display)},
                        {"conversions", conversions}};
    if (pairing.method != nullptr)
        record["time"] = time_of(pairing);
    record["warnings"] = warnings;
    return record.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

} // namespace vmaf::tool
