#include <algorithm>

#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_loops.h"

namespace vmaf {
namespace {

/// acc of spec psnr_hvs 3.4 after block `b`. Adding 0 changes nothing, so only the other terms wait for one another.
float accumulate(float accumulator, const HvsErrors &errors, unsigned b)
{
    float terms[kHvsCoefficients];
    unsigned count = 0;
    for (const float(&z)[kHvsGroup] : errors.z) {
        terms[count] = z[b];
        count += z[b] != 0;
    }
    for (unsigned k = 0; k < count; ++k)
        accumulator += terms[k];
    return accumulator;
}

class PsnrHvsCpu final : public CpuExtractorOf<PsnrHvsSums> {
  public:
    explicit PsnrHvsCpu(CpuTarget target) : loops_(select_kPsnrHvsLoops(target)) {}

  protected:
    Status extract(const FramePlanes &planes, PsnrHvsSums &sums) override
    {
        for (unsigned plane = 0; plane < 3; ++plane)
            sums.accumulator[plane] = plane_accumulator(planes.ref[plane], planes.dis[plane], kHvsWeights[plane]);
        return {};
    }

  private:
    float plane_accumulator(const PlaneView &ref, const PlaneView &dis, const HvsWeights &weights)
    {
        const unsigned columns = hvs_blocks(ref.width_px), rows = hvs_blocks(ref.height_px);
        float accumulator = 0;
        for (unsigned row = 0; row < rows; ++row)
            for (unsigned column = 0; column < columns; column += kHvsGroup) {
                spread(ref, column, row, ref_);
                spread(dis, column, row, dis_);
                loops_.errors(ref_, dis_, weights, errors_);
                for (unsigned b = 0; b < std::min(kHvsGroup, columns - column); ++b)
                    accumulator = accumulate(accumulator, errors_, b);
            }
        return accumulator;
    }

    void spread(const PlaneView &plane, unsigned column, unsigned row, HvsSamples &samples)
    {
        const unsigned x = kHvsStepPx * column, count = std::min(kHvsGroupPx, plane.width_px - x);
        for (unsigned i = 0; i < kHvsBlockPx; ++i)
            read_row(plane, x, kHvsStepPx * row + i, count, rows_.sample[i]);
        loops_.spread(rows_, samples);
    }

    /// Samples above 2^bpc - 1, for which no reference value exists, count as 2^bpc - 1: then nothing overflows.
    void read_row(const PlaneView &plane, unsigned x, unsigned y, unsigned count, std::uint16_t *out)
    {
        if (plane.bpc == 8)
            loops_.widen(plane.row<std::uint8_t>(y) + x, count, out);
        else
            loops_.limit(plane.row<std::uint16_t>(y) + x, count, static_cast<std::uint16_t>((1U << plane.bpc) - 1),
                         out);
    }

    const PsnrHvsLoops &loops_;
    HvsRows rows_{};
    HvsSamples ref_, dis_;
    HvsErrors errors_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_psnr_hvs_cpu(CpuTarget target)
{
    return std::make_unique<PsnrHvsCpu>(target);
}

} // namespace vmaf
