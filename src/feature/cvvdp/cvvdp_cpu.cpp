#include "base/aligned_buffer.h"
#include "feature/common/light_rows.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_pyramid.h"

namespace vmaf {
namespace {

/// Every row goes through all frames of the filters and all bands before the next one comes.
class CvvdpCpu final : public CpuExtractorOf<CvvdpSums> {
  public:
    CvvdpCpu(const PictureFormat &format, const CvvdpOptions &options, CpuTarget target, CvvdpPlaces *places)
        : width_px_(format.width), height_px_(format.height),
          light_(format, yuv_matrix(options.yuv_matrix, format.bpc), options.light, target),
          colour_(cvvdp_colour(options.display)), taps_(cvvdp_taps(options.fps)),
          most_earlier_(cvvdp_tap_count(options.fps) - 1), loops_(select_kCvvdpLoops(target)), luma_(format.width),
          pyramid_(format.width, format.height, cvvdp_frequencies(format.width, format.height, options.display.ppd),
                   target, places)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, CvvdpSums &sums) override
    {
        unsigned earlier = 0;
        while (earlier < most_earlier_ && planes.earlier[earlier].ref[0].data != nullptr)
            ++earlier;
        const CvvdpWeights weights = cvvdp_weights(taps_, earlier);
        pyramid_.begin();
        for (unsigned y = 0; y < height_px_; ++y) {
            filter_row(planes, &PairOf<PlaneView>::ref, weights, y, pyramid_.next_row(0));
            filter_row(planes, &PairOf<PlaneView>::dis, weights, y, pyramid_.next_row(1));
            pyramid_.push();
        }
        pyramid_.finish(sums);
        return {};
    }

  private:
    /// spec cvvdp 3.1 to 3.3.
    void filter_row(const FramePlanes &planes, PlaneView (PairOf<PlaneView>::*picture)[3], const CvvdpWeights &weights,
                    unsigned y, CvvdpRows channels)
    {
        loops_.begin_channels(colour_, light_.row(planes.*picture, y).data(), weights.weights[0], width_px_,
                              luma_.data(), channels);
        for (unsigned age = 1; age < weights.count; ++age)
            loops_.add_channels(colour_, light_.row(planes.earlier[age - 1].*picture, y).data(), weights.weights[age],
                                luma_.data(), width_px_, channels);
    }

    unsigned width_px_, height_px_;
    LightRows light_;
    CvvdpColour colour_;
    CvvdpTaps taps_;
    unsigned most_earlier_;
    const CvvdpLoops &loops_;
    AlignedBuffer<float> luma_;
    CvvdpPyramid pyramid_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_cvvdp_cpu(const PictureFormat &format, const CvvdpOptions &options, CpuTarget target,
                                             CvvdpPlaces *places)
{
    return std::make_unique<CvvdpCpu>(format, options, target, places);
}

} // namespace vmaf
