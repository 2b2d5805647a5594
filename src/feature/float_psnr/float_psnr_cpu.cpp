#include "feature/float_psnr/float_psnr.h"
#include "feature/float_psnr/float_psnr_loops.h"
#include "feature/psnr/psnr_loops.h"

namespace vmaf {
namespace {

class FloatPsnrCpu final : public CpuExtractorOf<FloatPsnrSums> {
  public:
    explicit FloatPsnrCpu(CpuTarget target)
        : exact_loops_(select_kPsnrLoops(target)), rounding_loops_(select_kFloatPsnrLoops(target))
    {
    }

  protected:
    Status extract(const FramePlanes &planes, FloatPsnrSums &sums) override
    {
        const PlaneView &ref = planes.ref[0], &dis = planes.dis[0];
        for (unsigned y = 0; y < ref.height_px; ++y)
            sums.sse += row_sse(ref, dis, y);
        return {};
    }

  private:
    std::uint64_t row_sse(const PlaneView &ref, const PlaneView &dis, unsigned y) const
    {
        if (ref.bpc == 8)
            return exact_loops_.row_sse_8bit(ref.row<std::uint8_t>(y), dis.row<std::uint8_t>(y), ref.width_px);
        const auto row_sse = ref.bpc == 16 ? rounding_loops_.row_rounded_sse : exact_loops_.row_sse_16bit;
        return row_sse(ref.row<std::uint16_t>(y), dis.row<std::uint16_t>(y), ref.width_px);
    }

    const PsnrLoops &exact_loops_;
    const FloatPsnrLoops &rounding_loops_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_psnr_cpu(CpuTarget target)
{
    return std::make_unique<FloatPsnrCpu>(target);
}

} // namespace vmaf
