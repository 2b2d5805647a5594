#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_map.h"
#include "feature/common/rgb_rows.h"

namespace vmaf {
namespace {

class ButteraugliCpu final : public CpuExtractorOf<ButteraugliSums> {
  public:
    ButteraugliCpu(const PictureFormat &format, const ButteraugliOptions &options, CpuTarget target, float *map)
        : height_px_(format.height),
          rows_(format, yuv_matrix(options.yuv_matrix, format.bpc), Light(options.light), target),
          map_(format.width, format.height, rows_.grey(), butteraugli_tuning(options), target, map)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, ButteraugliSums &sums) override
    {
        map_.begin();
        for (unsigned y = 0; y < height_px_; ++y) {
            rows_.linear(planes.ref, y, map_.next_row(0));
            rows_.linear(planes.dis, y, map_.next_row(1));
            map_.push();
        }
        map_.finish(sums);
        return {};
    }

  private:
    unsigned height_px_;
    RgbRows rows_;
    ButteraugliMap map_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_butteraugli_cpu(const PictureFormat &format, const ButteraugliOptions &options,
                                                   CpuTarget target, float *map)
{
    return std::make_unique<ButteraugliCpu>(format, options, target, map);
}

} // namespace vmaf
