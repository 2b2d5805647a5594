#include "feature/cvvdp/cvvdp_pyramid.h"

#include <algorithm>
#include <cmath>

#include "base/round_up.h"
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

/// Columns add up so many rows before they are folded into doubles.
constexpr unsigned kFoldedRows = 64;

} // namespace

CvvdpRing::CvvdpRing(unsigned planes, unsigned rows, unsigned width_px)
    : rows_(rows), stride_(round_up(width_px + 2 * kPadding, kPadding)), memory_(planes * rows * stride_)
{
}

CvvdpBand::CvvdpBand(unsigned width_px, unsigned height_px, const CvvdpBandTables &tables, const CvvdpLoops &loops)
    : width_px_(width_px), height_px_(height_px), tables_(&tables), loops_(&loops), taps_(cvvdp_blur_taps()),
      levels_(kPlanes, kLevelRows, width_px), means_(kPlanes, 1, width_px),
      differences_(kCvvdpChannels, kMaskRows, width_px), masks_(kCvvdpChannels, kMaskRows, width_px),
      scratch_(kCvvdpChannels, 1, width_px), columns_(kCvvdpChannels, 1, width_px)
{
}

void CvvdpBand::begin()
{
    rows_ = reduced_ = contrasted_ = scored_ = 0;
    sums_ = {};
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel)
        std::fill_n(columns_.row(channel, 0), width_px_, 0.0F);
    if (places_ != nullptr)
        clear(*places_, width_px_, height_px_);
}

void CvvdpBand::keep(CvvdpPlaces::value_type &places)
{
    places_ = &places;
}

bool CvvdpBand::makes_row() const
{
    return reduced_ < cvvdp_half(height_px_) && (rows_ > 2 * reduced_ + 2 || rows_ == height_px_);
}

// spec cvvdp 3.4, reduce.
void CvvdpBand::reduce_into(const std::array<float *, kPlanes> &above)
{
    float *const row = scratch_.row(0, 0);
    const int y = 2 * static_cast<int>(reduced_);
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
        const float *rows[5];
        for (int i = 0; i < 5; ++i)
            rows[i] = levels_.row(plane, mirrored_with_edge(y + i - 2, height_px_));
        loops_->reduce_columns(rows, width_px_, row);
        reduce_along(row, above[plane]);
    }
    ++reduced_;
}

// What lies behind the row is chosen so that the last output has what the definition adds to it,
// which goes by the parity of the height.
void CvvdpBand::reduce_along(float *row, float *above) const
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

void CvvdpBand::score(const CvvdpRing &above, unsigned above_rows)
{
    const unsigned above_height = cvvdp_half(height_px_);
    while (contrasted_ < rows_ && std::min(contrasted_ / 2 + 1, above_height - 1) < above_rows) {
        expand(above, contrasted_);
        contrast_row(contrasted_);
        ++contrasted_;
    }
    const unsigned reach = is_blurred() ? kCvvdpBlurReach : 0;
    while (scored_ < contrasted_ && (scored_ + reach < contrasted_ || contrasted_ == height_px_)) {
        mask_row(scored_);
        ++scored_;
        if (scored_ % kFoldedRows == 0 || scored_ == height_px_)
            fold_columns();
    }
}

// spec cvvdp 3.4, expand.
void CvvdpBand::expand(const CvvdpRing &above, unsigned y)
{
    const CvvdpParts parts = cvvdp_parts(y % 2 == 0);
    const unsigned width = cvvdp_half(width_px_), height = cvvdp_half(height_px_), middle = y / 2;
    float *const row = scratch_.row(0, 0);
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
        const float *const rows[3] = {above.row(plane, middle > 0 ? middle - 1 : 0), above.row(plane, middle),
                                      above.row(plane, std::min(middle + 1, height - 1))};
        loops_->blend_rows(rows, parts.of, width, row);
        row[-1] = row[0];
        row[width] = row[width - 1];
        loops_->expand_row(row, width, means_.row(plane, 0));
    }
}

void CvvdpBand::contrast_row(unsigned y)
{
    CvvdpBandRows rows;
    CvvdpRows difference, least;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        rows.ref.channel[channel] = levels_.row(channel, y);
        rows.dis.channel[channel] = levels_.row(kCvvdpChannels + channel, y);
        rows.ref_mean.channel[channel] = means_.row(channel, 0);
        rows.dis_mean.channel[channel] = means_.row(kCvvdpChannels + channel, 0);
        difference.channel[channel] = differences_.row(channel, y);
        least.channel[channel] = is_blurred() ? scratch_.row(channel, 0) : masks_.row(channel, y);
    }
    loops_->contrast(*tables_, rows, width_px_, difference, least);
    for (unsigned channel = 0; is_blurred() && channel < kCvvdpChannels; ++channel) {
        float *const row = least.channel[channel];
        for (unsigned k = 1; k <= kCvvdpBlurReach; ++k) {
            row[-static_cast<std::ptrdiff_t>(k)] = row[k];
            row[width_px_ - 1 + k] = row[width_px_ - 1 - k];
        }
        loops_->blur_row(row, *reinterpret_cast<const float(*)[kCvvdpBlurReach + 1]>(taps_.data()), width_px_,
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
            places_ != nullptr ? &(*places_)[channel][std::size_t{y} * width_px_] : columns_.row(channel, 0);
        if (!is_blurred())
            continue;
        const float *rows[2 * kCvvdpBlurReach + 1];
        for (int i = 0; i <= static_cast<int>(2 * kCvvdpBlurReach); ++i)
            rows[i] = masks_.row(channel, mirrored_without_edge(
                                              static_cast<int>(y) + i - static_cast<int>(kCvvdpBlurReach), height_px_));
        loops_->blur_columns(rows, *reinterpret_cast<const float(*)[kCvvdpBlurReach + 1]>(taps_.data()), width_px_,
                             scratch_.row(channel, 0));
        mask.channel[channel] = scratch_.row(channel, 0);
    }
    loops_->add_squares(difference, mask, width_px_, columns);
    for (unsigned channel = 0; channel < kCvvdpChannels && places_ != nullptr; ++channel)
        for (unsigned x = 0; x < width_px_; ++x)
            columns_.row(channel, 0)[x] += columns.channel[channel][x];
}

void CvvdpBand::fold_columns()
{
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        float *const column = columns_.row(channel, 0);
        for (unsigned x = 0; x < width_px_; ++x) {
            sums_[channel] += static_cast<double>(column[x]);
            column[x] = 0;
        }
    }
}

void CvvdpBand::finish(double (&sums)[kCvvdpChannels])
{
    std::copy(sums_.begin(), sums_.end(), sums);
}

CvvdpPyramid::CvvdpPyramid(unsigned width_px, unsigned height_px, const std::vector<double> &frequencies,
                           CpuTarget target, CvvdpPlaces *places)
    : base_width_px_(width_px), base_height_px_(height_px), base_(0, 0, 0), places_(places)
{
    const CvvdpLoops &loops = select_kCvvdpLoops(target);
    const auto count = static_cast<unsigned>(frequencies.size());
    for (unsigned band = 0; band < count; ++band)
        tables_.push_back(cvvdp_tables(band, count, frequencies[band]));
    bands_.reserve(count - 1);
    if (places_ != nullptr)
        places_->resize(count);
    for (unsigned band = 0; band < count - 1; ++band) {
        bands_.emplace_back(base_width_px_, base_height_px_, tables_[band], loops);
        if (places_ != nullptr)
            bands_.back().keep((*places_)[band]);
        base_width_px_ = cvvdp_half(base_width_px_);
        base_height_px_ = cvvdp_half(base_height_px_);
    }
    base_ = CvvdpRing(kPlanes, base_height_px_, base_width_px_);
}

void CvvdpPyramid::begin()
{
    base_rows_ = 0;
    for (CvvdpBand &band : bands_)
        band.begin();
    if (places_ != nullptr)
        clear(places_->back(), base_width_px_, base_height_px_);
}

CvvdpRows CvvdpPyramid::next_row(unsigned picture)
{
    CvvdpRows rows;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel)
        rows.channel[channel] = bands_[0].next_row(picture * kCvvdpChannels + channel);
    return rows;
}

void CvvdpPyramid::push(std::size_t band)
{
    if (band == bands_.size()) {
        ++base_rows_;
        return;
    }
    CvvdpBand &fed = bands_[band];
    fed.push();
    const bool last = band + 1 == bands_.size();
    while (fed.makes_row()) {
        std::array<float *, kPlanes> above;
        for (unsigned plane = 0; plane < kPlanes; ++plane)
            above[plane] = last ? base_.row(plane, base_rows_) : bands_[band + 1].next_row(plane);
        fed.reduce_into(above);
        push(band + 1);
        fed.score(last ? base_ : bands_[band + 1].levels(), last ? base_rows_ : bands_[band + 1].rows());
    }
    fed.score(last ? base_ : bands_[band + 1].levels(), last ? base_rows_ : bands_[band + 1].rows());
}

void CvvdpPyramid::finish(CvvdpSums &sums)
{
    for (std::size_t band = 0; band < bands_.size(); ++band)
        bands_[band].finish(sums.squares[band]);
    score_base(sums.squares[bands_.size()]);
}

// spec cvvdp 3.4 to 3.6 for the base band.
void CvvdpPyramid::score_base(double (&sums)[kCvvdpChannels]) const
{
    const double pixels = static_cast<double>(base_width_px_) * base_height_px_;
    const auto mean = [&](unsigned plane) {
        double sum = 0;
        for (unsigned y = 0; y < base_height_px_; ++y)
            for (unsigned x = 0; x < base_width_px_; ++x)
                sum += static_cast<double>(std::max(base_.row(plane, y)[x], kCvvdpLeastMean));
        return sum / pixels;
    };
    const double ref_mean = mean(0), dis_mean = mean(kCvvdpChannels);
    const double place = std::clamp(std::log2(ref_mean) * static_cast<double>(kCvvdpPositionScale) +
                                        static_cast<double>(kCvvdpPositionOffset),
                                    0.0, static_cast<double>(kCvvdpCsfPoints - 1));
    const unsigned index = std::min(static_cast<unsigned>(place), kCvvdpCsfPoints - 2);
    constexpr double kMost = kCvvdpMostContrast;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        const float *const table = tables_.back().sensitivity[channel];
        const double below = table[index], above = table[index + 1];
        const double sensitivity = std::exp2(below + (place - index) * (above - below));
        sums[channel] = 0;
        for (unsigned y = 0; y < base_height_px_; ++y)
            for (unsigned x = 0; x < base_width_px_; ++x) {
                const double ref = base_.row(channel, y)[x], dis = base_.row(kCvvdpChannels + channel, y)[x];
                const double d =
                    std::abs(std::min(dis / dis_mean, kMost) - std::min(ref / ref_mean, kMost)) * sensitivity;
                const double square = d * d + 2 * kCvvdpEpsilon * d;
                sums[channel] += square;
                if (places_ != nullptr)
                    places_->back()[channel][std::size_t{y} * base_width_px_ + x] = static_cast<float>(square);
            }
    }
}

} // namespace vmaf
