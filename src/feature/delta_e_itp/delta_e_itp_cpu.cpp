#include <algorithm>

#include "base/aligned_buffer.h"
#include "feature/common/light_rows.h"
#include "feature/delta_e_itp/delta_e_itp.h"
#include "feature/delta_e_itp/delta_e_itp_loops.h"

namespace vmaf {
namespace {

/// A row of each of two pictures.
class ItpRows {
  public:
    explicit ItpRows(std::size_t width_px) : width_px_(width_px), memory_(6 * width_px) {}

    ItpRow row(unsigned picture)
    {
        double *const first = memory_.data() + picture * 3 * width_px_;
        return {first, first + width_px_, first + 2 * width_px_};
    }

  private:
    std::size_t width_px_;
    AlignedBuffer<double> memory_;
};

class DeltaEItpCpu final : public CpuExtractorOf<DeltaEItpSums> {
  public:
    DeltaEItpCpu(const PictureFormat &format, const DeltaEItpOptions &options, CpuTarget target)
        : width_px_(format.width), rank_(delta_e_itp_rank(format.width, format.height)),
          light_(format, yuv_matrix(options.yuv_matrix, format.bpc), options.light, target), colours_(width_px_),
          differences_(std::size_t{format.width} * format.height), loops_(select_kDeltaEItpLoops(target))
    {
    }

  protected:
    Status extract(const FramePlanes &planes, DeltaEItpSums &sums) override
    {
        sums.sum = 0;
        float *row = differences_.data();
        for (unsigned y = 0; y < planes.ref[0].height_px; ++y, row += width_px_) {
            loops_.to_itp(light_.row(planes.ref, y).data(), width_px_, colours_.row(0));
            loops_.to_itp(light_.row(planes.dis, y).data(), width_px_, colours_.row(1));
            loops_.differences(colours_.row(0), colours_.row(1), width_px_, row);
            for (unsigned x = 0; x < width_px_; ++x)
                sums.sum += static_cast<double>(row[x]);
        }
        float *const percentile = differences_.data() + rank_;
        std::nth_element(differences_.data(), percentile, row);
        sums.percentile = static_cast<double>(*percentile);
        return {};
    }

  private:
    unsigned width_px_;
    std::size_t rank_;
    LightRows light_;
    ItpRows colours_;
    AlignedBuffer<float> differences_; ///< of all pixels
    const DeltaEItpLoops &loops_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_delta_e_itp_cpu(const PictureFormat &format, const DeltaEItpOptions &options,
                                                   CpuTarget target)
{
    return std::make_unique<DeltaEItpCpu>(format, options, target);
}

} // namespace vmaf
