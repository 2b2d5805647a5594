#include "feature/ssimulacra2/ssimulacra2_pyramid.h"

namespace vmaf {

Ssimulacra2Pyramid::Ssimulacra2Pyramid(unsigned width_px, unsigned height_px, Ssimulacra2Colour colour,
                                       CpuTarget target, Ssimulacra2Errors errors)
    : height_px_(height_px)
{
    const unsigned count = ssimulacra2_scale_count(width_px, height_px);
    for (unsigned scale = 0; scale < count; ++scale)
        scales_.emplace_back(ssimulacra2_size(width_px, height_px, scale), scale, count, colour, errors, target);
}

void Ssimulacra2Pyramid::run(const FramePlanes &planes, const RgbRows &rows, Ssimulacra2Sums &sums)
{
    begin();
    for (unsigned y = 0; y < height_px_; ++y) {
        rows.linear(planes.ref, y, next_row(0));
        rows.linear(planes.dis, y, next_row(1));
        push();
    }
    finish(sums);
}

void Ssimulacra2Pyramid::begin()
{
    for (Ssimulacra2Scale &scale : scales_)
        scale.begin();
}

void Ssimulacra2Pyramid::push()
{
    scales_[0].push();
    for (std::size_t scale = 0; scale + 1 < scales_.size() && scales_[scale].makes_row(); ++scale) {
        scales_[scale].halve_into(scales_[scale + 1]);
        scales_[scale + 1].push();
    }
}

void Ssimulacra2Pyramid::finish(Ssimulacra2Sums &sums)
{
    for (Ssimulacra2Scale &scale : scales_)
        scale.finish(sums);
}

} // namespace vmaf
