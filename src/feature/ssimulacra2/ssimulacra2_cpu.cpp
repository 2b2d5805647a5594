#include "feature/common/rgb_rows.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_pyramid.h"

namespace vmaf {
namespace {

class Ssimulacra2Cpu final : public CpuExtractorOf<Ssimulacra2Sums> {
  public:
    Ssimulacra2Cpu(const PictureFormat &format, const Ssimulacra2Options &options, CpuTarget target)
        : height_px_(format.height),
          rows_(format, yuv_matrix(options.yuv_matrix, format.bpc), Light(options.light), target),
          pyramid_(format.width, format.height, rows_.grey() ? Ssimulacra2Colour::grey : Ssimulacra2Colour::xyb, target)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, Ssimulacra2Sums &sums) override
    {
        pyramid_.begin();
        for (unsigned y = 0; y < height_px_; ++y) {
            rows_.linear(planes.ref, y, pyramid_.next_row(0));
            rows_.linear(planes.dis, y, pyramid_.next_row(1));
            pyramid_.push();
        }
        pyramid_.finish(sums);
        return {};
    }

  private:
    unsigned height_px_;
    RgbRows rows_;
    Ssimulacra2Pyramid pyramid_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_ssimulacra2_cpu(const PictureFormat &format, const Ssimulacra2Options &options,
                                                   CpuTarget target)
{
    return std::make_unique<Ssimulacra2Cpu>(format, options, target);
}

} // namespace vmaf
