#include <algorithm>
#include <array>
#include <optional>

#include "base/aligned_buffer.h"
#include "feature/adm/adm.h"
#include "feature/adm/adm_loops.h"
#include "feature/adm/adm_rows.h"
#include "feature/common/pair_part.h"

namespace vmaf {
namespace {

struct DwtInput : AdmDwtRows {
    AdmSample sample;
    std::ptrdiff_t low_half; ///< elements from a high half to its low half

    /// Prefetches the rows that output row y reads and the row before it does not.
    void prefetch(unsigned y) const
    {
        const std::ptrdiff_t values = sample == kAdmHalves ? 2 * width : width;
        const PlaneView rows{data, stride_bytes, static_cast<unsigned>(values), static_cast<unsigned>(height),
                             sample == kAdmU8 ? 8U : 16U};
        rows.prefetch(2 * std::ptrdiff_t{y} + 1);
        rows.prefetch(2 * std::ptrdiff_t{y} + 2);
    }
};

constexpr unsigned kRowsAhead = 4; ///< output rows

/// Band A of both pictures at one scale.
struct LowBand {
    std::array<AlignedBuffer<std::int16_t>, kAdmSides> data;
    std::size_t stride = 0;
    std::ptrdiff_t low_half = 0;
    AdmSample sample = kAdmHalves;

    LowBand() = default;
    LowBand(std::size_t width, std::size_t height, AdmSample type)
        : stride(type == kAdmI16 ? width : 2 * width), low_half(static_cast<std::ptrdiff_t>(width)), sample(type)
    {
        for (AlignedBuffer<std::int16_t> &plane : data)
            plane = AlignedBuffer<std::int16_t>(stride * height);
    }

    std::int16_t *row(std::size_t side, std::uint32_t y) { return data[side].data() + stride * y; }
    DwtInput input(std::size_t side, std::uint32_t width, std::uint32_t height) const
    {
        return {{reinterpret_cast<const std::byte *>(data[side].data()),
                 static_cast<std::ptrdiff_t>(stride * sizeof(std::int16_t)), width, height},
                sample,
                low_half};
    }
};

/// Rows of the scales whose bands are of one type: those of the row under way, and three that roll
/// under the 3x3 mask.
template <class Band, class Strength> struct BandRows {
    /// One row after decoupling.
    struct Decoupled {
        AdmSignalRow<Strength> restored;
        AdmSignalRow<Strength> additive;
    };

    BandRows(std::size_t width, AdmScratchRows<std::int32_t> &sums)
        : band_rows(kAdmSides * kAdmBands, width), strength_rows(kAdmRollingRows * 2 * kAdmBands, width)
    {
        for (auto &side : bands)
            for (Band *&band : side)
                band = band_rows.take();
        for (Decoupled &row : rolling)
            row = {take_signal_row(sums), take_signal_row(sums)};
    }

    AdmScratchRows<Band> band_rows;
    AdmScratchRows<Strength> strength_rows;
    std::array<std::array<Band *, kAdmBands>, kAdmSides> bands{}; ///< H, V, D
    std::array<Decoupled, kAdmRollingRows> rolling{};             ///< by row number modulo 3

  private:
    AdmSignalRow<Strength> take_signal_row(AdmScratchRows<std::int32_t> &sums)
    {
        AdmSignalRow<Strength> row{};
        for (Strength *&strength : row.strength)
            strength = strength_rows.take();
        row.neighbour = sums.take();
        row.centre = sums.take();
        return row;
    }
};
using FineRows = BandRows<std::int16_t, std::uint16_t>;
using CoarseRows = BandRows<std::int32_t, std::uint32_t>;

constexpr std::size_t kSumRows = 2 * kAdmRollingRows * 2 * 2; // of both kinds of rows, both signals
constexpr std::size_t kWideScratchRows = kSumRows + 2 + kAdmBands;
constexpr std::size_t kLineScratchRows = 4;

/// Rounds a row sum on its way into a frame sum (spec adm 3.6, 3.7). Wraps where huge Barten
/// weights overflow.
template <class Sum> void add_row(Sum &total, std::uint64_t row, unsigned shift)
{
    const std::uint64_t half = shift == 0 ? 0 : std::uint64_t{1} << (shift - 1);
    const Sum rounded = static_cast<Sum>(row + half) >> shift;
    total = static_cast<Sum>(static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(rounded));
}

/// Several encodes take one pass over the reference, whose bands are kept, and one over each of
/// their own. A single one takes one pass over the pair.
class AdmCpu final : public CpuLadderExtractorOf<AdmSums> {
  public:
    AdmCpu(const AdmParams &params, CpuTarget target, AdmPlaces *places)
        : params_(params), places_(places), loops_(select_kAdmLoops(target)),
          line_rows_(kLineScratchRows, std::size_t{2} * params.scale[0].width),
          wide_rows_(kWideScratchRows, params.scale[0].width), low_line_(line_rows_.take()),
          line_low_half_(line_rows_.take() - low_line_), high_line_(line_rows_.take()), flag_(wide_rows_.take()),
          column_sums_(wide_rows_.take()), fine_(params.scale[0].width, wide_rows_),
          coarse_(params.scale[1].width, wide_rows_)
    {
        for (std::int32_t *&row : restored_)
            row = wide_rows_.take();
        for (unsigned s = 0; s < kAdmScales - 1; ++s)
            low_[s] = LowBand(params_.scale[s].width, params_.scale[s].height, s == 0 ? kAdmI16 : kAdmHalves);
        for (unsigned s = params_.skip_scale0 != 0 ? 1 : 0; s < kAdmScales && places_ != nullptr; ++s)
            (*places_)[s].resize(std::size_t{params_.scale[s].width} * params_.scale[s].height);
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<AdmSums> sums) override
    {
        if (frames.size() == 1) {
            extract_part(frames.front(), PairPart::all, sums.front());
            return {};
        }
        make_room_for_bands();
        AdmSums of_reference{};
        extract_part(frames.front(), PairPart::reference, of_reference);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            sums[i] = of_reference;
            extract_part(frames[i], PairPart::distorted, sums[i]);
        }
        return {};
    }

  private:
    void make_room_for_bands()
    {
        const auto rows_of = [&](unsigned s) { return kAdmBands * std::size_t{params_.scale[s].height}; };
        if (!kept_fine_)
            kept_fine_.emplace(rows_of(0), params_.scale[0].width);
        for (unsigned s = 1; s < kAdmScales; ++s)
            if (!kept_coarse_[s])
                kept_coarse_[s].emplace(rows_of(s), params_.scale[s].width);
    }

    void extract_part(const FramePlanes &planes, PairPart part, AdmSums &sums)
    {
        std::array<DwtInput, kAdmSides> inputs{picture_input(planes.ref[0]), picture_input(planes.dis[0])};
        for (unsigned s = 0; s < kAdmScales; ++s) {
            extract_scale(s, inputs, part, sums);
            for (std::size_t side = 0; side < kAdmSides && s < kAdmScales - 1; ++side)
                inputs[side] = low_[s].input(side, params_.scale[s].width, params_.scale[s].height);
        }
    }

    static DwtInput picture_input(const PlaneView &plane)
    {
        return {
            {plane.data, plane.stride_bytes, plane.width_px, plane.height_px}, plane.bpc == 8 ? kAdmU8 : kAdmU16, 0};
    }

    void extract_scale(unsigned s, const std::array<DwtInput, kAdmSides> &inputs, PairPart part, AdmSums &sums)
    {
        const AdmScale &scale = params_.scale[s];
        const bool low_band_only = s == 0 && params_.skip_scale0 != 0;
        for (std::uint32_t y = 0; y < scale.height; ++y) {
            const bool masked_row = y + 1 >= scale.top && y <= scale.bottom && !low_band_only;
            if (!masked_row && s == kAdmScales - 1)
                continue;
            if (s == 0)
                extract_row(s, inputs, y, masked_row, part, fine_, sums);
            else
                extract_row(s, inputs, y, masked_row, part, coarse_, sums);
        }
    }

    template <class Rows>
    void extract_row(unsigned s, const std::array<DwtInput, kAdmSides> &inputs, std::uint32_t y, bool masked_row,
                     PairPart part, Rows &rows, AdmSums &sums)
    {
        const AdmScale &scale = params_.scale[s];
        const auto ref = part == PairPart::all ? rows.bands[0] : kept_bands(s, y, rows);
        if (part != PairPart::distorted)
            transform_row(s, inputs[0], 0, y, masked_row, ref);
        if (part != PairPart::reference)
            transform_row(s, inputs[1], 1, y, masked_row, rows.bands[1]);
        if (!masked_row)
            return;
        if (part != PairPart::distorted && y >= scale.top && y < scale.bottom)
            sum_den_row(s, y, ref, sums);
        if (part == PairPart::reference)
            return;
        decouple_row(s, y, ref, rows);
        if (y > scale.top)
            sum_row(s, y - 1, rows, sums);
        if (y + 1 == scale.height && scale.bottom == scale.height)
            sum_row(s, y, rows, sums);
    }
    std::array<std::int16_t *, kAdmBands> kept_bands(unsigned, std::uint32_t y, const FineRows &)
    {
        return kept_bands(y, *kept_fine_);
    }
    std::array<std::int32_t *, kAdmBands> kept_bands(unsigned s, std::uint32_t y, const CoarseRows &)
    {
        return kept_bands(y, *kept_coarse_[s]);
    }
    template <class Band> static std::array<Band *, kAdmBands> kept_bands(std::uint32_t y, AdmScratchRows<Band> &kept)
    {
        const std::size_t first = kAdmBands * std::size_t{y};
        return {kept.row(first), kept.row(first + 1), kept.row(first + 2)};
    }

    AdmFilter vertical(unsigned s, const std::int32_t *taps, const DwtInput &input) const
    {
        if (s > 0)
            return {taps, s == 1 ? 0 : 32768, s == 1 ? 0U : 16U, 65535, input.low_half, line_low_half_};
        const std::int32_t half = 1 << (params_.bpc - 1), gain = taps[0] + taps[1] + taps[2] + taps[3];
        const auto max_sample = static_cast<std::uint16_t>((1U << params_.bpc) - 1);
        return {taps, half - gain * half, params_.bpc, max_sample}; // mid-grey becomes 0
    }

    AdmFilter horizontal(unsigned s, const std::int32_t *taps) const
    {
        const unsigned shift = s == 0 || s == 2 ? 16 : 15;
        return {taps, 1 << (shift - 1), shift, 65535, line_low_half_, s < kAdmScales - 1 ? low_[s].low_half : 0};
    }

    /// Vertical pass: the low one on the columns that the horizontal pass reads for `low`, the high
    /// one on those for `high`, a part of them. Then the lines' ends for its taps.
    void filter_rows(unsigned s, const DwtInput &input, std::uint32_t y, AdmSpan low, AdmSpan high) const
    {
        const AdmSpan all = input.tap_columns(low);
        const auto rows = input.tap_rows(y);
        input.prefetch(y + kRowsAhead);
        const AdmFilter filters[2] = {vertical(s, kAdmLow, input), vertical(s, kAdmHigh, input)};
        AdmSpan both{all.begin, all.begin};
        if (high.begin < high.end) {
            both = input.tap_columns(high);
            loops_.filter_rows_twice[input.sample](rows.data(), filters, both, {low_line_, high_line_});
            extend_line(s, input, high_line_, both);
        }
        for (const AdmSpan &rest : {AdmSpan{all.begin, both.begin}, AdmSpan{both.end, all.end}})
            if (rest.begin < rest.end)
                loops_.filter_rows[input.sample](rows.data(), filters[0], rest, low_line_);
        extend_line(s, input, low_line_, all);
    }
    void extend_line(unsigned s, const DwtInput &input, std::int16_t *line, AdmSpan columns) const
    {
        input.extend_line(line, columns);
        if (s > 0)
            input.extend_line(line + line_low_half_, columns);
    }

    /// One row of a picture's bands (spec adm 3.1): A whole, the others where they are read.
    template <class Band>
    void transform_row(unsigned s, const DwtInput &input, std::size_t side, std::uint32_t y, bool with_bands,
                       const std::array<Band *, kAdmBands> &bands)
    {
        const AdmScale &scale = params_.scale[s];
        const AdmSpan all{0, scale.width}, masked = adm_masked_columns(scale);
        const AdmFilter low = horizontal(s, kAdmLow), high = horizontal(s, kAdmHigh);
        const bool with_low_band = s < kAdmScales - 1;
        const AdmLine to_low_band = s == 0 ? kAdmI16ToI16 : kAdmHalvesToHalves,
                      to_band = s == 0 ? kAdmI16ToI16 : kAdmHalvesToI32;

        filter_rows(s, input, y, with_low_band ? all : masked, with_bands ? masked : AdmSpan{});
        if (with_low_band)
            loops_.filter_line[to_low_band](low_line_, low, all, low_[s].row(side, y));
        if (!with_bands)
            return;
        loops_.filter_line[to_band](low_line_, high, masked, bands[kAdmV]);
        loops_.filter_line[to_band](high_line_, low, masked, bands[kAdmH]);
        loops_.filter_line[to_band](high_line_, high, masked, bands[kAdmD]);
    }

    template <class Band, class Strength>
    void decouple_row(unsigned s, std::uint32_t y, const std::array<Band *, kAdmBands> &ref,
                      BandRows<Band, Strength> &rows)
    {
        const AdmScale &scale = params_.scale[s];
        const auto &row = rows.rolling[y % kAdmRollingRows];
        const auto &dis = rows.bands[1];
        const AdmDecoupling<Band, Strength> job{{ref[kAdmH], ref[kAdmV], ref[kAdmD]},
                                                {dis[kAdmH], dis[kAdmV], dis[kAdmD]},
                                                params_.gain_limit,
                                                scale.weight,
                                                row.restored,
                                                row.additive};
        decouple(job, adm_masked_columns(scale));
        adm_extend_neighbours(scale, row.restored.neighbour);
        adm_extend_neighbours(scale, row.additive.neighbour);
    }
    void decouple(const AdmFineDecoupling &row, AdmSpan span) const { loops_.decouple_fine(row, span); }
    void decouple(const AdmDecoupling<std::int32_t, std::uint32_t> &row, AdmSpan span) const
    {
        loops_.decouple_coarse({row, flag_, {restored_[kAdmH], restored_[kAdmV], restored_[kAdmD]}}, span);
    }

    template <class Band>
    void sum_den_row(unsigned s, std::uint32_t y, const std::array<Band *, kAdmBands> &ref, AdmSums &sums) const
    {
        const AdmScale &scale = params_.scale[s];
        for (unsigned band = 0; band < kAdmBands; ++band)
            add_row(sums.den[s][band], den_cubes(s, ref[band], {scale.left, scale.right}), scale.den_row_shift);
        if (places_ != nullptr)
            for (std::size_t x = scale.left; x < scale.right; ++x)
                for (unsigned band = 0; band < kAdmBands; ++band)
                    place(s, x, y).den[band] = den_cubes(s, ref[band], {x, x + 1});
    }
    std::uint64_t den_cubes(unsigned, const std::int16_t *ref, AdmSpan span) const
    {
        return loops_.den_cubes_fine(ref, span);
    }
    std::uint64_t den_cubes(unsigned s, const std::int32_t *ref, AdmSpan span) const
    {
        constexpr std::array<unsigned, kAdmScales> kSquareShift{0, 31, 30, 31};
        return loops_.den_cubes_coarse(ref, kSquareShift[s], params_.scale[s].den_cube_shift, span);
    }

    AdmCubes &place(unsigned s, std::size_t x, std::uint32_t y) const
    {
        return (*places_)[s][std::size_t{y} * params_.scale[s].width + x];
    }

    template <class Band, class Strength>
    void sum_row(unsigned s, std::uint32_t y, BandRows<Band, Strength> &rows, AdmSums &sums)
    {
        using Decoupled = typename BandRows<Band, Strength>::Decoupled;
        const AdmScale &scale = params_.scale[s];
        const auto [above, at, below] = adm_rows_around(y, scale.height);
        const Decoupled &row = rows.rolling[at % kAdmRollingRows], &row_above = rows.rolling[above % kAdmRollingRows],
                        &row_below = rows.rolling[below % kAdmRollingRows];
        const auto job_of = [&](AdmSignalRow<Strength> Decoupled::*signal, AdmSignalRow<Strength> Decoupled::*masker) {
            const auto &strength = (row.*signal).strength;
            return AdmMasking<Strength>{
                {strength[kAdmH], strength[kAdmV], strength[kAdmD]},
                scale.weight,
                {(row_above.*masker).neighbour, (row.*masker).neighbour, (row_below.*masker).neighbour},
                (row.*masker).centre,
                column_sums_,
                scale.cube_shift};
        };
        const auto sum = [&](const AdmMasking<Strength> &job, auto &total) {
            std::uint64_t row_sums[kAdmBands];
            masked_cubes(job, {scale.left, scale.right}, row_sums);
            for (unsigned band = 0; band < kAdmBands; ++band)
                add_row(total[band], row_sums[band], scale.row_shift);
        };
        const AdmMasking<Strength> restored = job_of(&Decoupled::restored, &Decoupled::additive);
        sum(restored, sums.num[s]);
        if (places_ != nullptr)
            keep_cubes(s, y, restored);
        if (params_.skip_aim == 0)
            sum(job_of(&Decoupled::additive, &Decoupled::restored), sums.aim[s]);
    }
    template <class Strength> void keep_cubes(unsigned s, std::uint32_t y, const AdmMasking<Strength> &row) const
    {
        for (std::size_t x = params_.scale[s].left; x < params_.scale[s].right; ++x) {
            std::uint64_t cubes[kAdmBands];
            masked_cubes(row, {x, x + 1}, cubes);
            std::copy_n(cubes, kAdmBands, place(s, x, y).num.begin());
        }
    }
    void masked_cubes(const AdmMasking<std::uint16_t> &row, AdmSpan span, std::uint64_t (&sums)[kAdmBands]) const
    {
        loops_.masked_cubes_fine(row, span, sums);
    }
    void masked_cubes(const AdmMasking<std::uint32_t> &row, AdmSpan span, std::uint64_t (&sums)[kAdmBands]) const
    {
        loops_.masked_cubes_coarse(row, span, sums);
    }

    AdmParams params_;
    AdmPlaces *places_;
    const AdmLoops &loops_;
    AdmScratchRows<std::int16_t> line_rows_;
    AdmScratchRows<std::int32_t> wide_rows_;
    std::int16_t *low_line_; ///< vertical passes of one row, followed by their low halves
    std::ptrdiff_t line_low_half_;
    std::int16_t *high_line_;
    std::int32_t *flag_; ///< of the row under way, like r and the sums under the mask
    std::int32_t *column_sums_;
    std::array<std::int32_t *, kAdmBands> restored_{};
    FineRows fine_;
    CoarseRows coarse_;
    std::array<LowBand, kAdmScales - 1> low_;
    /// The reference's bands by row; none until several encodes come at once.
    std::optional<AdmScratchRows<std::int16_t>> kept_fine_;
    std::array<std::optional<AdmScratchRows<std::int32_t>>, kAdmScales> kept_coarse_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_adm_cpu(const AdmParams &params, CpuTarget target, AdmPlaces *places)
{
    return std::make_unique<AdmCpu>(params, target, places);
}

} // namespace vmaf
