#include "feature/float_moment/float_moment.h"
#include "feature/float_moment/float_moment_loops.h"

namespace vmaf {
namespace {

class FloatMomentCpu final : public CpuExtractorOf<FloatMomentSums> {
  public:
    explicit FloatMomentCpu(CpuTarget target) : loops_(select_kFloatMomentLoops(target)) {}

  protected:
    Status extract(const FramePlanes &planes, FloatMomentSums &sums) override
    {
        add(planes.ref[0], sums.ref);
        add(planes.dis[0], sums.dis);
        return {};
    }

  private:
    void add(const PlaneView &plane, FloatMoments &moments) const
    {
        const auto add_deep_row = plane.bpc == 16 ? loops_.add_16bit : loops_.add_to_15bit;
        for (unsigned y = 0; y < plane.height_px; ++y)
            if (plane.bpc == 8)
                loops_.add_8bit(plane.row<std::uint8_t>(y), plane.width_px, moments);
            else
                add_deep_row(plane.row<std::uint16_t>(y), plane.width_px, moments);
    }

    const FloatMomentLoops &loops_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_moment_cpu(CpuTarget target)
{
    return std::make_unique<FloatMomentCpu>(target);
}

} // namespace vmaf
