#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_map.h"
#include "feature/common/ladder_bands.h"
#include "feature/common/rgb_rows.h"

namespace vmaf {
namespace {

/// The pictures of a reference and its encodes.
struct ButteraugliLadder {
    /// @param values get the map of the only encode; null: nobody wants it.
    ButteraugliLadder(const ButteraugliSize &size, std::size_t count, CpuTarget target, float *values)
        : reference(size, ladder_rows_ahead(count), target)
    {
        while (encodes.size() < count)
            encodes.emplace_back(reference, target, values);
    }

    ButteraugliReference reference;
    std::vector<ButteraugliMap> encodes;
};

class ButteraugliCpu final : public CpuLadderExtractorOf<ButteraugliSums> {
  public:
    ButteraugliCpu(const PictureFormat &format, const ButteraugliOptions &options, CpuTarget target, float *map)
        : target_(target), rows_(format, yuv_matrix(options.yuv_matrix, format.bpc), Light(options.light), target),
          size_{format.width, format.height, rows_.grey(), butteraugli_tuning(options)},
          ladder_(std::make_unique<ButteraugliLadder>(size_, 1, target, map))
    {
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<ButteraugliSums> sums) override
    {
        if (ladder_->encodes.size() < frames.size())
            ladder_ = std::make_unique<ButteraugliLadder>(size_, frames.size(), target_, nullptr);
        const auto push = [&](const FramePlanes &planes, auto which, unsigned y, auto &picture) {
            if (y < size_.height_px)
                rows_.linear(planes.*which, y, picture.next_row());
            picture.push();
        };
        run_ladder(*ladder_, ladder_->encodes[0].rows_to_push(), frames, sums, push);
        return {};
    }

  private:
    CpuTarget target_;
    RgbRows rows_;
    ButteraugliSize size_;
    std::unique_ptr<ButteraugliLadder> ladder_; ///< for as many encodes as there were at once so far
};

} // namespace

std::unique_ptr<CpuExtractor> make_butteraugli_cpu(const PictureFormat &format, const ButteraugliOptions &options,
                                                   CpuTarget target, float *map)
{
    return std::make_unique<ButteraugliCpu>(format, options, target, map);
}

} // namespace vmaf
