#include "base/aligned_buffer.h"
#include "feature/common/ladder_bands.h"
#include "feature/common/light_rows.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_model.h"
#include "feature/cvvdp/cvvdp_pyramid.h"

namespace vmaf {
namespace {

/// The pictures of a reference and its encodes.
struct CvvdpLadder {
    /// @param places of the only encode, or null.
    CvvdpLadder(const PictureFormat &format, const std::vector<CvvdpBandTables> &tables, std::size_t count,
                CpuTarget target, CvvdpPlaces *places)
        : reference(format.width, format.height, static_cast<unsigned>(tables.size()), ladder_rows_ahead(count), target)
    {
        encodes.reserve(count);
        while (encodes.size() < count)
            encodes.emplace_back(reference, tables, target, places);
    }

    CvvdpReference reference;
    std::vector<CvvdpEncode> encodes;
};

class CvvdpCpu final : public CpuLadderExtractorOf<CvvdpSums> {
  public:
    CvvdpCpu(const PictureFormat &format, const CvvdpOptions &options, CpuTarget target, CvvdpPlaces *places)
        : format_(format), target_(target),
          light_(format, yuv_matrix(options.yuv_matrix, format.bpc), options.light, target),
          colour_(cvvdp_colour(options.display)), taps_(cvvdp_taps(options.fps)),
          most_earlier_(cvvdp_tap_count(options.fps) - 1), loops_(select_kCvvdpLoops(target)), luma_(format.width)
    {
        const std::vector<double> frequencies = cvvdp_frequencies(format.width, format.height, options.display.ppd);
        const auto count = static_cast<unsigned>(frequencies.size());
        for (unsigned band = 0; band < count; ++band)
            tables_.push_back(cvvdp_tables(band, count, frequencies[band]));
        ladder_ = std::make_unique<CvvdpLadder>(format_, tables_, 1, target_, places);
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<CvvdpSums> sums) override
    {
        if (ladder_->encodes.size() < frames.size())
            ladder_ = std::make_unique<CvvdpLadder>(format_, tables_, frames.size(), target_, nullptr);
        unsigned earlier = 0;
        while (earlier < most_earlier_ && frames.front().earlier[earlier].ref[0].data != nullptr)
            ++earlier;
        const CvvdpWeights weights = cvvdp_weights(taps_, earlier);
        const auto push = [&](const FramePlanes &planes, auto which, unsigned y, auto &picture) {
            filter_row(planes, which, weights, y, picture.next_row());
            picture.push();
        };
        run_ladder(*ladder_, format_.height, frames, sums, push);
        return {};
    }

  private:
    /// spec cvvdp 3.1 to 3.3.
    void filter_row(const FramePlanes &planes, PlaneView (PairOf<PlaneView>::*picture)[3], const CvvdpWeights &weights,
                    unsigned y, CvvdpRows channels)
    {
        loops_.begin_channels(colour_, light_.row(planes.*picture, y).data(), weights.weights[0], format_.width,
                              luma_.data(), channels);
        for (unsigned age = 1; age < weights.count; ++age)
            loops_.add_channels(colour_, light_.row(planes.earlier[age - 1].*picture, y).data(), weights.weights[age],
                                luma_.data(), format_.width, channels);
    }

    PictureFormat format_;
    CpuTarget target_;
    LightRows light_;
    CvvdpColour colour_;
    CvvdpTaps taps_;
    unsigned most_earlier_;
    const CvvdpLoops &loops_;
    AlignedBuffer<float> luma_;
    std::vector<CvvdpBandTables> tables_;
    std::unique_ptr<CvvdpLadder> ladder_; ///< for as many encodes as there were at once so far
};

} // namespace

std::unique_ptr<CpuExtractor> make_cvvdp_cpu(const PictureFormat &format, const CvvdpOptions &options, CpuTarget target,
                                             CvvdpPlaces *places)
{
    return std::make_unique<CvvdpCpu>(format, options, target, places);
}

} // namespace vmaf
