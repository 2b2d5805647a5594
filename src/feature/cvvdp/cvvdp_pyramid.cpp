#include "feature/cvvdp/cvvdp_pyramid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "feature/cvvdp/cvvdp_model.h"

namespace vmaf {
namespace {

/// Mirrored with the edge repeated.
unsigned mirrored_with_edge(int y, unsigned count)
{
    const int last = static_cast<int>(count) - 1;
    return static_cast<unsigned>(y < 0 ? -y - 1 : y > last ? 2 * last + 1 - y : y);
}

unsigned mirrored_without_edge(int y, unsigned count)
{
    const int last = static_cast<int>(count) - 1;
    return static_cast<unsigned>(y < 0 ? -y : y > last ? 2 * last - y : y);
}

/// Zeros for the pixels of each channel.
void clear(CvvdpPlaces::value_type &places, unsigned width_px, unsigned height_px)
{
    for (std::vector<float> &channel : places)
        channel.assign(std::size_t{width_px} * height_px, 0.0F);
}

CvvdpRows rows_of(RowRing &ring, unsigned y)
{
    return {{ring.row(0, y), ring.row(1, y), ring.row(2, y), ring.row(3, y)}};
}

CvvdpInput rows_of(const RowRing &ring, unsigned y)
{
    return {{ring.row(0, y), ring.row(1, y), ring.row(2, y), ring.row(3, y)}};
}

/// The base band of a picture.
CvvdpLevel base_level(unsigned width_px, unsigned height_px, unsigned bands, const CvvdpLoops &loops)
{
    for (unsigned band = 1; band < bands; ++band) {
        width_px = cvvdp_half(width_px);
        height_px = cvvdp_half(height_px);
    }
    return {width_px, height_px, height_px, loops};
}

/// Columns add up so many rows before they are folded into doubles.
constexpr unsigned kFoldedRows = 64;

} // namespace

CvvdpLevel::CvvdpLevel(unsigned width_px, unsigned height_px, unsigned kept_rows, const CvvdpLoops &loops)
    : width_px_(width_px), height_px_(height_px), loops_(&loops), levels_(kCvvdpChannels, kept_rows, width_px),
      scratch_(1, 1, width_px)
{
}

CvvdpRows CvvdpLevel::row(unsigned y)
{
    return rows_of(levels_, y);
}

CvvdpInput CvvdpLevel::row(unsigned y) const
{
    return rows_of(levels_, y);
}

bool CvvdpLevel::makes_row() const
{
    return reduced_ < cvvdp_half(height_px_) && (rows_ > 2 * reduced_ + 2 || rows_ == height_px_);
}

// spec cvvdp 3.4, reduce.
void CvvdpLevel::reduce_into(CvvdpLevel &above)
{
    const CvvdpRows out = above.next_row();
    float *const row = scratch_.row(0, 0);
    const int y = 2 * static_cast<int>(reduced_);
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        const float *rows[5];
        for (int i = 0; i < 5; ++i)
            rows[i] = levels_.row(channel, mirrored_with_edge(y + i - 2, height_px_));
        loops_->reduce_columns(rows, width_px_, row);
        reduce_along(row, out.channel[channel]);
    }
    ++reduced_;
}

// What lies behind the row is chosen so that the last output has what the definition adds to it,
// which goes by the parity of the height.
void CvvdpLevel::reduce_along(float *row, float *above) const
{
    const std::size_t width = width_px_;
    row[-1] = row[0];
    row[-2] = row[1];
    const float last = row[width - 1], before = row[width - 2];
    const float inner = kCvvdpReduceNext, outer = kCvvdpReduceOuter;
    const bool odd_height = height_px_ % 2 != 0;
    if (width % 2 == 0) {
        row[width] = odd_height ? (inner * last + outer * before) / outer : last;
    } else {
        row[width] = odd_height ? last : 0;
        row[width + 1] = odd_height ? before : last;
    }
    loops_->reduce_row(row, cvvdp_half(width_px_), above);
}

bool CvvdpLevel::can_expand(const CvvdpLevel &above, unsigned y)
{
    return std::min(y / 2 + 1, above.height_px_ - 1) < above.rows_;
}

// spec cvvdp 3.4, expand.
void CvvdpLevel::expand(const CvvdpLevel &above, unsigned y, const CvvdpRows &out)
{
    const CvvdpParts parts = cvvdp_parts(y % 2 == 0);
    const unsigned width = above.width_px_, middle = y / 2;
    float *const row = scratch_.row(0, 0);
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        const float *const rows[3] = {above.levels_.row(channel, middle > 0 ? middle - 1 : 0),
                                      above.levels_.row(channel, middle),
                                      above.levels_.row(channel, std::min(middle + 1, above.height_px_ - 1))};
        loops_->blend_rows(rows, parts.of, width, row);
        row[-1] = row[0];
        row[width] = row[width - 1];
        loops_->expand_row(row, width, out.channel[channel]);
    }
}

CvvdpReferenceBand::CvvdpReferenceBand(unsigned width_px, unsigned height_px, unsigned rows_ahead,
                                       const CvvdpLoops &loops)
    : CvvdpLevel(width_px, height_px, kLevelRows + rows_ahead, loops),
      means_(kCvvdpChannels, kLevelRows + rows_ahead, width_px)
{
}

void CvvdpReferenceBand::begin()
{
    CvvdpLevel::begin();
    expanded_ = 0;
}

void CvvdpReferenceBand::advance(const CvvdpLevel &above)
{
    for (; expanded_ < rows() && can_expand(above, expanded_); ++expanded_)
        expand(above, expanded_, rows_of(means_, expanded_));
}

CvvdpInput CvvdpReferenceBand::mean(unsigned y) const
{
    return rows_of(means_, y);
}

CvvdpBand::CvvdpBand(const CvvdpReferenceBand &reference, const CvvdpBandTables &tables, const CvvdpLoops &loops)
    : CvvdpLevel(reference.width_px(), reference.height_px(), kLevelRows, loops), reference_(reference),
      tables_(tables), taps_(cvvdp_blur_taps()), means_(kCvvdpChannels, 1, width_px()),
      differences_(kCvvdpChannels, kMaskRows, width_px()), masks_(kCvvdpChannels, kMaskRows, width_px()),
      scratch_(kCvvdpChannels, 1, width_px()), columns_(kCvvdpChannels, 1, width_px())
{
}

void CvvdpBand::begin()
{
    CvvdpLevel::begin();
    contrasted_ = scored_ = 0;
    sums_ = {};
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel)
        std::fill_n(columns_.row(channel, 0), width_px(), 0.0F);
    if (places_ != nullptr)
        clear(*places_, width_px(), height_px());
}

void CvvdpBand::advance(const CvvdpLevel &above)
{
    for (; contrasted_ < rows() && can_expand(above, contrasted_); ++contrasted_) {
        expand(above, contrasted_, rows_of(means_, 0));
        contrast_row(contrasted_);
    }
    const unsigned reach = is_blurred() ? kCvvdpBlurReach : 0;
    while (scored_ < contrasted_ && (scored_ + reach < contrasted_ || contrasted_ == height_px())) {
        mask_row(scored_);
        ++scored_;
        if (scored_ % kFoldedRows == 0 || scored_ == height_px())
            fold_columns();
    }
}

void CvvdpBand::contrast_row(unsigned y)
{
    const CvvdpBandRows rows{reference_.row(y), std::as_const(*this).row(y), reference_.mean(y),
                             rows_of(std::as_const(means_), 0)};
    const CvvdpRows least = is_blurred() ? rows_of(scratch_, 0) : rows_of(masks_, y);
    loops().contrast(tables_, rows, width_px(), rows_of(differences_, y), least);
    for (unsigned channel = 0; is_blurred() && channel < kCvvdpChannels; ++channel) {
        float *const row = least.channel[channel];
        for (unsigned k = 1; k <= kCvvdpBlurReach; ++k) {
            row[-static_cast<std::ptrdiff_t>(k)] = row[k];
            row[width_px() - 1 + k] = row[width_px() - 1 - k];
        }
        loops().blur_row(row, *reinterpret_cast<const float(*)[kCvvdpBlurReach + 1]>(taps_.data()), width_px(),
                         masks_.row(channel, y));
    }
}

// spec cvvdp 3.6.
void CvvdpBand::mask_row(unsigned y)
{
    CvvdpInput difference, mask;
    CvvdpRows columns;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        difference.channel[channel] = differences_.row(channel, y);
        mask.channel[channel] = masks_.row(channel, y);
        columns.channel[channel] =
            places_ != nullptr ? &(*places_)[channel][std::size_t{y} * width_px()] : columns_.row(channel, 0);
        if (!is_blurred())
            continue;
        const float *rows[2 * kCvvdpBlurReach + 1];
        for (int i = 0; i <= static_cast<int>(2 * kCvvdpBlurReach); ++i)
            rows[i] =
                masks_.row(channel, mirrored_without_edge(static_cast<int>(y) + i - static_cast<int>(kCvvdpBlurReach),
                                                          height_px()));
        loops().blur_columns(rows, *reinterpret_cast<const float(*)[kCvvdpBlurReach + 1]>(taps_.data()), width_px(),
                             scratch_.row(channel, 0));
        mask.channel[channel] = scratch_.row(channel, 0);
    }
    loops().add_squares(difference, mask, width_px(), columns);
    for (unsigned channel = 0; channel < kCvvdpChannels && places_ != nullptr; ++channel)
        for (unsigned x = 0; x < width_px(); ++x)
            columns_.row(channel, 0)[x] += columns.channel[channel][x];
}

void CvvdpBand::fold_columns()
{
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        float *const column = columns_.row(channel, 0);
        for (unsigned x = 0; x < width_px(); ++x) {
            sums_[channel] += static_cast<double>(column[x]);
            column[x] = 0;
        }
    }
}

void CvvdpBand::finish(double (&sums)[kCvvdpChannels]) const
{
    std::copy(sums_.begin(), sums_.end(), sums);
}

CvvdpReference::CvvdpReference(unsigned width_px, unsigned height_px, unsigned bands, unsigned rows_ahead,
                               CpuTarget target)
    : CvvdpPyramid(base_level(width_px, height_px, bands, select_kCvvdpLoops(target)))
{
    for (unsigned band = 0; band + 1 < bands; ++band) {
        bands_.emplace_back(width_px, height_px, rows_ahead >> band, select_kCvvdpLoops(target));
        width_px = cvvdp_half(width_px);
        height_px = cvvdp_half(height_px);
    }
}

CvvdpEncode::CvvdpEncode(const CvvdpReference &reference, const std::vector<CvvdpBandTables> &tables, CpuTarget target,
                         CvvdpPlaces *places)
    : CvvdpPyramid({reference.base().width_px(), reference.base().height_px(), reference.base().height_px(),
                    select_kCvvdpLoops(target)}),
      reference_(reference), base_table_(tables.back()), places_(places)
{
    if (places_ != nullptr)
        places_->resize(tables.size());
    for (const CvvdpReferenceBand &band : reference.bands()) {
        const std::size_t index = bands_.size();
        bands_.emplace_back(band, tables[index], select_kCvvdpLoops(target));
        if (places_ != nullptr)
            bands_.back().keep((*places_)[index]);
    }
}

void CvvdpEncode::begin()
{
    CvvdpPyramid::begin();
    if (places_ != nullptr)
        clear(places_->back(), base_.width_px(), base_.height_px());
}

void CvvdpEncode::finish(CvvdpSums &sums) const
{
    for (std::size_t band = 0; band < bands_.size(); ++band)
        bands_[band].finish(sums.squares[band]);
    score_base(sums.squares[bands_.size()]);
}

// spec cvvdp 3.4 to 3.6 for the base band.
void CvvdpEncode::score_base(double (&sums)[kCvvdpChannels]) const
{
    const unsigned width_px = base_.width_px(), height_px = base_.height_px();
    const double pixels = static_cast<double>(width_px) * height_px;
    const auto mean = [&](const CvvdpLevel &base) {
        double sum = 0;
        for (unsigned y = 0; y < height_px; ++y)
            for (unsigned x = 0; x < width_px; ++x)
                sum += static_cast<double>(std::max(base.row(y).channel[0][x], kCvvdpLeastMean));
        return sum / pixels;
    };
    const double ref_mean = mean(reference_.base()), dis_mean = mean(base_);
    const double place = std::clamp(std::log2(ref_mean) * static_cast<double>(kCvvdpPositionScale) +
                                        static_cast<double>(kCvvdpPositionOffset),
                                    0.0, static_cast<double>(kCvvdpCsfPoints - 1));
    const unsigned index = std::min(static_cast<unsigned>(place), kCvvdpCsfPoints - 2);
    constexpr double kMost = kCvvdpMostContrast;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        const float *const table = base_table_.sensitivity[channel];
        const double below = table[index], above = table[index + 1];
        const double sensitivity = std::exp2(below + (place - index) * (above - below));
        sums[channel] = 0;
        for (unsigned y = 0; y < height_px; ++y)
            for (unsigned x = 0; x < width_px; ++x) {
                const double ref = reference_.base().row(y).channel[channel][x], dis = base_.row(y).channel[channel][x];
                const double d =
                    std::abs(std::min(dis / dis_mean, kMost) - std::min(ref / ref_mean, kMost)) * sensitivity;
                const double square = d * d + 2 * kCvvdpEpsilon * d;
                sums[channel] += square;
                if (places_ != nullptr)
                    places_->back()[channel][std::size_t{y} * width_px + x] = static_cast<float>(square);
            }
    }
}

} // namespace vmaf
