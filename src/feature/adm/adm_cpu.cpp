#include <algorithm>
#include <array>

#include "base/aligned_buffer.h"
#include "feature/adm/adm.h"
#include "feature/adm/adm_loops.h"
#include "feature/adm/adm_rows.h"

namespace vmaf {
namespace {

struct DwtInput : AdmDwtRows {
    AdmSample sample;
    std::ptrdiff_t low_half; ///< elements from a high half to its low half
};

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

/// One band row after decoupling. Three of them roll under the 3x3 mask.
struct DecoupledRow {
    AdmSignalRow restored;
    AdmSignalRow additive;
};

using ScratchRows = AdmScratchRows<std::int32_t>;

constexpr std::size_t kBandScratchRows = kAdmSides * kAdmBands + 2 + kAdmBands + kAdmRollingRows * 2 * (kAdmBands + 2);
constexpr std::size_t kLineScratchRows = 4;

AdmSignalRow take_signal_row(ScratchRows &rows)
{
    AdmSignalRow row{};
    for (std::uint32_t *&strength : row.strength)
        strength = reinterpret_cast<std::uint32_t *>(rows.take());
    row.neighbour = rows.take();
    row.centre = rows.take();
    return row;
}

/// Rounds a row sum on its way into a frame sum (spec adm 3.6, 3.7). Wraps where huge Barten
/// weights overflow.
template <class Sum> void add_row(Sum &total, std::uint64_t row, unsigned shift)
{
    const std::uint64_t half = shift == 0 ? 0 : std::uint64_t{1} << (shift - 1);
    const Sum rounded = static_cast<Sum>(row + half) >> shift;
    total = static_cast<Sum>(static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(rounded));
}

class AdmCpu final : public CpuExtractorOf<AdmSums> {
  public:
    AdmCpu(const AdmParams &params, CpuTarget target)
        : params_(params), loops_(select_kAdmLoops(target)),
          line_rows_(kLineScratchRows, std::size_t{2} * params.scale[0].width),
          band_rows_(kBandScratchRows, params.scale[0].width), low_line_(line_rows_.take()),
          line_low_half_(line_rows_.take() - low_line_), high_line_(line_rows_.take()), flag_(band_rows_.take()),
          column_sums_(band_rows_.take())
    {
        for (auto &side : bands_)
            for (std::int32_t *&band : side)
                band = band_rows_.take();
        for (std::int32_t *&row : restored_)
            row = band_rows_.take();
        for (DecoupledRow &row : rolling_)
            row = {take_signal_row(band_rows_), take_signal_row(band_rows_)};
        for (unsigned s = 0; s < kAdmScales - 1; ++s)
            low_[s] = LowBand(params_.scale[s].width, params_.scale[s].height, s == 0 ? kAdmI16 : kAdmHalves);
    }

  protected:
    Status extract(const FramePlanes &planes, AdmSums &sums) override
    {
        std::array<DwtInput, kAdmSides> inputs{picture_input(planes.ref[0]), picture_input(planes.dis[0])};
        for (unsigned s = 0; s < kAdmScales; ++s) {
            extract_scale(s, inputs, sums);
            for (std::size_t side = 0; side < kAdmSides && s < kAdmScales - 1; ++side)
                inputs[side] = low_[s].input(side, params_.scale[s].width, params_.scale[s].height);
        }
        return {};
    }

  private:
    static DwtInput picture_input(const PlaneView &plane)
    {
        return {
            {plane.data, plane.stride_bytes, plane.width_px, plane.height_px}, plane.bpc == 8 ? kAdmU8 : kAdmU16, 0};
    }

    void extract_scale(unsigned s, const std::array<DwtInput, kAdmSides> &inputs, AdmSums &sums)
    {
        const AdmScale &scale = params_.scale[s];
        const bool low_band_only = s == 0 && params_.skip_scale0 != 0;
        for (std::uint32_t y = 0; y < scale.height; ++y) {
            const bool masked_row = y + 1 >= scale.top && y <= scale.bottom && !low_band_only;
            if (!masked_row && s == kAdmScales - 1)
                continue;
            for (std::size_t side = 0; side < kAdmSides; ++side)
                transform_row(s, inputs[side], side, y, masked_row);
            if (!masked_row)
                continue;
            decouple_row(s, y);
            if (y > scale.top)
                sum_row(s, y - 1, sums);
            if (y >= scale.top && y < scale.bottom)
                sum_den_row(s, sums);
        }
        if (scale.bottom == scale.height && !low_band_only)
            sum_row(s, scale.height - 1, sums);
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

    /// Vertical pass on the columns that the horizontal pass reads for `span`, then the line's ends
    /// for its taps.
    void filter_rows(unsigned s, const DwtInput &input, std::uint32_t y, const std::int32_t *taps, AdmSpan span,
                     std::int16_t *line) const
    {
        const AdmSpan columns = input.tap_columns(span);
        loops_.filter_rows[input.sample](input.tap_rows(y).data(), vertical(s, taps, input), columns, line);
        input.extend_line(line, columns);
        if (s > 0)
            input.extend_line(line + line_low_half_, columns);
    }

    /// One row of a picture's bands (spec adm 3.1): A whole, the others where they are read.
    void transform_row(unsigned s, const DwtInput &input, std::size_t side, std::uint32_t y, bool with_bands)
    {
        const AdmScale &scale = params_.scale[s];
        const AdmSpan all{0, scale.width}, masked = adm_masked_columns(scale);
        const AdmFilter low = horizontal(s, kAdmLow), high = horizontal(s, kAdmHigh);
        const bool with_low_band = s < kAdmScales - 1;
        const AdmLine to_low_band = s == 0 ? kAdmI16ToI16 : kAdmHalvesToHalves,
                      to_band = s == 0 ? kAdmI16ToI32 : kAdmHalvesToI32;

        filter_rows(s, input, y, kAdmLow, with_low_band ? all : masked, low_line_);
        if (with_low_band)
            loops_.filter_line[to_low_band](low_line_, low, all, low_[s].row(side, y));
        if (!with_bands)
            return;
        loops_.filter_line[to_band](low_line_, high, masked, bands_[side][kAdmV]);
        filter_rows(s, input, y, kAdmHigh, masked, high_line_);
        loops_.filter_line[to_band](high_line_, low, masked, bands_[side][kAdmH]);
        loops_.filter_line[to_band](high_line_, high, masked, bands_[side][kAdmD]);
    }

    void decouple_row(unsigned s, std::uint32_t y)
    {
        const AdmScale &scale = params_.scale[s];
        const DecoupledRow &row = rolling_[y % kAdmRollingRows];
        const auto &[ref, dis] = bands_;
        const AdmDecoupling job{{ref[kAdmH], ref[kAdmV], ref[kAdmD]},
                                {dis[kAdmH], dis[kAdmV], dis[kAdmD]},
                                flag_,
                                {restored_[kAdmH], restored_[kAdmV], restored_[kAdmD]},
                                params_.gain_limit,
                                scale.weight,
                                row.restored,
                                row.additive};
        (s == 0 ? loops_.decouple_fine : loops_.decouple_coarse)(job, adm_masked_columns(scale));
        adm_extend_neighbours(scale, row.restored.neighbour);
        adm_extend_neighbours(scale, row.additive.neighbour);
    }

    void sum_den_row(unsigned s, AdmSums &sums) const
    {
        constexpr std::array<unsigned, kAdmScales> kSquareShift{0, 31, 30, 31};
        const AdmScale &scale = params_.scale[s];
        const AdmSpan columns{scale.left, scale.right};
        for (unsigned band = 0; band < kAdmBands; ++band) {
            const std::uint64_t row =
                s == 0 ? loops_.den_cubes_fine(bands_[0][band], columns)
                       : loops_.den_cubes_coarse(bands_[0][band], kSquareShift[s], scale.den_cube_shift, columns);
            add_row(sums.den[s][band], row, scale.den_row_shift);
        }
    }

    void sum_row(unsigned s, std::uint32_t y, AdmSums &sums)
    {
        const AdmScale &scale = params_.scale[s];
        const auto [above, at, below] = adm_rows_around(y, scale.height);
        const DecoupledRow &row = rolling_[at % kAdmRollingRows];
        const DecoupledRow &row_above = rolling_[above % kAdmRollingRows],
                           &row_below = rolling_[below % kAdmRollingRows];
        const auto sum = [&](AdmSignalRow DecoupledRow::*signal, AdmSignalRow DecoupledRow::*masker, auto &total) {
            const auto &strength = (row.*signal).strength;
            const AdmMasking job{
                {strength[kAdmH], strength[kAdmV], strength[kAdmD]},
                {(row_above.*masker).neighbour, (row.*masker).neighbour, (row_below.*masker).neighbour},
                (row.*masker).centre,
                column_sums_,
                scale.cube_shift};
            std::uint64_t row_sums[kAdmBands];
            (s == 0 ? loops_.masked_cubes_fine : loops_.masked_cubes_coarse)(job, {scale.left, scale.right}, row_sums);
            for (unsigned band = 0; band < kAdmBands; ++band)
                add_row(total[band], row_sums[band], scale.row_shift);
        };
        sum(&DecoupledRow::restored, &DecoupledRow::additive, sums.num[s]);
        if (params_.skip_aim == 0)
            sum(&DecoupledRow::additive, &DecoupledRow::restored, sums.aim[s]);
    }

    AdmParams params_;
    const AdmLoops &loops_;
    AdmScratchRows<std::int16_t> line_rows_;
    ScratchRows band_rows_;
    std::int16_t *low_line_; ///< vertical passes of one row, followed by their low halves
    std::ptrdiff_t line_low_half_;
    std::int16_t *high_line_;
    std::int32_t *flag_; ///< of the row under way, like r and the sums under the mask
    std::int32_t *column_sums_;
    std::array<std::array<std::int32_t *, kAdmBands>, kAdmSides> bands_{}; ///< H, V, D of the row under way
    std::array<std::int32_t *, kAdmBands> restored_{};
    std::array<DecoupledRow, kAdmRollingRows> rolling_{}; ///< by row number modulo 3
    std::array<LowBand, kAdmScales - 1> low_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_adm_cpu(const AdmParams &params, CpuTarget target)
{
    return std::make_unique<AdmCpu>(params, target);
}

} // namespace vmaf
