#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "input/video_format.h"

/// The crop of pictures before they are compared (spec comparison 7).
namespace vmaf::tool {

/// A rectangle of a picture as it is shown.
struct Crop {
    unsigned x = 0, y = 0; ///< first column and row
    unsigned width_px = 0, height_px = 0;

    bool operator==(const Crop &) const = default;
};

/// "W:H:X:Y", as the option takes it.
std::string crop_text(const Crop &crop);

struct CropOption {
    enum class Kind {
        none,
        automatic, ///< the picture inside constant bars
        rectangle,
        borders
    };
    Kind kind = Kind::none;
    Crop rectangle = {};
    unsigned left = 0, right = 0, top = 0, bottom = 0; ///< borders, in pixels
};

/// "none", "auto", "W:H:X:Y" or "L,R,T,B".
std::optional<CropOption> parse_crop(std::string_view text);

/// The whole picture.
Crop whole_picture(const VideoFormat &format);

/// Columns and rows of luma for each of chroma.
struct ChromaStep {
    unsigned columns, rows;
};
ChromaStep chroma_step(VmafPixelFormat pix_fmt);

/// The largest part of the rectangle that begins and ends where chroma samples do.
Crop rounded_inward(const Crop &crop, const VideoFormat &format);

/// The rectangle that the option leaves of a picture, or the reason of an error.
struct ResolvedCrop {
    Crop crop;
    std::string problem; ///< empty: none
};
/// @param option a rectangle or borders. @param name "--crop_ref", for the cure.
ResolvedCrop resolve_crop(const CropOption &option, const VideoFormat &format, std::string_view name);

} // namespace vmaf::tool
