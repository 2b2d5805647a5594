#include "feature/vif/vif.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/aligned_buffer.h"
#include "base/round_up.h"
#include "feature/common/mirror.h"
#include "feature/vif/vif_loops.h"

namespace vmaf {
namespace {

/// Reference and distorted luma of one scale.
struct Pictures {
    std::array<PlaneView, 2> side;

    unsigned width_px() const { return side[0].width_px; }
    unsigned height_px() const { return side[0].height_px; }
};

/// The columns that are worked on together.
struct Strip {
    unsigned scale;
    unsigned start_px;
    unsigned width_px;

    unsigned half() const { return kVifHalf[scale]; }
    unsigned columns() const { return width_px + 2 * half(); }
    unsigned pairs_of_a_block() const { return half() + kVifBlockRows / 2; }
};

/// spec vif 3.2: the pictures of scales 1 to 3.
class Pyramid {
  public:
    explicit Pyramid(const PictureFormat &format)
    {
        for (unsigned level = 0; level < kVifScales - 1; ++level) {
            const unsigned width_px = format.width >> (level + 1), height_px = format.height >> (level + 1);
            for (unsigned side = 0; side < 2; ++side) {
                AlignedBuffer<std::uint16_t> &samples = samples_[level][side];
                samples = AlignedBuffer<std::uint16_t>(stride_px(width_px) * height_px);
                pictures_[level].side[side] = {reinterpret_cast<const std::byte *>(samples.data()),
                                               static_cast<std::ptrdiff_t>(stride_px(width_px) * sizeof(std::uint16_t)),
                                               width_px, height_px, 16};
            }
        }
    }

    const Pictures &pictures(unsigned scale) const { return pictures_[scale - 1]; }
    std::uint16_t *row(unsigned scale, unsigned side, unsigned y)
    {
        return samples_[scale - 1][side].data() + stride_px(pictures(scale).width_px()) * y;
    }

  private:
    /// Rows are made in strips that run on behind the last sample.
    static std::size_t stride_px(unsigned width_px) { return round_up(width_px, kVifRoundPx); }

    std::array<std::array<AlignedBuffer<std::uint16_t>, 2>, kVifScales - 1> samples_;
    std::array<Pictures, kVifScales - 1> pictures_;
};

/// How far before its use a row is asked for.
constexpr int kRowsAhead = 8;

struct Workspace {
    VifRows rows;
    VifPairs pairs;
    std::array<VifColumns, kVifBlockRows> columns;
    VifMoments moments;
};

class VifCpu final : public CpuExtractorOf<VifSums> {
  public:
    VifCpu(const VifOptions &options, const PictureFormat &format, CpuTarget target, VifLosses *losses)
        : options_(options), loops_(select_kVifLoops(target)), pyramid_(format), work_(std::make_unique<Workspace>()),
          losses_(losses)
    {
        for (unsigned scale = 0; scale < kVifScales && losses_ != nullptr; ++scale)
            if (scored(scale))
                (*losses_)[scale].resize(std::size_t{format.width >> scale} * (format.height >> scale));
    }

  protected:
    Status extract(const FramePlanes &planes, VifSums &sums) override
    {
        input_ = {{planes.ref[0], planes.dis[0]}};
        for (unsigned scale = 0; scale < kVifScales; ++scale) {
            const unsigned width_px = pictures(scale).width_px();
            for (unsigned x = 0; x < width_px; x += kVifStripPx)
                process({scale, x, std::min(kVifStripPx, width_px - x)}, sums.scale[scale]);
        }
        return {};
    }

  private:
    const Pictures &pictures(unsigned scale) const { return scale == 0 ? input_ : pyramid_.pictures(scale); }
    unsigned bpc() const { return input_.side[0].bpc; }
    bool scored(unsigned scale) const { return scale > 0 || !options_.skip_scale0; }
    bool has_high_halves(unsigned scale) const { return scale > 0 || bpc() > 8; }

    VifShifts shifts(unsigned scale) const
    {
        return scale == 0 ? VifShifts{bpc(), 2 * (bpc() - 8)} : VifShifts{16, 16};
    }

    void process(const Strip &strip, VifScaleSums &sums)
    {
        const unsigned height_px = pictures(strip.scale).height_px();
        unsigned pairs_made = 0;
        for (unsigned y = 0; y < height_px; y += kVifBlockRows) {
            while (pairs_made < y / 2 + strip.pairs_of_a_block())
                make_pair(strip, pairs_made++);
            const VifWindow window = window_at(strip, y / 2);
            if (scored(strip.scale))
                score_rows(strip, window, y, std::min(kVifBlockRows, height_px - y), sums);
            if (strip.scale + 1 < kVifScales)
                make_next_scale_rows(strip, window, y / 2);
        }
        if (strip.scale == 2)
            for (unsigned p = 0; p < kVifPlanes; ++p)
                stale_column_[p] = work_->columns[(height_px - 1) % kVifBlockRows].plane[p][strip.half() + 1];
    }

    /// The strip's pair `index` of rows, which may lie outside of the pictures, into its slot.
    void make_pair(const Strip &strip, unsigned index)
    {
        const int first = static_cast<int>(2 * index) - static_cast<int>(strip.half());
        for (unsigned side = 0; side < 2; ++side)
            for (int row = 0; row < 2; ++row) {
                prefetch_row(strip, pictures(strip.scale).side[side], first + row + kRowsAhead);
                load_row(strip, side, first + row, work_->rows.side[side][row]);
            }
        const VifLoops::Pairs make = !scored(strip.scale)           ? loops_.pairs_of_samples
                                     : has_high_halves(strip.scale) ? loops_.pairs_16bit
                                                                    : loops_.pairs_8bit;
        make(work_->rows, strip.columns(), shifts(strip.scale), work_->pairs, index % kVifPairSlots);
    }

    // Strips are too narrow for processors to see by themselves which rows come next. Always
    // inline: GCC 12 deletes calls of a function that does nothing but this.
    [[gnu::always_inline]] static void prefetch_row(const Strip &strip, const PlaneView &plane, int y)
    {
        if (y < 0 || y >= static_cast<int>(plane.height_px))
            return;
        constexpr unsigned kCacheLine = 64;
        const std::size_t sample_bytes = plane.bpc == 8 ? 1 : 2;
        const std::byte *row = plane.row<std::byte>(static_cast<unsigned>(y)) + strip.start_px * sample_bytes;
        for (std::size_t i = 0; i < strip.width_px * sample_bytes; i += kCacheLine)
            __builtin_prefetch(row + i);
    }

    VifWindow window_at(const Strip &strip, unsigned first_pair) const
    {
        VifWindow window{};
        for (unsigned p = 0; p < kVifPlanes; ++p)
            for (unsigned i = 0; i < strip.pairs_of_a_block(); ++i)
                window.pair[p][i] = work_->pairs.slot[p][(first_pair + i) % kVifPairSlots];
        return window;
    }

    void load_row(const Strip &strip, unsigned side, int y, std::uint16_t *out) const
    {
        const unsigned height_px = pictures(strip.scale).height_px();
        if (height_px == 1 && y != 0) // spec vif 4: the neighbours of scale 3's only row
            load_samples<std::uint16_t>(strip, pictures(2).side[side], 1, out);
        else if (const PlaneView &plane = pictures(strip.scale).side[side]; plane.bpc == 8)
            load_samples<std::uint8_t>(strip, plane, mirror(y, height_px), out);
        else
            load_samples<std::uint16_t>(strip, plane, mirror(y, height_px), out);
    }

    template <class Sample>
    void load_samples(const Strip &strip, const PlaneView &plane, unsigned y, std::uint16_t *out) const
    {
        const Sample *samples = plane.row<Sample>(y);
        const unsigned width_px = pictures(strip.scale).width_px();
        const int first = static_cast<int>(strip.start_px) - static_cast<int>(strip.half());
        const int end = first + static_cast<int>(strip.columns());
        const int inner_first = std::max(first, 0), inner_end = std::min(end, static_cast<int>(width_px));
        for (int x = first; x < inner_first; ++x)
            out[x - first] = samples[mirror(x, width_px)];
        copy_samples(samples + inner_first, static_cast<unsigned>(inner_end - inner_first),
                     out + (inner_first - first));
        for (int x = inner_end; x < end; ++x)
            out[x - first] = samples[mirror(x, width_px)];
    }

    void copy_samples(const std::uint8_t *samples, unsigned count, std::uint16_t *out) const
    {
        loops_.widen(samples, count, out);
    }
    void copy_samples(const std::uint16_t *samples, unsigned count, std::uint16_t *out) const
    {
        std::memcpy(out, samples, count * sizeof(*samples));
    }

    void score_rows(const Strip &strip, const VifWindow &window, unsigned y, unsigned rows, VifScaleSums &sums)
    {
        const unsigned scale = strip.scale;
        const VifLoops::Vertical vertical =
            has_high_halves(scale) ? loops_.vertical_16bit[scale] : loops_.vertical_8bit;
        vertical(window, strip.columns(), shifts(scale), work_->columns.data());
        for (unsigned row = 0; row < rows; ++row) {
            VifColumns &columns = work_->columns[row];
            if (pictures(scale).width_px() == 1)
                set_stale_neighbours(columns);
            loops_.horizontal[scale](columns, strip.width_px, work_->moments);
            loops_.statistic(work_->moments, strip.width_px, options_.gain_limit, sums);
            if (losses_ != nullptr)
                keep_losses(strip, y + row);
        }
    }

    /// Writes the losses of the pixels of row y.
    void keep_losses(const Strip &strip, unsigned y)
    {
        const VifMoments &row = work_->moments;
        float *const losses =
            &(*losses_)[strip.scale][std::size_t{y} * pictures(strip.scale).width_px() + strip.start_px];
        for (unsigned x = 0; x < strip.width_px; ++x) {
            const unsigned place = vif_moment_place(x);
            pixel_.s1[0] = row.s1[place];
            pixel_.s2[0] = row.s2[place];
            pixel_.s12[0] = row.s12[place];
            VifScaleSums sums{};
            loops_.statistic(pixel_, 1, options_.gain_limit, sums);
            const VifRatio ratio = vif_ratio(sums);
            losses[x] = ratio.den - ratio.num;
        }
    }

    /// spec vif 4: the neighbours of scale 3's only column.
    void set_stale_neighbours(VifColumns &columns) const
    {
        for (unsigned p = 0; p < kVifPlanes; ++p)
            columns.plane[p][0] = columns.plane[p][2] = stale_column_[p];
    }

    void make_next_scale_rows(const Strip &strip, const VifWindow &window, unsigned next_y)
    {
        const unsigned next = strip.scale + 1;
        const Pictures &made = pyramid_.pictures(next);
        const unsigned start_px = strip.start_px / 2;
        if (start_px >= made.width_px())
            return;
        const unsigned count = std::min((strip.width_px + 1) / 2, made.width_px() - start_px);
        const unsigned rows = std::min(kVifBlockRows / 2, made.height_px() - std::min(next_y, made.height_px()));
        for (unsigned row = 0; row < rows; ++row)
            for (unsigned side = 0; side < 2; ++side)
                loops_.next_scale[strip.scale](window, row, static_cast<VifPlane>(kVifRef + side), shifts(strip.scale),
                                               count, pyramid_.row(next, side, next_y + row) + start_px);
    }

    VifOptions options_;
    const VifLoops &loops_;
    Pictures input_;
    Pyramid pyramid_;
    std::unique_ptr<Workspace> work_;
    std::array<std::int16_t, kVifPlanes> stale_column_{}; ///< spec vif 4: scale 2, last row, column 1
    VifLosses *losses_;
    VifMoments pixel_{}; ///< of one at a time
};

} // namespace

std::unique_ptr<CpuExtractor> make_vif_cpu(const VifOptions &options, const PictureFormat &format, CpuTarget target,
                                           VifLosses *losses)
{
    return std::make_unique<VifCpu>(options, format, target, losses);
}

} // namespace vmaf
