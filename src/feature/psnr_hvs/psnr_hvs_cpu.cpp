#include <algorithm>
#include <iterator>

#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_loops.h"

namespace vmaf {
namespace {

/// A block's place among those of its plane.
struct HvsPlace {
    unsigned column, row;
};

/// Where `count` blocks begin, of which the first is at `place`. The others of the group are the
/// first again.
HvsBlocks blocks_of(const PlaneView &plane, HvsPlace place, unsigned count)
{
    const unsigned columns = hvs_blocks(plane.width_px);
    const std::size_t step_bytes = kHvsStepPx * sample_bytes(plane.bpc);
    const std::byte *row = plane.row<std::byte>(kHvsStepPx * place.row);
    HvsBlocks blocks;
    for (unsigned i = 0; i < count; ++i) {
        blocks.start[i] = row + step_bytes * place.column;
        if (++place.column == columns) {
            place.column = 0;
            row += kHvsStepPx * plane.stride_bytes;
        }
    }
    std::fill(blocks.start + count, std::end(blocks.start), blocks.start[0]);
    return blocks;
}

class PsnrHvsCpu final : public CpuLadderExtractorOf<PsnrHvsSums> {
  public:
    explicit PsnrHvsCpu(CpuTarget target) : loops_(select_kPsnrHvsLoops(target)) {}

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<PsnrHvsSums> sums) override
    {
        for (unsigned plane = 0; plane < 3; ++plane)
            add_plane(frames, plane, sums);
        return {};
    }

  private:
    void add_plane(std::span<const FramePlanes> frames, unsigned plane, std::span<PsnrHvsSums> sums)
    {
        const PlaneView &ref = frames.front().ref[plane];
        const HvsWeights &weights = kHvsWeights[plane];
        const unsigned columns = hvs_blocks(ref.width_px), blocks = columns * hvs_blocks(ref.height_px);
        for (unsigned first = 0; first < blocks; first += kHvsGroup) {
            const HvsPlace place{first % columns, first / columns};
            const unsigned count = std::min(kHvsGroup, blocks - first);
            gather(ref, blocks_of(ref, place, count), ref_);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                const PlaneView &dis = frames[i].dis[plane];
                gather(dis, blocks_of(dis, place, count), dis_);
                if (i == 0) // right after its own gather() it would wait for these stores
                    loops_.transform_and_mask(ref_, weights, ref_mask_);
                loops_.transform_and_mask(dis_, weights, dis_mask_);
                add_errors(weights, count, sums[i].accumulator[plane]);
            }
        }
    }

    void add_errors(const HvsWeights &weights, unsigned count, float &accumulator)
    {
        // Coefficients after the last block are equal in both pictures and add nothing.
        if (count < kHvsGroup)
            for (unsigned k = 0; k < kHvsCoefficients; ++k)
                std::copy(ref_.value[k] + count, std::end(ref_.value[k]), dis_.value[k] + count);
        loops_.errors(ref_, ref_mask_, dis_, dis_mask_, weights, errors_);
        accumulator = loops_.accumulate(accumulator, errors_);
    }

    /// Samples above 2^bpc - 1, for which no reference value exists, count as 2^bpc - 1: then
    /// nothing overflows.
    void gather(const PlaneView &plane, const HvsBlocks &blocks, HvsSamples &samples) const
    {
        if (plane.bpc == 8)
            loops_.gather_8bit(blocks, plane.stride_bytes, samples);
        else
            loops_.gather_16bit(blocks, plane.stride_bytes, static_cast<std::uint16_t>((1U << plane.bpc) - 1), samples);
    }

    const PsnrHvsLoops &loops_;
    HvsSamples ref_, dis_; ///< then coefficients
    HvsLanes ref_mask_, dis_mask_;
    HvsErrors errors_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_psnr_hvs_cpu(CpuTarget target)
{
    return std::make_unique<PsnrHvsCpu>(target);
}

} // namespace vmaf
