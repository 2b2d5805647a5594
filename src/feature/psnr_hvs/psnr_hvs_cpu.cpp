#include <algorithm>
#include <iterator>

#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_loops.h"

namespace vmaf {
namespace {

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
        unsigned count = 0; // blocks in the group
        const auto add_group = [&] {
            add_errors(ref, dis, weights, count);
            accumulator = loops_.accumulate(accumulator, errors_);
            count = 0;
        };
        for (unsigned row = 0; row < rows; ++row)
            for (unsigned column = 0; column < columns; ++column) {
                ref_blocks_.start[count] = block(ref, column, row);
                dis_blocks_.start[count] = block(dis, column, row);
                if (++count == kHvsGroup)
                    add_group();
            }
        if (count > 0)
            add_group();
        return accumulator;
    }

    static const std::byte *block(const PlaneView &plane, unsigned column, unsigned row)
    {
        return plane.row<std::byte>(kHvsStepPx * row) + kHvsStepPx * column * sample_bytes(plane.bpc);
    }

    void add_errors(const PlaneView &ref, const PlaneView &dis, const HvsWeights &weights, unsigned count)
    {
        gather(ref, ref_blocks_, count, ref_);
        gather(dis, dis_blocks_, count, dis_);
        // Samples after the last block are equal in both pictures and add nothing.
        if (count < kHvsGroup)
            for (unsigned k = 0; k < kHvsCoefficients; ++k)
                std::copy(ref_.value[k] + count, std::end(ref_.value[k]), dis_.value[k] + count);
        loops_.errors(ref_, dis_, weights, errors_);
    }

    /// Samples above 2^bpc - 1, for which no reference value exists, count as 2^bpc - 1: then
    /// nothing overflows.
    void gather(const PlaneView &plane, HvsBlocks &blocks, unsigned count, HvsSamples &samples)
    {
        std::fill(blocks.start + count, std::end(blocks.start), blocks.start[0]);
        if (plane.bpc == 8)
            loops_.gather_8bit(blocks, plane.stride_bytes, samples);
        else
            loops_.gather_16bit(blocks, plane.stride_bytes, static_cast<std::uint16_t>((1U << plane.bpc) - 1), samples);
    }

    const PsnrHvsLoops &loops_;
    HvsBlocks ref_blocks_, dis_blocks_;
    HvsSamples ref_, dis_;
    HvsErrors errors_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_psnr_hvs_cpu(CpuTarget target)
{
    return std::make_unique<PsnrHvsCpu>(target);
}

} // namespace vmaf
