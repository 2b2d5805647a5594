#include "report/worst_section.h"

#include <algorithm>
#include <vector>

#include "common/format.h"
#include "report/html_text.h"
#include "report/worst_frames.h"

namespace vmaf::tool {
namespace {

/// "lowest" or "highest": which of a column's scores are the worst.
const char *worst_end(const ScoreColumn &column)
{
    return column.better == VMAF_DIRECTION_LOWER ? "highest" : "lowest";
}
const char *best_end(const ScoreColumn &column)
{
    return column.better == VMAF_DIRECTION_LOWER ? "lowest" : "highest";
}

std::string worst_list(const ScoreColumns &scores, const ScoreColumn &column, const Clock &clock)
{
    std::string items;
    for (const std::size_t i :
         spaced_worst_frames(column, scores.frames, kListedWorstFrames, worst_frame_gap(clock.frames_per_second)))
        items += formatted("<li><button type=\"button\" class=\"go\" data-frame=\"{0}\">frame {0}</button><span "
                           "class=\"time\">{1}</span><span class=\"value\">{2}</span></li>\n",
                           scores.frames[i], clock.at(scores.frames[i]), number_text(column.scores[i], 4));
    return items;
}

/// @param above elements that lie over the picture; may be empty.
std::string picture(const char *kind, const std::string &caption, unsigned frame, const std::string &png,
                    const std::string &above = "")
{
    return formatted("<figure><button type=\"button\" class=\"look\" data-look=\"{0}\"><img alt=\"{0}, frame {1}\" "
                     "src=\"data:image/png;base64,{2}\">{3}</button><figcaption>{4}</figcaption></figure>",
                     kind, frame, base64(png), above, caption);
}

/// Over the crop; shown when the reader asks for maps of that feature.
std::string map_images(const FramePictures &pictures)
{
    std::string images;
    for (const FramePictures::Map &map : pictures.maps)
        images += formatted("<img class=\"map\" data-map=\"{0}\" alt=\"map of {0}, frame {1}\" "
                            "src=\"data:image/png;base64,{2}\">",
                            escaped(map.feature), pictures.frame, base64(map.png));
    return images;
}

/// Place of the crop in pictures of the whole frame; empty if the crop is the whole frame.
std::string place_of(PixelRect crop, const VideoFormat &of)
{
    if (crop.width == 0 || (crop.width == of.width_px && crop.height == of.height_px))
        return {};
    const auto share = [](unsigned part, unsigned all) { return 100.0 * part / all; };
    return formatted("<i style=\"left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%\"></i>",
                     share(crop.left, of.width_px), share(crop.top, of.height_px), share(crop.width, of.width_px),
                     share(crop.height, of.height_px));
}

std::string picture_article(const FramePictures &pictures, const ReportEncode &encode, const ScoreColumn &column,
                            const Clock &clock)
{
    const auto row = std::ranges::lower_bound(encode.scores.frames, pictures.frame);
    const auto index = static_cast<std::size_t>(row - encode.scores.frames.begin());
    const double score = index < column.scores.size() ? column.scores[index] : Statistics::kNone;
    const std::string place = place_of(pictures.crop, encode.scored);
    const std::string crop = place.empty() ? ""
                                           : formatted(", {}×{} at {}, {}", pictures.crop.width, pictures.crop.height,
                                                       pictures.crop.left, pictures.crop.top);
    return formatted(
        "<article><p class=\"where\"><button type=\"button\" class=\"go\" data-frame=\"{0}\">frame {0}</button>"
        " <span class=\"note\">{1}</span> <b>{2}</b></p><div class=\"views\">{3}{4}<div>{5}{6}</div></div></article>\n",
        pictures.frame, clock.at(pictures.frame), number_text(score, 2),
        picture("reference", "reference" + crop, pictures.frame, pictures.reference),
        picture("distorted", "distorted" + crop, pictures.frame, pictures.distorted, map_images(pictures)),
        picture("whole", "distorted, the whole frame", pictures.frame, pictures.whole, place),
        picture("difference", formatted("difference × {}", kDifferenceGain), pictures.frame, pictures.difference,
                place));
}

std::string pictures_of(const ReportData &data, const ReportEncode &encode)
{
    const ScoreColumn *column = main_column(data, encode.scores);
    std::string articles;
    for (const FramePictures &pictures : encode.pictures)
        if (column)
            articles += picture_article(pictures, encode, *column, clock_of(data, encode));
    std::string text;
    if (!articles.empty())
        text = formatted("<h3>Pictures: the {} of {}</h3><div class=\"pictures\">\n{}</div>\n", worst_end(*column),
                         escaped(column->name), articles);
    if (!encode.no_pictures.empty())
        text += formatted("<p class=\"note\">{}</p>\n", escaped(encode.no_pictures));
    return text;
}

/// The features that have maps; the page's script shows one of them or none.
std::string map_choice(const Encodes &encodes)
{
    std::vector<std::string> features;
    for (const SummedEncode &encode : encodes)
        for (const FramePictures &pictures : encode.encode->pictures)
            for (const FramePictures::Map &map : pictures.maps)
                if (std::ranges::find(features, map.feature) == features.end())
                    features.push_back(map.feature);
    if (features.empty())
        return {};
    std::string options = "<option value=\"\">none</option>";
    for (const std::string &feature : features)
        options += formatted("<option>{}</option>", escaped(feature));
    return formatted(
        "<label class=\"live\">Map over the distorted pictures <select id=\"map-choice\">{}</select></label>", options);
}

} // namespace

std::string worst_section(const ReportData &data, const Encodes &encodes)
{
    const ScoreColumn *column = main_column(data, encodes.front().encode->scores);
    if (!column)
        return {};
    std::string lists;
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        const ReportEncode &encode = *encodes[i].encode;
        const ScoreColumn *own = main_column(data, encode.scores);
        if (own && i == 0)
            lists += formatted("<ol class=\"worst-list\" id=\"worst-list\">\n{}</ol>\n",
                               worst_list(encode.scores, *own, clock_of(data, encode)));
        else if (own)
            lists += formatted(
                "<div data-encode=\"{}\" class=\"unscripted\"><h3>{}{}</h3><ol class=\"worst-list\">\n{}</ol></div>\n",
                i, swatch(i), escaped(encodes[i].label), worst_list(encode.scores, *own, clock_of(data, encode)));
    }
    const auto pictures = [&](const SummedEncode &encode) { return pictures_of(data, *encode.encode); };
    return formatted(
        "<section class=\"panel\" id=\"worst\"><div class=\"head\"><h2>Worst frames</h2><p "
        "class=\"tools\"><span>at least "
        "a second apart; click one to see it in the plot</span>{}</p></div>\n{}<div class=\"head\"><h3>The "
        "<span id=\"worst-order\">{}</span> of <span id=\"worst-metric\">{}</span></h3><p "
        "class=\"tools live\"><button "
        "type=\"button\" id=\"other-end\">show the {}</button></p></div>\n{}</section>\n",
        map_choice(encodes), part_of_each(encodes, pictures), worst_end(*column), escaped(column->name),
        best_end(*column), lists);
}

} // namespace vmaf::tool
