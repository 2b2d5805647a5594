#include "feature/speed/speed_geometry.h"

#include <cmath>

namespace vmaf {
namespace {

bool is_nearly_one(double prescale)
{
    return std::abs(prescale - 1) < 1e-3;
}

// spec speed 3.2: a prescale that is nearly 1 cuts the picture; where there is nothing to cut it
// is 1.
PictureSize target_size(const PictureSize &plane, double prescale)
{
    const PictureSize size = prescaled_size(plane, prescale);
    const bool is_larger = size.width_px > plane.width_px || size.height_px > plane.height_px;
    return is_nearly_one(prescale) && is_larger ? plane : size;
}

} // namespace

SpeedGeometry::SpeedGeometry(const PictureSize &plane_size, double prescale)
    : plane(plane_size), prescaled(target_size(plane_size, prescale)),
      resampled(!is_nearly_one(prescale) && prescaled != plane), reduced{prescaled.width_px / kSpeedStep,
                                                                         prescaled.height_px / kSpeedStep},
      blocks_x(reduced.width_px / kSpeedBlock), blocks_y(reduced.height_px / kSpeedBlock)
{
}

} // namespace vmaf
