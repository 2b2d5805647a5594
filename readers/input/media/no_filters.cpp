#include "common/failure.h"
#include "input/media.h"
#include "input/media/filtered_source.h"

namespace vmaf::tool {

bool has_filter_support()
{
    return false;
}

std::unique_ptr<PlanarSource> make_filtered(std::unique_ptr<PlanarSource> /*source*/, const FrameFilters & /*filters*/,
                                            Rounding /*rounding*/)
{
    throw Failure(kExitSetup, "--deinterlace, --filter_ref and --filter_dist: this vmaf was built without libavfilter; "
                              "install libavfilter-dev and build it with -Dfilters=enabled");
}

} // namespace vmaf::tool
