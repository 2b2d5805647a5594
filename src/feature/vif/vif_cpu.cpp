#include "feature/vif/vif.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/aligned_buffer.h"
#include "base/round_up.h"
#include "feature/common/ladder_bands.h"
#include "feature/common/mirror.h"
#include "feature/vif/vif_loops.h"

namespace vmaf {
namespace {

/// The columns that are worked on together.
struct Strip {
    unsigned scale;
    unsigned start_px;
    unsigned width_px;

    unsigned half() const { return kVifHalf[scale]; }
    unsigned columns() const { return width_px + 2 * half(); }
    unsigned pairs_of_a_block() const { return half() + kVifBlockRows / 2; }
};

/// One picture of a pair: its luma, and that of scales 1 to 3 (spec vif 3.2).
class Pyramid {
  public:
    explicit Pyramid(const PictureFormat &format)
    {
        for (unsigned level = 0; level < kVifScales - 1; ++level) {
            const unsigned width_px = format.width >> (level + 1), height_px = format.height >> (level + 1);
            samples_[level] = AlignedBuffer<std::uint16_t>(stride_px(width_px) * height_px);
            planes_[level + 1] = {reinterpret_cast<const std::byte *>(samples_[level].data()),
                                  static_cast<std::ptrdiff_t>(stride_px(width_px) * sizeof(std::uint16_t)), width_px,
                                  height_px, 16};
        }
    }

    void set_luma(const PlaneView &luma) { planes_[0] = luma; }
    const PlaneView &plane(unsigned scale) const { return planes_[scale]; }
    std::uint16_t *row(unsigned scale, unsigned y)
    {
        return samples_[scale - 1].data() + stride_px(planes_[scale].width_px) * y;
    }

    /// spec vif 4: scale 2, last row, column 1.
    std::array<std::int16_t, kVifPlanes> stale_column{};

  private:
    /// Rows are made in strips that run on behind the last sample.
    static std::size_t stride_px(unsigned width_px) { return round_up(width_px, kVifRoundPx); }

    std::array<AlignedBuffer<std::uint16_t>, kVifScales - 1> samples_;
    std::array<PlaneView, kVifScales> planes_;
};

/// How far before its use a row is asked for.
constexpr int kRowsAhead = 8;
static_assert(kLadderBandRows % kVifBlockRows == 0);

struct Workspace {
    std::array<VifRows, 2> rows; ///< of ref and dis
    VifPairs pairs;
    std::array<VifColumns, kVifBlockRows> columns;
    VifReferenceMoments reference;
    VifMoments moments;
};

/// What a pass over a strip filters, and where its results go.
struct Pass {
    PairPart part;
    const VifLoops &loops;
    Pyramid *distorted;             ///< null in the part `reference`
    VifReferenceMoments *reference; ///< by row of the band; null: nobody wants them later
    VifRows *reference_rows;        ///< by pair of rows of the band and around it; likewise
    unsigned top, end;              ///< rows of the band, whose first one begins a block
    VifScaleSums *sums;
};

/// Several encodes take one pass over a band of the reference, whose rows and moments are kept, and
/// one over each of their own. A single one takes one pass over the pair, which is faster.
class VifCpu final : public CpuLadderExtractorOf<VifSums> {
  public:
    VifCpu(const VifOptions &options, const PictureFormat &format, CpuTarget target, VifLosses *losses)
        : options_(options), format_(format), loops_(select_kVifLoops(target)),
          reference_loops_(select_kVifReferenceLoops(target)), distorted_loops_(select_kVifDistortedLoops(target)),
          reference_(format), work_(std::make_unique<Workspace>()), losses_(losses)
    {
        distorted_.emplace_back(format);
        for (unsigned scale = 0; scale < kVifScales && losses_ != nullptr; ++scale)
            if (scored(scale))
                (*losses_)[scale].resize(std::size_t{format.width >> scale} * (format.height >> scale));
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<VifSums> sums) override
    {
        reference_.set_luma(frames.front().ref[0]);
        while (distorted_.size() < frames.size())
            distorted_.emplace_back(format_);
        for (std::size_t i = 0; i < frames.size(); ++i)
            distorted_[i].set_luma(frames[i].dis[0]);
        if (frames.size() > 1 && kept_.size() == 0) {
            kept_rows_ = AlignedBuffer<VifRows>(kLadderBandRows / 2 + kVifHalf[0]);
            kept_ = AlignedBuffer<VifReferenceMoments>(kLadderBandRows);
        }
        for (unsigned scale = 0; scale < kVifScales; ++scale) {
            const unsigned width_px = reference_.plane(scale).width_px;
            for (unsigned x = 0; x < width_px; x += kVifStripPx)
                process({scale, x, std::min(kVifStripPx, width_px - x)}, sums);
        }
        return {};
    }

  private:
    unsigned bpc() const { return reference_.plane(0).bpc; }
    bool scored(unsigned scale) const { return scale > 0 || !options_.skip_scale0; }
    bool has_high_halves(unsigned scale) const { return scale > 0 || bpc() > 8; }

    VifShifts shifts(unsigned scale) const
    {
        return scale == 0 ? VifShifts{bpc(), 2 * (bpc() - 8)} : VifShifts{16, 16};
    }

    void process(const Strip &strip, std::span<VifSums> sums)
    {
        const unsigned height_px = reference_.plane(strip.scale).height_px;
        if (sums.size() == 1) {
            VifScaleSums &of_pair = sums[0].scale[strip.scale];
            process(strip, {PairPart::all, loops_, &distorted_[0], nullptr, nullptr, 0, height_px, &of_pair});
            return;
        }
        for (unsigned top = 0; top < height_px; top += kLadderBandRows) {
            const unsigned end = std::min(top + kLadderBandRows, height_px);
            VifScaleSums of_reference{};
            process(strip, {PairPart::reference, reference_loops_, nullptr, kept_.data(), kept_rows_.data(), top, end,
                            &of_reference});
            for (std::size_t i = 0; i < sums.size(); ++i) {
                VifScaleSums &of_pair = sums[i].scale[strip.scale];
                of_pair.log_den += of_reference.log_den;
                of_pair.low_count += of_reference.low_count;
                process(strip, {PairPart::distorted, distorted_loops_, &distorted_[i], kept_.data(), kept_rows_.data(),
                                top, end, &of_pair});
            }
        }
    }

    void process(const Strip &strip, const Pass &pass)
    {
        unsigned pairs_made = pass.top / 2;
        for (unsigned y = pass.top; y < pass.end; y += kVifBlockRows) {
            while (pairs_made < y / 2 + strip.pairs_of_a_block())
                make_pair(strip, pass, pairs_made++);
            const VifWindow window = window_at(strip, y / 2);
            if (scored(strip.scale))
                score_rows(strip, pass, window, y, std::min(kVifBlockRows, pass.end - y));
            if (strip.scale + 1 < kVifScales)
                make_next_scale_rows(strip, pass, window, y / 2);
        }
        if (strip.scale == 2)
            for (unsigned p = 0; p < kVifPlanes; ++p)
                owner(pass).stale_column[p] = work_->columns[(pass.end - 1) % kVifBlockRows].plane[p][strip.half() + 1];
    }

    /// The strip's pair `index` of rows, which may lie outside of the pictures, into its slot.
    void make_pair(const Strip &strip, const Pass &pass, unsigned index)
    {
        const int first = static_cast<int>(2 * index) - static_cast<int>(strip.half());
        VifRows &ref = pass.reference_rows != nullptr ? pass.reference_rows[index - pass.top / 2] : work_->rows[0];
        VifRows &dis = work_->rows[1];
        if (pass.part != PairPart::distorted)
            load_rows(strip, reference_, first, ref);
        if (pass.part != PairPart::reference)
            load_rows(strip, *pass.distorted, first, dis);
        const VifLoops::Pairs make = !scored(strip.scale)           ? pass.loops.pairs_of_samples
                                     : has_high_halves(strip.scale) ? pass.loops.pairs_16bit
                                                                    : pass.loops.pairs_8bit;
        make(ref, dis, strip.columns(), shifts(strip.scale), work_->pairs, index % kVifPairSlots);
    }

    VifWindow window_at(const Strip &strip, unsigned first_pair) const
    {
        VifWindow window{};
        for (unsigned p = 0; p < kVifPlanes; ++p)
            for (unsigned i = 0; i < strip.pairs_of_a_block(); ++i)
                window.pair[p][i] = work_->pairs.slot[p][(first_pair + i) % kVifPairSlots];
        return window;
    }

    void load_rows(const Strip &strip, const Pyramid &picture, int first, VifRows &rows) const
    {
        for (int row = 0; row < 2; ++row) {
            const PlaneView &plane = picture.plane(strip.scale);
            const unsigned first_px = strip.start_px - std::min(strip.start_px, strip.half());
            const unsigned end_px = std::min(strip.start_px + strip.width_px + strip.half(), plane.width_px);
            plane.prefetch(first + row + kRowsAhead, first_px, end_px - first_px);
            load_row(strip, picture, first + row, rows.row[row]);
        }
    }
    void load_row(const Strip &strip, const Pyramid &picture, int y, std::uint16_t *out) const
    {
        const PlaneView &plane = picture.plane(strip.scale);
        if (plane.height_px == 1 && y != 0) // spec vif 4: the neighbours of scale 3's only row
            load_samples<std::uint16_t>(strip, picture.plane(2), 1, out);
        else if (plane.bpc == 8)
            load_samples<std::uint8_t>(strip, plane, mirror(y, plane.height_px), out);
        else
            load_samples<std::uint16_t>(strip, plane, mirror(y, plane.height_px), out);
    }

    template <class Sample>
    void load_samples(const Strip &strip, const PlaneView &plane, unsigned y, std::uint16_t *out) const
    {
        const Sample *samples = plane.row<Sample>(y);
        const unsigned width_px = reference_.plane(strip.scale).width_px;
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

    void score_rows(const Strip &strip, const Pass &pass, const VifWindow &window, unsigned y, unsigned rows)
    {
        const unsigned scale = strip.scale;
        const VifLoops::Vertical vertical =
            has_high_halves(scale) ? pass.loops.vertical_16bit[scale] : pass.loops.vertical_8bit;
        vertical(window, strip.columns(), shifts(scale), work_->columns.data());
        for (unsigned row = 0; row < rows; ++row) {
            VifColumns &columns = work_->columns[row];
            VifReferenceMoments &reference =
                pass.reference != nullptr ? pass.reference[y - pass.top + row] : work_->reference;
            if (reference_.plane(scale).width_px == 1)
                set_stale_neighbours(pass, columns);
            pass.loops.horizontal[scale](columns, strip.width_px, reference, work_->moments);
            pass.loops.statistic(reference, work_->moments, strip.width_px, options_.gain_limit, *pass.sums);
            if (losses_ != nullptr)
                keep_losses(strip, reference, y + row);
        }
    }

    /// Writes the losses of the pixels of row y.
    void keep_losses(const Strip &strip, const VifReferenceMoments &reference, unsigned y)
    {
        const VifMoments &row = work_->moments;
        float *const losses =
            &(*losses_)[strip.scale][std::size_t{y} * reference_.plane(strip.scale).width_px + strip.start_px];
        for (unsigned x = 0; x < strip.width_px; ++x) {
            const unsigned place = vif_moment_place(x);
            reference_pixel_.s1[0] = reference.s1[place];
            pixel_.s2[0] = row.s2[place];
            pixel_.s12[0] = row.s12[place];
            VifScaleSums sums{};
            loops_.statistic(reference_pixel_, pixel_, 1, options_.gain_limit, sums);
            const VifRatio ratio = vif_ratio(sums);
            losses[x] = ratio.den - ratio.num;
        }
    }

    /// spec vif 4: the neighbours of scale 3's only column.
    void set_stale_neighbours(const Pass &pass, VifColumns &columns)
    {
        for (unsigned p = 0; p < kVifPlanes; ++p)
            columns.plane[p][0] = columns.plane[p][2] = owner(pass).stale_column[p];
    }
    /// The picture whose planes the pass filters, or one of both.
    Pyramid &owner(const Pass &pass) { return pass.distorted != nullptr ? *pass.distorted : reference_; }

    void make_next_scale_rows(const Strip &strip, const Pass &pass, const VifWindow &window, unsigned next_y)
    {
        if (pass.part != PairPart::distorted)
            make_next_scale_rows(strip, pass.loops, kVifRef, reference_, window, next_y);
        if (pass.part != PairPart::reference)
            make_next_scale_rows(strip, pass.loops, kVifDis, *pass.distorted, window, next_y);
    }
    void make_next_scale_rows(const Strip &strip, const VifLoops &loops, VifPlane side, Pyramid &picture,
                              const VifWindow &window, unsigned next_y)
    {
        const unsigned next = strip.scale + 1;
        const PlaneView &made = picture.plane(next);
        const unsigned start_px = strip.start_px / 2;
        if (start_px >= made.width_px)
            return;
        const unsigned count = std::min((strip.width_px + 1) / 2, made.width_px - start_px);
        const unsigned rows = std::min(kVifBlockRows / 2, made.height_px - std::min(next_y, made.height_px));
        for (unsigned row = 0; row < rows; ++row)
            loops.next_scale[strip.scale](window, row, side, shifts(strip.scale), count,
                                          picture.row(next, next_y + row) + start_px);
    }

    VifOptions options_;
    PictureFormat format_;
    const VifLoops &loops_, &reference_loops_, &distorted_loops_;
    Pyramid reference_;
    std::vector<Pyramid> distorted_;          ///< as many as there were at once so far
    AlignedBuffer<VifRows> kept_rows_;        ///< of a strip's reference; empty until several come at once
    AlignedBuffer<VifReferenceMoments> kept_; ///< by row of it
    std::unique_ptr<Workspace> work_;
    VifLosses *losses_;
    VifReferenceMoments reference_pixel_{};
    VifMoments pixel_{}; ///< of one at a time
};

} // namespace

std::unique_ptr<CpuExtractor> make_vif_cpu(const VifOptions &options, const PictureFormat &format, CpuTarget target,
                                           VifLosses *losses)
{
    return std::make_unique<VifCpu>(options, format, target, losses);
}

} // namespace vmaf
