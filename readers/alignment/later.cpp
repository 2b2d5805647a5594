#include "alignment/doubts.h"

/// What is not built yet: nothing is found.
namespace vmaf::tool {

std::vector<std::string> picture_doubts(std::span<const LumaWindow> /*windows*/, const PairNames & /*names*/,
                                        double /*frame_rate*/)
{
    return {};
}

} // namespace vmaf::tool
