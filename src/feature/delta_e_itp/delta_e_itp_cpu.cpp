#include <algorithm>
#include <functional>
#include <vector>

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

/// The largest of many values, as many as are asked for.
class LargestValues {
  public:
    /// @param count of values that are kept. @param row_px values that come at once.
    LargestValues(std::size_t count, std::size_t row_px) : count_(count), values_(2 * count + row_px) {}

    void begin()
    {
        size_ = 0;
        least_ = -1;
    }
    /// @param row none of them is negative.
    void add(const float *row, std::size_t row_px)
    {
        float *const values = values_.data();
        std::size_t size = size_;
        for (std::size_t x = 0; x < row_px; ++x) {
            values[size] = row[x];
            size += row[x] > least_ ? 1 : 0;
        }
        size_ = size;
        if (size_ > 2 * count_)
            drop_others();
    }
    /// The smallest of them. At least as many values were added.
    float least()
    {
        drop_others();
        return least_;
    }

  private:
    void drop_others()
    {
        std::nth_element(values_.data(), values_.data() + count_ - 1, values_.data() + size_, std::greater<>());
        size_ = count_;
        least_ = values_[count_ - 1];
    }

    std::size_t count_, size_ = 0;
    float least_ = -1; ///< only larger ones can still be among them
    AlignedBuffer<float> values_;
};

class DeltaEItpCpu final : public CpuLadderExtractorOf<DeltaEItpSums> {
  public:
    DeltaEItpCpu(const PictureFormat &format, const DeltaEItpOptions &options, CpuTarget target)
        : width_px_(format.width), height_px_(format.height),
          light_(format, yuv_matrix(options.yuv_matrix, format.bpc), options.light, target), colours_(width_px_),
          differences_(width_px_), curve_(delta_e_itp_curve().curve()), loops_(select_kDeltaEItpLoops(target))
    {
        make_room_for(1);
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<DeltaEItpSums> sums) override
    {
        make_room_for(frames.size());
        for (LargestValues &largest : largest_)
            largest.begin();
        for (unsigned y = 0; y < height_px_; ++y) {
            loops_.to_itp(curve_, light_.row(frames.front().ref, y).data(), width_px_, colours_.row(0));
            for (std::size_t i = 0; i < frames.size(); ++i) {
                loops_.to_itp(curve_, light_.row(frames[i].dis, y).data(), width_px_, colours_.row(1));
                loops_.differences(colours_.row(0), colours_.row(1), width_px_, differences_.data());
                for (unsigned x = 0; x < width_px_; ++x)
                    sums[i].sum += static_cast<double>(differences_[x]);
                largest_[i].add(differences_.data(), width_px_);
            }
        }
        for (std::size_t i = 0; i < frames.size(); ++i)
            sums[i].percentile = static_cast<double>(largest_[i].least());
        return {};
    }

  private:
    void make_room_for(std::size_t encodes)
    {
        const std::size_t pixels = std::size_t{width_px_} * height_px_;
        while (largest_.size() < encodes)
            largest_.emplace_back(pixels - delta_e_itp_rank(width_px_, height_px_), width_px_);
    }

    unsigned width_px_, height_px_;
    LightRows light_;
    ItpRows colours_;
    AlignedBuffer<float> differences_;   ///< of a row
    std::vector<LargestValues> largest_; ///< differences of each encode, down to the percentile
    LightCurve curve_;
    const DeltaEItpLoops &loops_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_delta_e_itp_cpu(const PictureFormat &format, const DeltaEItpOptions &options,
                                                   CpuTarget target)
{
    return std::make_unique<DeltaEItpCpu>(format, options, target);
}

} // namespace vmaf
