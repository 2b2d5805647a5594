#include <algorithm>
#include <array>

#include "base/aligned_buffer.h"
#include "feature/ciede/ciede.h"
#include "feature/ciede/ciede_loops.h"
#include "feature/ciede/ciede_pixel.h"

namespace vmaf {
namespace {

/// One picture's samples for each luma position of a row (spec ciede 3.1).
class PictureRow {
  public:
    PictureRow(const PictureFormat &format, const CiedeLoops &loops)
        : format_(format), loops_(loops), width_(format.width), samples_(3 * width_)
    {
    }

    /// Rows come in order.
    template <class Sample> void read(const PlaneView (&planes)[3], unsigned y)
    {
        std::copy_n(planes[0].row<Sample>(y), width_, plane(0));
        for (unsigned p = 1; p < 3; ++p)
            if (format_.pix_fmt == VMAF_PIX_FMT_YUV444P)
                std::copy_n(planes[p].row<Sample>(y), width_, plane(p));
            else if (y % 2 == 0)
                read_chroma<Sample>(planes[p], y / 2, plane(p));
    }

    CiedeRow from(unsigned x) { return {plane(0) + x, plane(1) + x, plane(2) + x}; }

  private:
    std::uint16_t *plane(unsigned p) { return samples_.data() + p * width_; }

    template <class Sample> void read_chroma(const PlaneView &chroma, unsigned half_y, std::uint16_t *out) const
    {
        if (format_.pix_fmt == VMAF_PIX_FMT_YUV420P)
            read_nearest<Sample>(chroma, half_y, out);
        else
            read_swapped<Sample>(chroma, half_y, out);
    }

    template <class Sample> void read_nearest(const PlaneView &chroma, unsigned half_y, std::uint16_t *out) const
    {
        const Sample *row = chroma.row<Sample>(std::min(half_y, chroma.height_px - 1));
        if constexpr (sizeof(Sample) == 1)
            loops_.double_8bit(row, chroma.width_px, out);
        else
            loops_.double_16bit(row, chroma.width_px, out);
        if (width_ % 2 == 1)
            out[width_ - 1] = row[chroma.width_px - 1];
    }

    /// 4:2:2: one chroma sample per column, across the ends of the stored rows.
    template <class Sample> void read_swapped(const PlaneView &chroma, unsigned half_y, std::uint16_t *out) const
    {
        const std::size_t stored = (chroma.width_px + 31) / 32 * 32;
        for (std::size_t x = 0; x < width_; ++x) {
            const std::size_t row = half_y + x / stored, column = x % stored;
            const bool inside = row < chroma.height_px && column < chroma.width_px;
            out[x] = inside ? chroma.row<Sample>(static_cast<unsigned>(row))[column] : Sample{0};
        }
    }

    PictureFormat format_;
    const CiedeLoops &loops_;
    std::size_t width_;
    AlignedBuffer<std::uint16_t> samples_;
};

class CiedeCpu final : public CpuExtractorOf<CiedeSums> {
  public:
    CiedeCpu(const PictureFormat &format, CpuTarget target)
        : width_(format.width), range_(ciede_range(format.bpc)), loops_(select_kCiedeLoops(target)),
          ref_(format, loops_), dis_(format, loops_)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, CiedeSums &sums) override
    {
        sum_ = 0;
        for (unsigned y = 0; y < planes.ref[0].height_px; ++y) {
            if (planes.ref[0].bpc == 8) {
                ref_.read<std::uint8_t>(planes.ref, y);
                dis_.read<std::uint8_t>(planes.dis, y);
            } else {
                ref_.read<std::uint16_t>(planes.ref, y);
                dis_.read<std::uint16_t>(planes.dis, y);
            }
            collect_row();
        }
        add_batch();
        sums.difference = sum_;
        return {};
    }

  private:
    /// Equal pixels have dE = 0 and need not be looked at.
    void collect_row()
    {
        for (unsigned x = 0; x < width_;) {
            const unsigned count = std::min(width_ - x, kCiedeBatch - count_);
            count_ = loops_.collect(ref_.from(x), dis_.from(x), count, batch_, count_);
            x += count;
            if (count_ == kCiedeBatch)
                add_batch();
        }
    }

    /// In raster order: the rounding of the sum is part of the result.
    void add_batch()
    {
        loops_.differences(batch_, count_, range_);
        for (unsigned i = 0; i < count_; ++i)
            if (batch_.unsure[i] != 0)
                batch_.difference[i] = defined_difference(i);
        sum_ = loops_.add_in_order(sum_, batch_.difference, count_);
        count_ = 0;
    }

    float defined_difference(unsigned i) const
    {
        const CiedeSide &ref = batch_.ref, &dis = batch_.dis;
        return ciede_difference({ref.y[i], ref.u[i], ref.v[i]}, {dis.y[i], dis.u[i], dis.v[i]}, range_);
    }

    unsigned width_;
    CiedeRange range_;
    const CiedeLoops &loops_;
    PictureRow ref_, dis_;
    CiedeBatch batch_;
    unsigned count_ = 0; ///< pixels in the batch
    double sum_ = 0;
};

} // namespace

std::unique_ptr<CpuExtractor> make_ciede_cpu(const PictureFormat &format, CpuTarget target)
{
    return std::make_unique<CiedeCpu>(format, target);
}

} // namespace vmaf
