#include "report/map_picture.h"
#include "report/worst_pictures.h"

namespace vmaf::tool {

/// No pictures: this build has no zlib.
WorstPictures worst_pictures(const ScoredSide &, const ScoredSide &, std::span<const unsigned>,
                             std::span<const MappedFeature>, PictureRoom, const std::stop_token &)
{
    return {{}, "There are no pictures: this vmaf was built without zlib."};
}

const bool kMakesPng = false;

std::string png_of_map(const VmafMap &, MapPixels)
{
    return {};
}

} // namespace vmaf::tool
