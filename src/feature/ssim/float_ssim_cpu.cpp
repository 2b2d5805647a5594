#include <algorithm>

#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_pictures.h"

namespace vmaf {
namespace {

/// The means of factor x factor samples (spec ssim 3.4).
class ReducedRows final : public SsimPictureRows {
  public:
    ReducedRows(const PictureFormat &format, unsigned factor, const SsimLoops &loops)
        : loops_(loops), height_px_(format.height), factor_(factor),
          width_px_(ssim_reduced({format.width, format.height}, factor).width_px), samples_(format.width, loops),
          padded_(format.width, factor / 2, factor / 2 + 1), sums_(std::size_t{factor} * width_px_), row_(width_px_)
    {
    }

    void set(const PlaneView (&planes)[3]) override { samples_.set(planes); }

    const float *row(unsigned y) override
    {
        const float tap = 1.0F / static_cast<float>(factor_ * factor_);
        const int first = static_cast<int>(y * factor_) - static_cast<int>(factor_ / 2);
        std::fill_n(sums_.data(), sums_.size(), 0.0);
        for (int v = first; v < first + static_cast<int>(factor_); ++v) {
            padded_.set(samples_.row(ssim_mirror(v, height_px_)));
            loops_.add_products(padded_.data(), tap, factor_ * width_px_, sums_.data());
        }
        loops_.reduce(sums_.data(), factor_, width_px_, row_.data());
        return row_.data();
    }

  private:
    const SsimLoops &loops_;
    unsigned height_px_;
    unsigned factor_;
    unsigned width_px_;
    SsimSampleRows samples_;
    SsimPaddedRow padded_;
    AlignedBuffer<double> sums_; ///< of columns
    AlignedBuffer<float> row_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_ssim_cpu(const PictureFormat &format, unsigned factor, CpuTarget target,
                                                  float *map)
{
    const SsimLoops &loops = select_kSsimLoops(target);
    const auto make_rows = [=, &loops]() -> std::unique_ptr<SsimPictureRows> {
        if (factor == 1)
            return std::make_unique<SsimSampleRows>(format.width, loops);
        return std::make_unique<ReducedRows>(format, factor, loops);
    };
    return std::make_unique<SsimPicturesCpu>(ssim_reduced({format.width, format.height}, factor), loops, make_rows(),
                                             make_rows(), map);
}

} // namespace vmaf
