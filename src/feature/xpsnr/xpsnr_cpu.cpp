#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "feature/xpsnr/xpsnr.h"
#include "feature/xpsnr/xpsnr_loops.h"

namespace vmaf {
namespace {

/// The loops for one kind of sample.
template <class Sample> struct SampleLoops {
    decltype(XpsnrLoops::sse_8bit) sse;
    decltype(XpsnrLoops::spatial_8bit) spatial;
    decltype(XpsnrLoops::temporal_8bit) temporal;
    std::uint64_t (*quad_spatial)(const Sample *const rows[6], unsigned quads);
    std::uint64_t (*quad_temporal)(const XpsnrRowPairs<Sample> &rows, unsigned quads);
};
SampleLoops<std::uint8_t> loops_of(const XpsnrLoops &loops, std::uint8_t)
{
    return {loops.sse_8bit, loops.spatial_8bit, loops.temporal_8bit, loops.quad_spatial_8bit, loops.quad_temporal_8bit};
}
SampleLoops<std::uint16_t> loops_of(const XpsnrLoops &loops, std::uint16_t)
{
    return {loops.sse_16bit, loops.spatial_16bit, loops.temporal_16bit, loops.quad_spatial_16bit,
            loops.quad_temporal_16bit};
}

/// The luma plane of a reference picture, or black in its place.
template <class Sample> struct Luma {
    const std::byte *data;
    std::ptrdiff_t stride_bytes;
    int height;

    XpsnrSamples at(int x, int y) const
    {
        return {data + stride_bytes * y + x * static_cast<std::ptrdiff_t>(sizeof(Sample)), stride_bytes};
    }
    /// From column x on; beyond the last row, that one.
    const Sample *row(int x, int y) const
    {
        return reinterpret_cast<const Sample *>(data + stride_bytes * std::min(y, height - 1)) + x;
    }
};

/// The reference pictures that a frame is compared with.
template <class Sample> struct References {
    Luma<Sample> current, earlier, before_earlier;
    bool second_order;

    /// v of the sample in the last column and row, if x or y are beyond.
    int v(int x, int y) const
    {
        const int first = *current.row(x, y) - *earlier.row(x, y);
        return second_order ? first - *earlier.row(x, y) + *before_earlier.row(x, y) : first;
    }
};

template <class Sample> class XpsnrCpu final : public CpuLadderExtractorOf<XpsnrSums> {
  public:
    XpsnrCpu(const XpsnrGrid &grid, CpuTarget target)
        : grid_(grid), loops_(loops_of(select_kXpsnrLoops(target), Sample{})),
          black_(static_cast<std::size_t>(grid.width_px)),
          weights_(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows)),
          errors_(weights_.size())
    {
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<XpsnrSums> sums) override
    {
        const FramePlanes &first = frames.front(); // the others have the same references
        const References<Sample> pictures{luma(first.ref[0]), luma(first.earlier[0].ref[0]),
                                          luma(first.earlier[1].ref[0]), grid_.second_order != 0};
        errors_.resize(std::max(errors_.size(), frames.size() * weights_.size()));
        Errors *errors = errors_.data(); // of each frame in a block, one block after the other
        std::size_t k = 0;
        for (int row = 0; row < grid_.rows; ++row)
            for (int column = 0; column < grid_.columns; ++column) {
                for (const FramePlanes &planes : frames)
                    *errors++ = errors_of(planes, column, row);
                weights_[k++] = weight(pictures, xpsnr_block(grid_, column, row));
            }
        if (grid_.unweighted == 0 && xpsnr_smooths(grid_))
            xpsnr_smooth(grid_, weights_.data());
        for (std::size_t i = 0; i < frames.size(); ++i)
            for (std::size_t plane = 0; plane < static_cast<std::size_t>(grid_.plane_count); ++plane)
                sums[i].error[plane] =
                    grid_.unweighted != 0 ? errors_[i][plane] : weighted_error(i, frames.size(), plane);
        return {};
    }

  private:
    using Errors = std::array<std::uint64_t, 3>; ///< by plane

    Luma<Sample> luma(const PlaneView &plane) const
    {
        if (plane.data == nullptr)
            return {reinterpret_cast<const std::byte *>(black_.data()), 0, 1};
        return {plane.data, plane.stride_bytes, static_cast<int>(plane.height_px)};
    }

    Errors errors_of(const FramePlanes &planes, int column, int row) const
    {
        Errors errors{};
        for (int plane = 0; plane < grid_.plane_count; ++plane)
            errors[static_cast<std::size_t>(plane)] =
                sse(planes.ref[plane], planes.dis[plane], xpsnr_plane_part(grid_, plane, column, row));
        return errors;
    }

    double weight(const References<Sample> &pictures, const XpsnrBlock &block) const
    {
        if (grid_.unweighted != 0 || block.is_thin())
            return 1;
        XpsnrBlockSums sums{};
        if (xpsnr_has_spatial(grid_, block))
            sums.spatial = grid_.step == 1 ? spatial(pictures, block) : quad_spatial(pictures, block);
        sums.temporal = 2 * (grid_.step == 1 ? temporal(pictures, block) : quad_temporal(pictures, block));
        return xpsnr_weight(grid_, block, sums);
    }

    std::uint64_t sse(const PlaneView &ref, const PlaneView &dis, const XpsnrPlanePart &part) const
    {
        if (part.width == 0)
            return 0;
        const auto at = [&part](const PlaneView &plane) {
            const Luma<Sample> samples{plane.data, plane.stride_bytes, static_cast<int>(plane.height_px)};
            return samples.at(part.left, part.top);
        };
        return loops_.sse(at(ref), at(dis), static_cast<unsigned>(part.width), static_cast<unsigned>(part.height));
    }

    std::uint64_t spatial(const References<Sample> &pictures, const XpsnrBlock &block) const
    {
        return loops_.spatial(pictures.current.at(block.left + block.x_begin, block.top + block.y_begin),
                              static_cast<unsigned>(block.x_end - block.x_begin),
                              static_cast<unsigned>(block.y_end - block.y_begin));
    }

    std::uint64_t temporal(const References<Sample> &pictures, const XpsnrBlock &block) const
    {
        const auto at = [&block](const Luma<Sample> &luma) { return luma.at(block.left, block.top); };
        return loops_.temporal({at(pictures.current), at(pictures.earlier),
                                pictures.second_order ? at(pictures.before_earlier) : XpsnrSamples{}},
                               static_cast<unsigned>(block.width), static_cast<unsigned>(block.height));
    }

    /// How many quads of a row from x on end before the picture does: those with columns beyond it
    /// are the last ones.
    int whole_quads(int x, int quads, int reach) const
    {
        return std::max(0, std::min(quads, (grid_.width_px - reach - x + 1) / 2));
    }

    std::uint64_t quad_spatial(const References<Sample> &pictures, const XpsnrBlock &block) const
    {
        const int x = block.left + block.x_begin, quads = (block.x_end - block.x_begin + 1) / 2;
        const int whole = whole_quads(x, quads, 3);
        std::uint64_t sum = 0;
        for (int y = block.top + block.y_begin; y < block.top + block.y_end; y += 2) {
            const Sample *rows[6];
            for (int i = 0; i < 6; ++i)
                rows[i] = pictures.current.row(x, y - 2 + i);
            sum += loops_.quad_spatial(rows, static_cast<unsigned>(whole));
            for (int quad = whole; quad < quads; ++quad)
                sum += static_cast<std::uint64_t>(std::abs(f_at_edge(rows, x, 2 * quad)));
        }
        return sum;
    }

    /// f of the quad at `offset` from column x, where the last column stands for those beyond it.
    int f_at_edge(const Sample *const (&rows)[6], int x, int offset) const
    {
        // spec xpsnr 3.2, a quarter of the kernel: it is symmetric.
        constexpr int kQuarter[3][3] = {{0, -1, -1}, {-1, -2, -3}, {-1, -3, 12}};
        int f = 0;
        for (int row = 0; row < 6; ++row)
            for (int column = 0; column < 6; ++column) {
                const int at = std::min(offset - 2 + column, grid_.width_px - 1 - x);
                f += kQuarter[std::min(row, 5 - row)][std::min(column, 5 - column)] * rows[row][at];
            }
        return f;
    }

    std::uint64_t quad_temporal(const References<Sample> &pictures, const XpsnrBlock &block) const
    {
        const int quads = (block.width + 1) / 2, whole = whole_quads(block.left, quads, 1);
        const int last = grid_.width_px - 1;
        std::uint64_t sum = 0;
        for (int y = block.top; y < block.top + block.height; y += 2) {
            XpsnrRowPairs<Sample> rows{};
            for (int i = 0; i < 2; ++i) {
                rows.current[i] = pictures.current.row(block.left, y + i);
                rows.earlier[i] = pictures.earlier.row(block.left, y + i);
                if (pictures.second_order)
                    rows.before_earlier[i] = pictures.before_earlier.row(block.left, y + i);
            }
            sum += loops_.quad_temporal(rows, static_cast<unsigned>(whole));
            for (int quad = whole; quad < quads; ++quad)
                sum += 2 * static_cast<std::uint64_t>(std::abs(pictures.v(last, y) + pictures.v(last, y + 1)));
        }
        return sum;
    }

    std::uint64_t weighted_error(std::size_t frame, std::size_t frames, std::size_t plane) const
    {
        double weighted = 0;
        for (std::size_t k = 0; k < weights_.size(); ++k)
            weighted = weighted + static_cast<double>(errors_[k * frames + frame][plane]) * weights_[k];
        return xpsnr_error(grid_, weighted);
    }

    XpsnrGrid grid_;
    SampleLoops<Sample> loops_;
    std::vector<Sample> black_;   ///< a row of zeros
    std::vector<double> weights_; ///< of blocks in raster order
    std::vector<Errors> errors_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_xpsnr_cpu(const XpsnrGrid &grid, CpuTarget target)
{
    if (grid.sample_bytes == 1)
        return std::make_unique<XpsnrCpu<std::uint8_t>>(grid, target);
    return std::make_unique<XpsnrCpu<std::uint16_t>>(grid, target);
}

} // namespace vmaf
