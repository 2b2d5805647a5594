#include <optional>

#include "feature/cambi/cambi.h"
#include "feature/cambi/cambi_contrast.h"
#include "feature/cambi/cambi_pooling.h"
#include "feature/common/add_scale.h"

namespace vmaf {
namespace {

/// Turns c-values into the samples of a heatmap (spec cambi 4).
class HeatmapSamples {
  public:
    HeatmapSamples(const CambiTask &task)
        : largest_c_(kCambiWeights[task.visibility.steps - 1] * static_cast<int>(task.geometry.dis.window) *
                     static_cast<int>(task.geometry.dis.window) / 4),
          samples_(task.geometry.scale_size(task.geometry.dis, 0).pixels())
    {
    }

    std::span<const std::uint16_t> of(std::span<const float> c)
    {
        const double factor = largest_c_ == 0 ? 0 : 65535.0 / largest_c_;
        for (std::size_t i = 0; i < c.size(); ++i)
            samples_[i] = static_cast<std::uint16_t>(static_cast<int>(factor * static_cast<double>(c[i])));
        return {samples_.data(), c.size()};
    }

  private:
    int largest_c_; ///< Q
    AlignedBuffer<std::uint16_t> samples_;
};

/// What the pixels of scale 0 have of a scale's c-values, in the unit of the score (spec cambi
/// 3.6): every second column and row went into the next scale.
void add_to_map(const CambiTask &task, unsigned scale, std::span<const float> c)
{
    const CambiPass &pass = task.geometry.dis;
    const PictureSize size = task.geometry.scale_size(pass, scale);
    const float weight = static_cast<float>(16U >> scale) / static_cast<float>(pass.window * pass.window);
    add_scale(*task.map, scale, c, size.width_px, size.height_px, [&](float value) { return weight * value; });
}

/// All steps for one of the two pictures.
class Pass {
  public:
    Pass(const PictureFormat &format, const CambiTask &task, const CambiPass &pass, const CambiLoops &loops)
        : geometry_(task.geometry), pass_(pass), topk_(task.topk),
          preprocessor_(format, pass.size, task.smoothing,
                        task.geometry.half_size ? CambiResult::halved : CambiResult::whole, loops),
          pictures_{CambiPicture(geometry_.scale_size(pass, 0)), CambiPicture(geometry_.scale_size(pass, 1))},
          contrast_(geometry_.scale_size(pass, 0), pass.window, task.visibility, loops), pooling_(loops)
    {
    }

    /// `look` is shown the c-values of each scale.
    template <class Look>
    Status run(const PlaneView &luma, unsigned frame_index, double (&top_sums)[kCambiScales], Look &&look)
    {
        CambiPicture *picture = &pictures_[0], *next = &pictures_[1];
        VMAF_TRY(preprocessor_.run(luma, frame_index, *picture));
        for (unsigned scale = 0; scale < kCambiScales; ++scale) {
            const std::span<float> c =
                contrast_.run(*picture, geometry_.scale_size(pass_, scale), scale + 1 < kCambiScales ? next : nullptr);
            VMAF_TRY(look(scale, c));
            top_sums[scale] = pooling_.top_sum(c, cambi_top_count(topk_, c.size()));
            std::swap(picture, next);
        }
        return {};
    }

  private:
    CambiGeometry geometry_;
    CambiPass pass_;
    double topk_;
    CambiPreprocessor preprocessor_;
    CambiPicture pictures_[2]; ///< of this scale and the next one, in turns
    CambiContrast contrast_;
    CambiPooling pooling_;
};

class CambiCpu final : public CpuExtractorOf<CambiSums> {
  public:
    CambiCpu(const PictureFormat &format, const CambiTask &task, const CambiLoops &loops)
        : task_(task), dis_(format, task, task.geometry.dis, loops)
    {
        if (task.measures_ref)
            ref_.emplace(format, task, task.geometry.ref, loops);
        if (task.heatmaps)
            heatmap_samples_.emplace(task);
    }

  protected:
    Status extract(const FramePlanes &planes, CambiSums &sums) override
    {
        const auto show = [&](unsigned scale, std::span<const float> c) {
            if (task_.map != nullptr)
                add_to_map(task_, scale, c);
            return task_.heatmaps ? task_.heatmaps->write(scale, planes.frame_index, heatmap_samples_->of(c))
                                  : Status();
        };
        VMAF_TRY(dis_.run(planes.dis[0], planes.frame_index, sums.dis, show));
        if (!ref_)
            return {};
        return ref_->run(planes.ref[0], planes.frame_index, sums.ref,
                         [](unsigned, std::span<const float>) { return Status(); });
    }

  private:
    CambiTask task_;
    Pass dis_;
    std::optional<Pass> ref_;
    std::optional<HeatmapSamples> heatmap_samples_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_cambi_cpu(const PictureFormat &format, const CambiTask &task, CpuTarget target)
{
    return std::make_unique<CambiCpu>(format, task, select_kCambiLoops(target));
}

} // namespace vmaf
