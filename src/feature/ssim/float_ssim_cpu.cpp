#include <algorithm>

#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_window.h"

namespace vmaf {
namespace {

/// The means of factor x factor samples (spec ssim 3.4).
class ReducedRows final : public SsimRows {
  public:
    ReducedRows(const PictureFormat &format, unsigned factor, const SsimLoops &loops)
        : loops_(loops), height_px_(format.height), factor_(factor),
          width_px_(ssim_reduced({format.width, format.height}, factor).width_px), samples_(format.width),
          padded_(format.width, factor / 2, factor / 2 + 1), sums_(width_px_), row_(width_px_)
    {
    }

    void set(const PlaneView &plane) { plane_ = plane; }

    const float *row(unsigned y) override
    {
        const float tap = 1.0F / static_cast<float>(factor_ * factor_);
        const int first = static_cast<int>(y * factor_) - static_cast<int>(factor_ / 2);
        SsimSampleRows samples(plane_, samples_.data(), loops_);
        std::fill_n(sums_.data(), width_px_, 0.0);
        for (int v = first; v < first + static_cast<int>(factor_); ++v) {
            padded_.set(samples.row(ssim_mirror(v, height_px_)));
            loops_.add_reduced(padded_.data(), factor_, tap, width_px_, sums_.data());
        }
        loops_.narrow(sums_.data(), width_px_, row_.data());
        return row_.data();
    }

  private:
    const SsimLoops &loops_;
    unsigned height_px_;
    unsigned factor_;
    unsigned width_px_;
    PlaneView plane_;
    AlignedBuffer<float> samples_;
    SsimPaddedRow padded_;
    AlignedBuffer<double> sums_;
    AlignedBuffer<float> row_;
};

class ReducedSsimCpu final : public CpuExtractorOf<SsimSums> {
  public:
    ReducedSsimCpu(const PictureFormat &format, unsigned factor, const SsimLoops &loops, float *map)
        : size_(ssim_reduced({format.width, format.height}, factor)), ref_(format, factor, loops),
          dis_(format, factor, loops), window_(size_.width_px, loops), map_(map)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, SsimSums &sums) override
    {
        ref_.set(planes.ref[0]);
        dis_.set(planes.dis[0]);
        sums = window_.evaluate(ref_, dis_, size_, SsimValues::not_negative, map_);
        return {};
    }

  private:
    PictureSize size_;
    ReducedRows ref_, dis_;
    SsimWindow window_;
    float *map_;
};

class SsimCpu final : public CpuExtractorOf<SsimSums> {
  public:
    SsimCpu(const PictureFormat &format, const SsimLoops &loops, float *map)
        : loops_(loops), size_{format.width, format.height}, ref_row_(format.width), dis_row_(format.width),
          window_(format.width, loops), map_(map)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, SsimSums &sums) override
    {
        SsimSampleRows ref(planes.ref[0], ref_row_.data(), loops_), dis(planes.dis[0], dis_row_.data(), loops_);
        sums = window_.evaluate(ref, dis, size_, SsimValues::not_negative, map_);
        return {};
    }

  private:
    const SsimLoops &loops_;
    PictureSize size_;
    AlignedBuffer<float> ref_row_, dis_row_;
    SsimWindow window_;
    float *map_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_ssim_cpu(const PictureFormat &format, unsigned factor, CpuTarget target,
                                                  float *map)
{
    const SsimLoops &loops = select_kSsimLoops(target);
    if (factor == 1)
        return std::make_unique<SsimCpu>(format, loops, map);
    return std::make_unique<ReducedSsimCpu>(format, factor, loops, map);
}

} // namespace vmaf
