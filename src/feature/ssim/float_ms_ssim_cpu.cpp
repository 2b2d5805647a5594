#include <algorithm>
#include <array>

#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_window.h"

namespace vmaf {
namespace {

/// Makes a scale from the one before (spec ssim 3.5).
class Halver {
  public:
    Halver(unsigned width_px, const SsimLoops &loops)
        : loops_(loops), count_((width_px + 1) / 2), half_px_(count_ + kMsSsimReach),
          padded_(width_px, kMsSsimReach, kMsSsimReach + 1), split_(kTapRows * 2 * half_px_), sums_(count_)
    {
    }

    /// @return what the new scale holds.
    SsimValues halve(SsimRows &in, unsigned height_px, float *out)
    {
        const int reach = kMsSsimReach;
        unsigned ready = 0; // rows split so far
        bool negative = false;
        for (unsigned y = 0; y < (height_px + 1) / 2; ++y) {
            for (; ready < std::min(2 * y + kMsSsimReach + 1, height_px); ++ready)
                split(in.row(ready), ready);
            std::fill_n(sums_.data(), count_, 0.0);
            for (int v = -reach; v <= reach; ++v) {
                const float *even = even_row(ssim_mirror(static_cast<int>(2 * y) + v, height_px));
                loops_.add_low_passed(even, even + half_px_, static_cast<unsigned>(v < 0 ? -v : v), count_,
                                      sums_.data());
            }
            float *row = out + std::size_t{y} * count_;
            loops_.narrow(sums_.data(), count_, row);
            negative = loops_.any_negative(row, count_) != 0 || negative;
        }
        return negative ? SsimValues::any : SsimValues::not_negative;
    }

  private:
    static constexpr unsigned kTapRows = 2 * kMsSsimReach + 1;

    /// The even samples of one of the last rows; the odd ones follow them.
    float *even_row(unsigned y) { return split_.data() + y % kTapRows * 2 * half_px_; }

    void split(const float *row, unsigned y)
    {
        padded_.set(row);
        loops_.split(padded_.data(), static_cast<unsigned>(half_px_), even_row(y), even_row(y) + half_px_);
    }

    const SsimLoops &loops_;
    unsigned count_;
    std::size_t half_px_;
    SsimPaddedRow padded_;
    AlignedBuffer<float> split_;
    AlignedBuffer<double> sums_;
};

class MsSsimCpu final : public CpuLadderExtractorOf<MsSsimSums> {
  public:
    MsSsimCpu(const PictureFormat &format, const SsimLoops &loops)
        : sizes_(scale_sizes({format.width, format.height})), ref_(format.width, loops), dis_(format.width, loops),
          window_(format.width, loops), first_(1)
    {
        halvers_.reserve(kMsSsimScales - 1);
        for (unsigned scale = 1; scale < kMsSsimScales; ++scale) {
            const std::size_t pixels = std::size_t{sizes_[scale].width_px} * sizes_[scale].height_px;
            halvers_.emplace_back(sizes_[scale - 1].width_px, loops);
            ref_images_[scale - 1] = AlignedBuffer<float>(pixels);
            dis_images_[scale - 1] = AlignedBuffer<float>(pixels);
        }
    }

  protected:
    /// Scale 0, which is three quarters of the work, is evaluated of all frames together. Images of
    /// the other scales are kept of one at a time.
    Status extract(std::span<const FramePlanes> frames, std::span<MsSsimSums> sums) override
    {
        ref_.set(frames.front().ref);
        first_.resize(frames.size());
        const auto rows = [&](std::size_t image) -> SsimRows & {
            dis_.set(frames[image].dis);
            return dis_;
        };
        window_.evaluate(ref_, rows, sizes_[0], SsimValues::not_negative, first_);
        const Values ref_values = make_images(ref_, ref_images_);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            sums[i].scale[0] = first_[i];
            evaluate_images(ref_values, make_images(rows(i), dis_images_), sums[i]);
        }
        return {};
    }

  private:
    using Sizes = std::array<PictureSize, kMsSsimScales>;
    using Images = std::array<AlignedBuffer<float>, kMsSsimScales - 1>; ///< scale 1 and on

    using Values = std::array<SsimValues, kMsSsimScales>;

    static Sizes scale_sizes(PictureSize size)
    {
        Sizes sizes{size};
        for (unsigned scale = 1; scale < kMsSsimScales; ++scale)
            sizes[scale] = sizes[scale - 1].halved();
        return sizes;
    }

    SsimImageRows image_rows(const Images &images, unsigned scale) const
    {
        return {images[scale - 1].data(), sizes_[scale].width_px};
    }

    void evaluate_images(const Values &ref_values, const Values &dis_values, MsSsimSums &sums)
    {
        for (unsigned scale = 1; scale < kMsSsimScales; ++scale) {
            SsimImageRows ref = image_rows(ref_images_, scale), dis = image_rows(dis_images_, scale);
            const bool negative = ref_values[scale] == SsimValues::any || dis_values[scale] == SsimValues::any;
            window_.evaluate(ref, [&](std::size_t) -> SsimRows & { return dis; }, sizes_[scale],
                             negative ? SsimValues::any : SsimValues::not_negative, {&sums.scale[scale], 1});
        }
    }

    Values make_images(SsimRows &samples, Images &images)
    {
        Values values{SsimValues::not_negative};
        values[1] = halvers_[0].halve(samples, sizes_[0].height_px, images[0].data());
        for (unsigned scale = 1; scale < kMsSsimScales - 1; ++scale) {
            SsimImageRows rows = image_rows(images, scale);
            values[scale + 1] = halvers_[scale].halve(rows, sizes_[scale].height_px, images[scale].data());
        }
        return values;
    }

    Sizes sizes_;
    SsimSampleRows ref_, dis_;
    SsimWindow window_;
    std::vector<SsimSums> first_; ///< of scale 0 of each frame
    std::vector<Halver> halvers_;
    Images ref_images_, dis_images_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_ms_ssim_cpu(const PictureFormat &format, CpuTarget target)
{
    return std::make_unique<MsSsimCpu>(format, select_kSsimLoops(target));
}

} // namespace vmaf
