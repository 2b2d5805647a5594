#include "listing/gpu_tolerance.h"

namespace vmaf {

double gpu_tolerance(const FeatureSpec &)
{
    return 0;
}

} // namespace vmaf
