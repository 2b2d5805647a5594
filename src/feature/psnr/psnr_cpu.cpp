#include "feature/psnr/psnr.h"
#include "feature/psnr/psnr_loops.h"

namespace vmaf {
namespace {

class PsnrCpu final : public CpuExtractorOf<PsnrSums> {
  public:
    PsnrCpu(unsigned plane_count, CpuTarget target) : plane_count_(plane_count), loops_(select_kPsnrLoops(target)) {}

  protected:
    Status extract(const FramePlanes &planes, PsnrSums &sums) override
    {
        for (unsigned plane = 0; plane < plane_count_; ++plane) {
            const PlaneView &ref = planes.ref[plane], &dis = planes.dis[plane];
            for (unsigned y = 0; y < ref.height_px; ++y)
                sums.sse[plane] +=
                    ref.bpc == 8
                        ? loops_.row_sse_8bit(ref.row<std::uint8_t>(y), dis.row<std::uint8_t>(y), ref.width_px)
                        : loops_.row_sse_16bit(ref.row<std::uint16_t>(y), dis.row<std::uint16_t>(y), ref.width_px);
        }
        return {};
    }

  private:
    unsigned plane_count_;
    const PsnrLoops &loops_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_psnr_cpu(unsigned plane_count, CpuTarget target)
{
    return std::make_unique<PsnrCpu>(plane_count, target);
}

} // namespace vmaf
