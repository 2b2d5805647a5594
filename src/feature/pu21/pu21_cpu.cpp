#include "base/aligned_buffer.h"
#include "feature/common/light_rows.h"
#include "feature/pu21/pu21.h"
#include "feature/pu21/pu21_loops.h"
#include "feature/ssim/ssim_pictures.h"

namespace vmaf {
namespace {

/// What pu() makes of a picture's rows.
class Pu21Rows {
  public:
    Pu21Rows(const PictureFormat &format, const Pu21Options &options, CpuTarget target)
        : width_px_(format.width), light_(options.light),
          rows_(format, yuv_matrix(options.yuv_matrix, format.bpc), options.signal, target), luminance_(width_px_),
          curve_(pu21_curve().curve()), loops_(select_kPu21Loops(target))
    {
    }

    LightRow light(const PlaneView (&planes)[3], unsigned y) { return rows_.row(planes, y); }

    void encode(const float *light, double scale, float *out) const
    {
        loops_.encode(curve_, light, light_.reflected, scale, width_px_, out);
    }
    void encode_luminance(const LightRow &light, double scale, float *out)
    {
        loops_.luminance(light.data(), light_.luminance, width_px_, luminance_.data());
        encode(luminance_.data(), scale, out);
    }
    /// Sum of the squared differences of several rows. Callers add up the sums of rows: one sum
    /// over all pixels would lose digits that the GPU's tree of sums keeps.
    double squares(const float *ref, const float *dis, unsigned rows) const
    {
        return loops_.squares(ref, dis, rows * width_px_);
    }

  private:
    unsigned width_px_;
    Pu21Light light_;
    LightRows rows_;
    AlignedBuffer<float> luminance_;
    LightCurve curve_;
    const Pu21Loops &loops_;
};

class Pu21PsnrCpu final : public CpuLadderExtractorOf<Pu21PsnrSums> {
  public:
    Pu21PsnrCpu(const PictureFormat &format, const Pu21Options &options, CpuTarget target)
        : width_px_(format.width), rows_(format, options, target), ref_(kValues * width_px_), dis_(kValues * width_px_)
    {
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<Pu21PsnrSums> sums) override
    {
        const PlaneView(&ref)[3] = frames.front().ref;
        for (unsigned y = 0; y < ref[0].height_px; ++y) {
            encode(ref, y, ref_);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                encode(frames[i].dis, y, dis_);
                sums[i].luminance += rows_.squares(ref_.data(), dis_.data(), 1);
                sums[i].rgb += rows_.squares(ref_.data() + width_px_, dis_.data() + width_px_, kValues - 1);
            }
        }
        return {};
    }

  private:
    static constexpr std::size_t kValues = 4; ///< luminance, R, G, B

    void encode(const PlaneView (&planes)[3], unsigned y, AlignedBuffer<float> &values)
    {
        const LightRow light = rows_.light(planes, y);
        rows_.encode_luminance(light, 1, values.data());
        for (std::size_t i = 1; i < kValues; ++i)
            rows_.encode(light[i - 1], 1, values.data() + i * width_px_);
    }

    std::size_t width_px_;
    Pu21Rows rows_;
    AlignedBuffer<float> ref_, dis_; ///< a row of each value
};

/// A picture's luminance in pu(), as an image that SSIM compares.
class Pu21ImageRows final : public SsimPictureRows {
  public:
    Pu21ImageRows(const PictureFormat &format, const Pu21Options &options, CpuTarget target)
        : rows_(format, options, target), row_(format.width)
    {
    }

    void set(const PlaneView (&planes)[3]) override
    {
        for (unsigned plane = 0; plane < 3; ++plane)
            planes_[plane] = planes[plane];
    }

    const float *row(unsigned y) override
    {
        rows_.encode_luminance(rows_.light(planes_, y), kPu21ImageScale, row_.data());
        return row_.data();
    }

  private:
    Pu21Rows rows_;
    PlaneView planes_[3];
    AlignedBuffer<float> row_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_pu21_psnr_cpu(const PictureFormat &format, const Pu21Options &options,
                                                 CpuTarget target)
{
    return std::make_unique<Pu21PsnrCpu>(format, options, target);
}

std::unique_ptr<CpuExtractor> make_pu21_ssim_cpu(const PictureFormat &format, const Pu21Options &options,
                                                 CpuTarget target)
{
    const auto make_rows = [&] { return std::make_unique<Pu21ImageRows>(format, options, target); };
    return std::make_unique<SsimPicturesCpu>(PictureSize{format.width, format.height}, select_kSsimLoops(target),
                                             make_rows(), make_rows());
}

} // namespace vmaf
