#include <algorithm>

#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_pyramid.h"

namespace vmaf {
namespace {

class Ssimulacra2Cpu final : public CpuExtractorOf<Ssimulacra2Sums> {
  public:
    Ssimulacra2Cpu(const PictureFormat &format, const Ssimulacra2Matrix &matrix, CpuTarget target)
        : format_(format), matrix_(matrix), loops_(select_kSsimulacra2Loops(target)),
          pyramid_(format.width, format.height,
                   format.plane_count() == 1 ? Ssimulacra2Colour::grey : Ssimulacra2Colour::xyb, loops_)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, Ssimulacra2Sums &sums) override
    {
        pyramid_.begin();
        for (unsigned y = 0; y < format_.height; ++y) {
            convert(planes.ref, y, pyramid_.next_row(0));
            convert(planes.dis, y, pyramid_.next_row(1));
            pyramid_.push();
        }
        pyramid_.finish(sums);
        return {};
    }

  private:
    void convert(const PlaneView (&planes)[3], unsigned y, Ssimulacra2Row out) const
    {
        convert_samples(planes[0], y, out.channel[0]);
        if (format_.plane_count() == 1)
            return loops_.luma_to_linear(matrix_, format_.width, out.channel[0]);
        for (unsigned plane = 1; plane < 3; ++plane)
            convert_chroma(planes[plane], y, out.channel[plane]);
        loops_.yuv_to_linear(matrix_, format_.width, out);
    }

    void convert_samples(const PlaneView &plane, unsigned y, float *out) const
    {
        if (plane.bpc == 8)
            loops_.samples_8bit(plane.row<std::uint8_t>(y), plane.width_px, out);
        else
            loops_.samples_16bit(plane.row<std::uint16_t>(y), plane.width_px, out);
    }

    /// Brings chroma to luma size by replication (spec ssimulacra2 3.1).
    void convert_chroma(const PlaneView &plane, unsigned y, float *out) const
    {
        const bool half_height = plane.height_px != format_.height;
        const unsigned row = half_height ? std::min(y / 2, plane.height_px - 1) : y;
        if (plane.width_px == format_.width)
            return convert_samples(plane, row, out);
        if (plane.bpc == 8)
            loops_.twice_8bit(plane.row<std::uint8_t>(row), plane.width_px, out);
        else
            loops_.twice_16bit(plane.row<std::uint16_t>(row), plane.width_px, out);
        out[format_.width - 1] = out[2 * plane.width_px - 1]; // an odd last column has no sample of its own
    }

    PictureFormat format_;
    Ssimulacra2Matrix matrix_;
    const Ssimulacra2Loops &loops_;
    Ssimulacra2Pyramid pyramid_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_ssimulacra2_cpu(const PictureFormat &format, const Ssimulacra2Matrix &matrix,
                                                   CpuTarget target)
{
    return std::make_unique<Ssimulacra2Cpu>(format, matrix, target);
}

} // namespace vmaf
