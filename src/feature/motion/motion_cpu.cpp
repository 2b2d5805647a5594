#include <algorithm>
#include <optional>

#include "base/aligned_buffer.h"
#include "base/log.h"
#include "base/round_up.h"
#include "feature/common/mirror.h"
#include "feature/motion/motion.h"
#include "feature/motion/motion_loops.h"

namespace vmaf {
namespace {

constexpr unsigned kTapRows = 5;
constexpr unsigned kReach = 2; // rows and columns on each side of the centre
constexpr std::size_t kRowAlignment = AlignedBuffer<std::int16_t>::kAlignment / sizeof(std::int16_t);

/// Rows of one type of differences.
template <class T> class DifferenceRows {
  public:
    explicit DifferenceRows(unsigned width_px) : stride_(round_up(width_px, kRowAlignment)), rows_(kTapRows * stride_)
    {
    }
    /// One of the last five rows.
    T *row(unsigned y) { return rows_.data() + y % kTapRows * stride_; }

  private:
    std::size_t stride_;
    AlignedBuffer<T> rows_;
};

/// A row that was filtered vertically, and its reflections on either side.
template <class T> class FilteredRow {
  public:
    explicit FilteredRow(unsigned width_px) : width_px_(width_px), values_(kRowAlignment + width_px + kReach) {}
    T *start() { return values_.data() + kRowAlignment; }
    const T *reflected()
    {
        for (const int x : {-2, -1})
            start()[x] = start()[mirror(x, width_px_)];
        for (const unsigned x : {width_px_, width_px_ + 1})
            start()[x] = start()[mirror(static_cast<int>(x), width_px_)];
        return start();
    }

  private:
    unsigned width_px_;
    AlignedBuffer<T> values_;
};

class MotionCpu final : public CpuLadderExtractorOf<MotionSums> {
  public:
    MotionCpu(const PictureFormat &format, unsigned distance, CpuTarget target)
        : distance_(distance), loops_(select_kMotionLoops(target)), filtered_wide_(format.width)
    {
        if (format.bpc > kMotionMaxNarrowBits) {
            wide_differences_.emplace(format.width);
            return;
        }
        differences_.emplace(format.width);
        filtered_.emplace(format.width);
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<MotionSums> sums) override
    {
        const FramePlanes &planes = frames.front(); // the others have the same references
        if (distance_ == 0 || planes.frame_index < distance_)
            return {};
        const PlaneView &earlier = planes.earlier[distance_ - 1].ref[0];
        if (earlier.data == nullptr) {
            log(LogLevel::error, "motion: frame %u: no reference picture was fed %u calls earlier", planes.frame_index,
                distance_);
            return Status::error(EINVAL);
        }
        std::ranges::fill(sums, MotionSums{differences_ ? sad(earlier, planes.ref[0], *differences_)
                                                        : sad(earlier, planes.ref[0], *wide_differences_)});
        return {};
    }

  private:
    void make_row(const PlaneView &earlier, const PlaneView &current, unsigned y, std::int16_t *difference)
    {
        if (current.bpc == 8)
            loops_.difference_row_8bit(earlier.row<std::uint8_t>(y), current.row<std::uint8_t>(y), current.width_px,
                                       difference);
        else
            loops_.difference_row_16bit(earlier.row<std::uint16_t>(y), current.row<std::uint16_t>(y), current.width_px,
                                        static_cast<std::uint16_t>((1U << current.bpc) - 1), difference);
    }
    void make_row(const PlaneView &earlier, const PlaneView &current, unsigned y, std::int32_t *difference)
    {
        loops_.difference_row_wide(earlier.row<std::uint16_t>(y), current.row<std::uint16_t>(y), current.width_px,
                                   static_cast<std::uint16_t>((1U << current.bpc) - 1), difference);
    }

    template <class T>
    std::uint64_t sad(const PlaneView &earlier, const PlaneView &current, DifferenceRows<T> &differences)
    {
        std::uint64_t sum = 0;
        for (unsigned y = 0; y < kReach; ++y)
            make_row(earlier, current, y, differences.row(y));
        for (unsigned y = 0; y < current.height_px; ++y) {
            if (y + kReach < current.height_px)
                make_row(earlier, current, y + kReach, differences.row(y + kReach));
            const T *rows[kTapRows];
            for (unsigned k = 0; k < kTapRows; ++k)
                rows[k] =
                    differences.row(mirror(static_cast<int>(y + k) - static_cast<int>(kReach), current.height_px));
            sum += row_sad(rows, current.width_px, current.bpc);
        }
        return sum;
    }

    std::uint64_t row_sad(const std::int16_t *const (&rows)[kTapRows], unsigned width, unsigned bpc)
    {
        if (loops_.vertical_row(rows, width, bpc, filtered_->start()))
            return loops_.horizontal_row_sad(filtered_->reflected(), width);
        loops_.vertical_row_to_wide(rows, width, bpc, filtered_wide_.start());
        return loops_.horizontal_row_sad_wide(filtered_wide_.reflected(), width);
    }
    std::uint64_t row_sad(const std::int32_t *const (&rows)[kTapRows], unsigned width, unsigned bpc)
    {
        loops_.vertical_row_wide(rows, width, bpc, filtered_wide_.start());
        return loops_.horizontal_row_sad_wide(filtered_wide_.reflected(), width);
    }

    unsigned distance_;
    const MotionLoops &loops_;
    std::optional<DifferenceRows<std::int16_t>> differences_; ///< up to kMotionMaxNarrowBits
    std::optional<DifferenceRows<std::int32_t>> wide_differences_;
    std::optional<FilteredRow<std::int16_t>> filtered_;
    FilteredRow<std::int32_t> filtered_wide_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_motion_cpu(const PictureFormat &format, unsigned distance, CpuTarget target)
{
    return std::make_unique<MotionCpu>(format, distance, target);
}

} // namespace vmaf
