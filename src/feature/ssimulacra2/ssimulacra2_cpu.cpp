#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_pyramid.h"

namespace vmaf {
namespace {

class Ssimulacra2Cpu final : public CpuExtractorOf<Ssimulacra2Sums> {
  public:
    Ssimulacra2Cpu(const PictureFormat &format, const Ssimulacra2Options &options, CpuTarget target)
        : rows_(format, yuv_matrix(options.yuv_matrix, format.bpc), Light(options.light), target),
          pyramid_(format.width, format.height, rows_.grey() ? Ssimulacra2Colour::grey : Ssimulacra2Colour::xyb, target)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, Ssimulacra2Sums &sums) override
    {
        pyramid_.run(planes, rows_, sums);
        return {};
    }

  private:
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
