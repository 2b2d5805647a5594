#include <algorithm>
#include <array>
#include <cmath>

#include "feature/adm/adm_rows.h"
#include "feature/common/float_row_loops.h"
#include "feature/float_adm/float_adm.h"
#include "feature/float_adm/float_adm_loops.h"

namespace vmaf {
namespace {

using ScratchRows = AdmScratchRows<float>;

struct DwtInput : AdmDwtRows {
    FloatAdmSample sample;
    float scale; ///< of the samples
};

DwtInput picture_input(const PlaneView &plane)
{
    return {{plane.data, plane.stride_bytes, plane.width_px, plane.height_px},
            plane.bpc == 8 ? kFloatAdmU8 : kFloatAdmU16,
            1.0F / static_cast<float>(1U << (plane.bpc - 8))};
}

/// Band A of both pictures at one scale.
struct LowBand {
    std::array<AlignedBuffer<float>, kAdmSides> data;
    FloatAdmScale size{};

    LowBand() = default;
    explicit LowBand(const FloatAdmScale &scale) : size(scale)
    {
        for (AlignedBuffer<float> &plane : data)
            plane = AlignedBuffer<float>(std::size_t{scale.width} * scale.height);
    }

    float *row(std::size_t side, unsigned y) { return data[side].data() + std::size_t{size.width} * y; }
    DwtInput input(std::size_t side) const
    {
        return {{reinterpret_cast<const std::byte *>(data[side].data()),
                 static_cast<std::ptrdiff_t>(size.width * sizeof(float)), size.width, size.height},
                kFloatAdmF32,
                1};
    }
};

/// One band row after decoupling. Three of them roll under the 3x3 mask.
struct DecoupledRow {
    FloatAdmSignalRow restored;
    FloatAdmSignalRow additive;
    std::array<float *, kAdmBands> reference;
};

constexpr std::size_t kLineScratchRows = 2;
constexpr std::size_t kBandScratchRows = kAdmSides * kAdmBands + 4 + 2 * kAdmBands + kAdmRollingRows * 5 * kAdmBands;

FloatAdmSignalRow take_signal_row(ScratchRows &rows)
{
    FloatAdmSignalRow row{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        row.strength[band] = rows.take();
        row.neighbour[band] = rows.take();
    }
    return row;
}

class FloatAdmCpu final : public CpuExtractorOf<FloatAdmSums> {
  public:
    FloatAdmCpu(const FloatAdmParams &params, CpuTarget target)
        : params_(params), loops_(select_kFloatAdmLoops(target)), row_loops_(select_kFloatRowLoops(target)),
          line_rows_(kLineScratchRows, std::size_t{2} * params.scale[0].width),
          band_rows_(kBandScratchRows, params.scale[0].width), low_line_(line_rows_.take()),
          high_line_(line_rows_.take()), flag_(params.scale[0].width), unused_low_band_(band_rows_.take()),
          restored_(band_rows_.take()), additive_(band_rows_.take()), threshold_(band_rows_.take())
    {
        for (auto &side : bands_)
            for (float *&band : side)
                band = band_rows_.take();
        for (auto *terms : {&num_terms_, &aim_terms_})
            for (float *&band : *terms)
                band = band_rows_.take();
        for (DecoupledRow &row : rolling_) {
            row = {take_signal_row(band_rows_), take_signal_row(band_rows_), {}};
            for (float *&band : row.reference)
                band = band_rows_.take();
        }
        for (unsigned s = 0; s < kAdmScales - 1; ++s)
            low_[s] = LowBand(params_.scale[s]);
    }

  protected:
    Status extract(const FramePlanes &planes, FloatAdmSums &sums) override
    {
        std::array<DwtInput, kAdmSides> inputs{picture_input(planes.ref[0]), picture_input(planes.dis[0])};
        for (unsigned s = 0; s < kAdmScales; ++s) {
            extract_scale(s, inputs, sums);
            for (std::size_t side = 0; side < kAdmSides && s < kAdmScales - 1; ++side)
                inputs[side] = low_[s].input(side);
        }
        return {};
    }

  private:
    void extract_scale(unsigned s, const std::array<DwtInput, kAdmSides> &inputs, FloatAdmSums &sums)
    {
        const FloatAdmScale &scale = params_.scale[s];
        const bool low_band_only = s == 0 && params_.skip_scale0;
        for (unsigned y = 0; y < scale.height; ++y) {
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
        }
        if (scale.bottom == scale.height && !low_band_only)
            sum_row(s, scale.height - 1, sums);
    }

    /// One row of a picture's bands (spec adm 3.1, float_features 3.6): A whole, the others where
    /// they are read.
    void transform_row(unsigned s, const DwtInput &input, std::size_t side, unsigned y, bool with_bands)
    {
        const FloatAdmScale &scale = params_.scale[s];
        const bool with_low_band = s < kAdmScales - 1;
        const AdmSpan masked = adm_masked_columns(scale), low_span = with_low_band ? AdmSpan{0, scale.width} : masked;
        const AdmSpan columns = input.tap_columns(low_span);
        loops_.filter_rows[input.sample](input.tap_rows(y).data(), input.scale, columns, low_line_, high_line_);
        input.extend_line(low_line_, columns);
        loops_.filter_line(low_line_, low_span, with_low_band ? low_[s].row(side, y) : unused_low_band_,
                           bands_[side][kAdmV]);
        if (!with_bands)
            return;
        input.extend_line(high_line_, columns);
        loops_.filter_line(high_line_, masked, bands_[side][kAdmH], bands_[side][kAdmD]);
    }

    void decouple_row(unsigned s, unsigned y)
    {
        const FloatAdmScale &scale = params_.scale[s];
        const DecoupledRow &row = rolling_[y % kAdmRollingRows];
        const auto &[ref, dis] = bands_;
        const FloatAdmDecoupling job{{ref[kAdmH], ref[kAdmV], ref[kAdmD]},
                                     {dis[kAdmH], dis[kAdmV], dis[kAdmD]},
                                     flag_.data(),
                                     restored_,
                                     additive_,
                                     params_.gain_limit,
                                     scale.weight,
                                     row.restored,
                                     row.additive,
                                     {row.reference[kAdmH], row.reference[kAdmV], row.reference[kAdmD]}};
        loops_.decouple(job, adm_masked_columns(scale));
        for (unsigned band = 0; band < kAdmBands; ++band) {
            adm_extend_neighbours(scale, row.restored.neighbour[band]);
            adm_extend_neighbours(scale, row.additive.neighbour[band]);
        }
    }

    /// Adds row y of the summation region to all nine sums. The rows around it are decoupled.
    void sum_row(unsigned s, unsigned y, FloatAdmSums &sums)
    {
        const FloatAdmScale &scale = params_.scale[s];
        const DecoupledRow &row = rolling_[y % kAdmRollingRows];
        make_terms(scale, y, &DecoupledRow::restored, &DecoupledRow::additive, num_terms_);
        make_terms(scale, y, &DecoupledRow::additive, &DecoupledRow::restored, aim_terms_);
        const float *terms[kBandChains];
        for (unsigned band = 0; band < kAdmBands; ++band) {
            raise(row.reference[band], scale);
            terms[band] = num_terms_[band] + scale.left;
            terms[kAdmBands + band] = aim_terms_[band] + scale.left;
            terms[2 * kAdmBands + band] = row.reference[band] + scale.left;
        }
        float row_sums[kBandChains] = {};
        row_loops_.add_band_rows(terms, scale.right - scale.left, row_sums);
        for (unsigned band = 0; band < kAdmBands; ++band) {
            sums.num[s][band] += row_sums[band];
            sums.aim[s][band] += row_sums[kAdmBands + band];
            sums.den[s][band] += row_sums[2 * kAdmBands + band];
        }
    }

    /// spec float_features 3.9: C(v) of one row of a signal.
    void make_terms(const FloatAdmScale &scale, unsigned y, FloatAdmSignalRow DecoupledRow::*signal,
                    FloatAdmSignalRow DecoupledRow::*masker, const std::array<float *, kAdmBands> &terms)
    {
        const AdmSpan columns{scale.left, scale.right};
        if (!params_.bypass_mask)
            loops_.thresholds(mask_around(scale, y, masker), columns, threshold_);
        for (unsigned band = 0; band < kAdmBands; ++band) {
            loops_.subtract_threshold((rolling_[y % kAdmRollingRows].*signal).strength[band], threshold_, columns,
                                      terms[band]);
            raise(terms[band], scale);
        }
    }

    FloatAdmMask mask_around(const FloatAdmScale &scale, unsigned y, FloatAdmSignalRow DecoupledRow::*masker) const
    {
        FloatAdmMask mask{};
        for (unsigned band = 0; band < kAdmBands; ++band) {
            for (unsigned i = 0; const unsigned at : adm_rows_around(y, scale.height))
                mask.neighbour[i++][band] = (rolling_[at % kAdmRollingRows].*masker).neighbour[band];
            mask.centre[band] = (rolling_[y % kAdmRollingRows].*masker).strength[band];
        }
        return mask;
    }

    /// v to C(v), in place.
    void raise(float *v, const FloatAdmScale &scale) const
    {
        if (params_.p_norm == 3)
            loops_.cube(v, {scale.left, scale.right});
        else
            for (unsigned x = scale.left; x < scale.right; ++x)
                v[x] = std::pow(v[x], params_.p_norm);
    }

    FloatAdmParams params_;
    const FloatAdmLoops &loops_;
    const FloatRowLoops &row_loops_;
    ScratchRows line_rows_;
    ScratchRows band_rows_;
    float *low_line_; ///< vertical passes of one row
    float *high_line_;
    AlignedBuffer<int> flag_; ///< of the row under way
    float *unused_low_band_;  ///< of the last scale
    float *restored_;         ///< r and a of the row and band under way
    float *additive_;
    float *threshold_;                                              ///< stays 0 without masking
    std::array<std::array<float *, kAdmBands>, kAdmSides> bands_{}; ///< H, V, D of the row under way
    std::array<float *, kAdmBands> num_terms_{}, aim_terms_{};
    std::array<DecoupledRow, kAdmRollingRows> rolling_{}; ///< by row number modulo 3
    std::array<LowBand, kAdmScales - 1> low_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_adm_cpu(const FloatAdmParams &params, CpuTarget target)
{
    return std::make_unique<FloatAdmCpu>(params, target);
}

} // namespace vmaf
