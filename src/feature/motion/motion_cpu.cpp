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
constexpr std::size_t kRowAlignment = AlignedBuffer<std::int32_t>::kAlignment / sizeof(std::int32_t);

std::size_t padded_row(unsigned width_px)
{
    return round_up(width_px, kRowAlignment);
}

class MotionCpu final : public CpuExtractorOf<MotionSums> {
  public:
    MotionCpu(const PictureFormat &format, unsigned distance, CpuTarget target)
        : distance_(distance), loops_(select_kMotionLoops(target)), row_stride_(padded_row(format.width)),
          difference_rows_(kTapRows * row_stride_), filtered_row_(kRowAlignment + format.width + kReach)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, MotionSums &sums) override
    {
        if (distance_ == 0 || planes.frame_index < distance_)
            return {};
        const PlaneView &earlier = planes.earlier[distance_ - 1].ref[0];
        if (earlier.data == nullptr) {
            log(LogLevel::error, "motion: frame %u: no reference picture was fed %u calls earlier", planes.frame_index,
                distance_);
            return Status::error(EINVAL);
        }
        sums.sad = sad(earlier, planes.ref[0]);
        return {};
    }

  private:
    /// Of the last five difference rows.
    std::int32_t *difference_row(unsigned y) { return difference_rows_.data() + y % kTapRows * row_stride_; }

    void make_difference_row(const PlaneView &earlier, const PlaneView &current, unsigned y)
    {
        if (current.bpc == 8)
            loops_.difference_row_8bit(earlier.row<std::uint8_t>(y), current.row<std::uint8_t>(y), current.width_px,
                                       difference_row(y));
        else
            loops_.difference_row_16bit(earlier.row<std::uint16_t>(y), current.row<std::uint16_t>(y), current.width_px,
                                        static_cast<std::uint16_t>((1U << current.bpc) - 1), difference_row(y));
    }

    std::uint64_t sad(const PlaneView &earlier, const PlaneView &current)
    {
        std::uint64_t sum = 0;
        for (unsigned y = 0; y < kReach; ++y)
            make_difference_row(earlier, current, y);
        for (unsigned y = 0; y < current.height_px; ++y) {
            if (y + kReach < current.height_px)
                make_difference_row(earlier, current, y + kReach);
            sum += row_sad(current, y);
        }
        return sum;
    }

    std::uint64_t row_sad(const PlaneView &current, unsigned y)
    {
        const unsigned width = current.width_px;
        const std::int32_t *rows[kTapRows];
        for (unsigned k = 0; k < kTapRows; ++k)
            rows[k] = difference_row(mirror(static_cast<int>(y + k) - static_cast<int>(kReach), current.height_px));
        std::int32_t *filtered = filtered_row_.data() + kRowAlignment;
        loops_.vertical_row(rows, width, current.bpc, filtered);
        for (const int x : {-2, -1})
            filtered[x] = filtered[mirror(x, width)];
        for (const unsigned x : {width, width + 1})
            filtered[x] = filtered[mirror(static_cast<int>(x), width)];
        return loops_.horizontal_row_sad(filtered, width);
    }

    unsigned distance_;
    const MotionLoops &loops_;
    std::size_t row_stride_;
    AlignedBuffer<std::int32_t> difference_rows_;
    AlignedBuffer<std::int32_t> filtered_row_; ///< the row starts kRowAlignment values in
};

} // namespace

std::unique_ptr<CpuExtractor> make_motion_cpu(const PictureFormat &format, unsigned distance, CpuTarget target)
{
    return std::make_unique<MotionCpu>(format, distance, target);
}

} // namespace vmaf
