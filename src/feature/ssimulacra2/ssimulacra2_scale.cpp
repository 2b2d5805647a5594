#include "feature/ssimulacra2/ssimulacra2_scale.h"

#include <algorithm>

namespace vmaf {
namespace {

/// Rows in rows_memory_.
enum ScratchRow : unsigned {
    kLinear,                    // two rows of three channels of two pictures
    kXyb = kLinear + 2 * 3 * 2, // three planes of two pictures
    kProducts = kXyb + 3 * 2,   // d, d*d, x + y
    kBlurs = kProducts + 3,     // the finished blurs of two rows, by signal
    kZeros = kBlurs + 2 * 5,    // stands for the rows outside the picture
    kScratchRows
};

constexpr unsigned kFloatRows = 64; // a column sum is a float for that many rows (spec ssimulacra2 5.2)

} // namespace

Ssimulacra2Scale::Ssimulacra2Scale(Ssimulacra2Size size, unsigned scale, unsigned scale_count, Ssimulacra2Colour colour,
                                   Ssimulacra2Errors errors, CpuTarget target)
    : size_(size), scale_(scale), colour_(colour), rgb_loops_(select_kRgbLoops(target)),
      loops_(select_kSsimulacra2Loops(target)),
      stride_((size.width_px + 2 * kPadding + kPadding - 1) / kPadding * kPadding), rows_memory_(kScratchRows * stride_)
{
    // Blurred rows are read beyond their ends, where nothing is ever written.
    std::fill_n(rows_memory_.data(), rows_memory_.size(), 0.0F);
    for (unsigned plane = 0; plane < kSsimulacra2Planes; ++plane) {
        const unsigned maps = ssimulacra2_maps(plane, scale, scale_count);
        if (maps == 0 || (colour == Ssimulacra2Colour::grey && plane != 1))
            continue;
        planes_.push_back({plane,
                           maps,
                           AlignedBuffer<float>(kSignals * kRingRows * stride_),
                           AlignedBuffer<float>(kSsimulacra2TermsOfScale * stride_),
                           {},
                           {}});
        for (unsigned map = 0; map < kSsimulacra2Maps && errors == Ssimulacra2Errors::are_kept; ++map)
            if (has_map(maps, map))
                planes_.back().errors[map].resize(std::size_t{size.width_px} * size.height_px);
        std::fill_n(planes_.back().rings.data(), planes_.back().rings.size(), 0.0F);
    }
}

void Ssimulacra2Scale::begin()
{
    rows_ = scored_ = 0;
    for (Plane &plane : planes_) {
        plane.sums = {};
        std::fill_n(plane.columns.data(), plane.columns.size(), 0.0F);
    }
}

ColourRow Ssimulacra2Scale::linear_row(unsigned picture, unsigned y)
{
    const unsigned first = kLinear + (y % 2 * 2 + picture) * 3;
    return {{scratch_row(first), scratch_row(first + 1), scratch_row(first + 2)}};
}

ColourRow Ssimulacra2Scale::next_row(unsigned picture)
{
    return linear_row(picture, rows_);
}

void Ssimulacra2Scale::push()
{
    convert();
    for (Plane &plane : planes_)
        blur_along_row(plane, rows_);
    ++rows_;
    if (rows_ >= scored_ + kBatchRows + kSsimulacra2Reach)
        score_rows(scored_ + kBatchRows);
}

/// Where a row of x or d goes: to its ring if it is needed again.
float *Ssimulacra2Scale::unblurred_row(Plane &plane, Signal signal, unsigned scratch)
{
    return has_edges(plane.maps) ? ring_row(plane, signal, rows_) : scratch_row(scratch);
}

void Ssimulacra2Scale::convert()
{
    for (unsigned picture = 0; picture < 2; ++picture) {
        const ColourRow linear = linear_row(picture, rows_);
        const unsigned first = kXyb + 3 * picture;
        ColourRow xyb{{scratch_row(first), scratch_row(first + 1), scratch_row(first + 2)}};
        for (Plane &plane : planes_)
            if (picture == 0)
                xyb.channel[plane.plane] = unblurred_row(plane, kUnblurredReference, first + plane.plane);
        if (colour_ == Ssimulacra2Colour::grey)
            loops_.linear_to_y(linear.channel[0], size_.width_px, xyb.channel[1]);
        else
            loops_.linear_to_xyb(linear, size_.width_px, xyb);
    }
}

void Ssimulacra2Scale::blur_along_row(Plane &plane, unsigned y)
{
    const float *x = unblurred_row(plane, kUnblurredReference, kXyb + plane.plane);
    const float *distorted = scratch_row(kXyb + 3 + plane.plane);
    float *d = unblurred_row(plane, kUnblurredDifference, kProducts);
    float *squared = scratch_row(kProducts + 1), *both = scratch_row(kProducts + 2);
    unsigned made = 0; // of the rows that are blurred
    for_segments([&](Columns columns) {
        const unsigned end = std::min(columns.first + columns.count + kSsimulacra2Reach, size_.width_px);
        loops_.subtract(distorted + made, x + made, end - made, d + made);
        const auto blur = [&](const float *row, Signal signal) {
            loops_.blur_row(row + columns.first, columns.count, ring_row(plane, signal, y) + columns.first);
        };
        blur(x, kReference);
        blur(d, kDifference);
        if (has_ssim(plane.maps)) {
            loops_.square(d + made, end - made, squared + made);
            loops_.add(x + made, distorted + made, end - made, both + made);
            blur(squared, kSquaredDifference);
            const auto row = [&](Signal signal) { return ring_row(plane, signal, y) + columns.first; };
            loops_.row_variance(both + columns.first, row(kReference), row(kDifference), columns.count, row(kMean),
                                row(kVariance));
        }
        made = end;
    });
}

/// Rows y and y + 1.
template <class Loop>
void Ssimulacra2Scale::blur_across_rows(Plane &plane, Signal signal, unsigned y, Columns columns, Loop loop)
{
    const float *rows[kSsimulacra2TapRows + 1];
    for (unsigned tap = 0; tap < kSsimulacra2TapRows + 1; ++tap) {
        const unsigned row = y + tap - kSsimulacra2Reach; // wraps above the picture
        rows[tap] = (row < size_.height_px ? ring_row(plane, signal, row) : scratch_row(kZeros)) + columns.first;
    }
    const unsigned out = kBlurs + 2 * signal;
    loop(rows, columns.count, scratch_row(out) + columns.first, scratch_row(out + 1) + columns.first);
}

/// Up to row `end`. A batch does not reach across the rows at which columns are folded.
void Ssimulacra2Scale::score_rows(unsigned end)
{
    static_assert(kFloatRows % kBatchRows == 0);
    for (Plane &plane : planes_) {
        for_segments([&](Columns columns) {
            for (unsigned y = scored_; y < end; y += 2) {
                for (const Signal signal : {kReference, kDifference, kSquaredDifference, kVariance})
                    if (signal <= kDifference || has_ssim(plane.maps))
                        blur_across_rows(plane, signal, y, columns, loops_.blur_columns);
                if (has_ssim(plane.maps))
                    blur_across_rows(plane, kMean, y, columns, loops_.column_spread);
                for (unsigned row = y; row < std::min(y + 2, end); ++row)
                    score_row(plane, row, row - y, columns);
            }
        });
        if (end % kFloatRows == 0)
            fold_columns(plane);
    }
    scored_ = end;
}

/// `parity`: which of two rows that were blurred together.
void Ssimulacra2Scale::score_row(Plane &plane, unsigned y, unsigned parity, Columns columns)
{
    const auto blur = [&](Signal signal) { return scratch_row(kBlurs + 2 * signal + parity) + columns.first; };
    const Ssimulacra2Blurs blurs{blur(kReference), blur(kDifference), blur(kSquaredDifference),
                                 blur(kVariance),  blur(kMean),       ring_row(plane, kMean, y) + columns.first};
    const auto sums_of = [&](unsigned map) {
        const Ssimulacra2Columns sums = columns_of(plane, map, y);
        return Ssimulacra2Columns{sums.first + columns.first, sums.fourth + columns.first};
    };
    const float *x = ring_row(plane, kUnblurredReference, y) + columns.first,
                *d = ring_row(plane, kUnblurredDifference, y) + columns.first;
    if (has_map(plane.maps, kSsimMap))
        loops_.add_ssim(blurs, columns.count, sums_of(kSsimMap));
    if (has_map(plane.maps, kArtefactMap))
        loops_.add_artefacts(x, d, blurs, columns.count, sums_of(kArtefactMap));
    if (has_map(plane.maps, kDetailMap))
        loops_.add_details(x, d, blurs, columns.count, sums_of(kDetailMap));
}

void Ssimulacra2Scale::fold_columns(Plane &plane)
{
    for (unsigned norm = 0; norm < kSsimulacra2Norms; ++norm)
        for (unsigned map = 0; map < kSsimulacra2Maps; ++map) {
            if (!has_map(plane.maps, map))
                continue;
            float *columns = column_sums(plane, norm, map);
            for (unsigned x = 0; x < size_.width_px; ++x)
                plane.sums[norm][map] += columns[x];
            std::fill_n(columns, size_.width_px, 0.0F);
        }
}

void Ssimulacra2Scale::halve_into(Ssimulacra2Scale &next)
{
    const unsigned last = rows_ - 1, pair = last % 2 == 1 ? last - 1 : last; // an odd last row is repeated
    const unsigned channels = colour_ == Ssimulacra2Colour::grey ? 1 : 3;
    for (unsigned picture = 0; picture < 2; ++picture) {
        const ColourRow top = linear_row(picture, pair), bottom = linear_row(picture, last);
        const ColourRow out = next.next_row(picture);
        for (unsigned channel = 0; channel < channels; ++channel) {
            for (float *row : {top.channel[channel], bottom.channel[channel]})
                row[size_.width_px] = row[size_.width_px - 1]; // as an odd last column is
            rgb_loops_.halve(top.channel[channel], bottom.channel[channel], next.size_.width_px, out.channel[channel]);
        }
    }
}

void Ssimulacra2Scale::finish(Ssimulacra2Sums &sums)
{
    while (scored_ < size_.height_px)
        score_rows(std::min(scored_ + kBatchRows, size_.height_px));
    for (Plane &plane : planes_) {
        fold_columns(plane);
        for (unsigned norm = 0; norm < kSsimulacra2Norms; ++norm)
            std::copy_n(plane.sums[norm].data(), kSsimulacra2Maps, sums.sums[plane.plane][scale_][norm]);
    }
}

std::span<const float> Ssimulacra2Scale::errors(unsigned plane, unsigned map) const
{
    const auto found = std::ranges::find(planes_, plane, &Plane::plane);
    return found == planes_.end() ? std::span<const float>() : found->errors[map];
}

} // namespace vmaf
