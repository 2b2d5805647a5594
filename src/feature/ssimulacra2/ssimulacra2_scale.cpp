#include "feature/ssimulacra2/ssimulacra2_scale.h"

#include <algorithm>

namespace vmaf {
namespace {

/// What rows_memory_ holds.
enum ScratchRow : unsigned {
    kLinear,                    // two rows of three channels of two pictures
    kXyb = kLinear + 2 * 3 * 2, // three planes of two pictures
    kProducts = kXyb + 3 * 2,   // d, d*d, x*x + y*y
    kBlurs = kProducts + 3,     // the finished blurs of one row
    kZeros = kBlurs + 4,        // stands for the rows outside the picture
    kScratchRows
};

constexpr unsigned kFloatRows = 64; // a column sum is a float for that many rows (spec ssimulacra2 5.2)

} // namespace

Ssimulacra2Scale::Ssimulacra2Scale(Ssimulacra2Size size, unsigned scale, unsigned scale_count, Ssimulacra2Colour colour,
                                   const Ssimulacra2Loops &loops)
    : size_(size), scale_(scale), colour_(colour), loops_(loops),
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
                           AlignedBuffer<float>(kSignals * kSsimulacra2TapRows * stride_),
                           AlignedBuffer<float>(kSsimulacra2TermsOfScale * stride_),
                           {}});
    }
}

void Ssimulacra2Scale::begin()
{
    rows_ = 0;
    for (Plane &plane : planes_) {
        plane.sums = {};
        std::fill_n(plane.columns.data(), plane.columns.size(), 0.0F);
    }
}

Ssimulacra2Row Ssimulacra2Scale::linear_row(unsigned picture, unsigned y)
{
    const unsigned first = kLinear + (y % 2 * 2 + picture) * 3;
    return {{scratch_row(first), scratch_row(first + 1), scratch_row(first + 2)}};
}

Ssimulacra2Row Ssimulacra2Scale::next_row(unsigned picture)
{
    return linear_row(picture, rows_);
}

void Ssimulacra2Scale::push()
{
    convert();
    for (Plane &plane : planes_)
        blur_along_row(plane, rows_);
    ++rows_;
    if (rows_ > kSsimulacra2Reach)
        score_row(rows_ - 1 - kSsimulacra2Reach);
}

void Ssimulacra2Scale::convert()
{
    for (unsigned picture = 0; picture < 2; ++picture) {
        const Ssimulacra2Row linear = linear_row(picture, rows_);
        const unsigned xyb = kXyb + 3 * picture;
        if (colour_ == Ssimulacra2Colour::grey)
            loops_.linear_to_y(linear.channel[0], size_.width_px, scratch_row(xyb + 1));
        else
            loops_.linear_to_xyb(linear, size_.width_px,
                                 {{scratch_row(xyb), scratch_row(xyb + 1), scratch_row(xyb + 2)}});
    }
}

void Ssimulacra2Scale::blur_along_row(Plane &plane, unsigned y)
{
    const unsigned width = size_.width_px;
    const float *x = scratch_row(kXyb + plane.plane), *distorted = scratch_row(kXyb + 3 + plane.plane);
    float *d = scratch_row(kProducts);
    loops_.subtract(distorted, x, width, d);
    loops_.blur_row(x, width, ring_row(plane, kReference, y));
    loops_.blur_row(d, width, ring_row(plane, kDifference, y));
    if (has_edges(plane.maps)) {
        std::copy_n(x, width, ring_row(plane, kUnblurredReference, y));
        std::copy_n(d, width, ring_row(plane, kUnblurredDifference, y));
    }
    if (!has_ssim(plane.maps))
        return;
    float *squared = scratch_row(kProducts + 1), *energy = scratch_row(kProducts + 2);
    loops_.square(d, width, squared);
    loops_.add_squares(x, distorted, width, energy);
    loops_.blur_row(squared, width, ring_row(plane, kSquaredDifference, y));
    loops_.blur_row(energy, width, ring_row(plane, kEnergy, y));
}

const float *Ssimulacra2Scale::blur_across_rows(Plane &plane, Signal signal, unsigned y, unsigned scratch)
{
    const float *rows[kSsimulacra2TapRows];
    for (unsigned tap = 0; tap < kSsimulacra2TapRows; ++tap) {
        const unsigned row = y + tap - kSsimulacra2Reach; // wraps above the picture
        rows[tap] = row < size_.height_px ? ring_row(plane, signal, row) : scratch_row(kZeros);
    }
    float *out = scratch_row(scratch);
    loops_.blur_column(rows, size_.width_px, out);
    return out;
}

void Ssimulacra2Scale::score_row(unsigned y)
{
    for (Plane &plane : planes_) {
        score_row(plane, y);
        if (y % kFloatRows == kFloatRows - 1)
            fold_columns(plane);
    }
}

void Ssimulacra2Scale::score_row(Plane &plane, unsigned y)
{
    Ssimulacra2Blurs blurs{blur_across_rows(plane, kReference, y, kBlurs),
                           blur_across_rows(plane, kDifference, y, kBlurs + 1), nullptr, nullptr};
    if (has_ssim(plane.maps)) {
        blurs.squared_difference = blur_across_rows(plane, kSquaredDifference, y, kBlurs + 2);
        blurs.energy = blur_across_rows(plane, kEnergy, y, kBlurs + 3);
        loops_.add_ssim(blurs, size_.width_px, columns_of(plane, kSsimMap));
    }
    if (has_edges(plane.maps))
        loops_.add_edges(ring_row(plane, kUnblurredReference, y), ring_row(plane, kUnblurredDifference, y), blurs,
                         size_.width_px, columns_of(plane, kArtefactMap), columns_of(plane, kDetailMap));
}

void Ssimulacra2Scale::fold_columns(Plane &plane)
{
    for (unsigned norm = 0; norm < kSsimulacra2Norms; ++norm)
        for (unsigned map = 0; map < kSsimulacra2Maps; ++map) {
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
        const Ssimulacra2Row top = linear_row(picture, pair), bottom = linear_row(picture, last);
        const Ssimulacra2Row out = next.next_row(picture);
        for (unsigned channel = 0; channel < channels; ++channel) {
            for (float *row : {top.channel[channel], bottom.channel[channel]})
                row[size_.width_px] = row[size_.width_px - 1]; // as an odd last column is
            loops_.halve(top.channel[channel], bottom.channel[channel], next.size_.width_px, out.channel[channel]);
        }
    }
}

void Ssimulacra2Scale::finish(Ssimulacra2Sums &sums)
{
    const unsigned height = size_.height_px;
    for (unsigned y = height < kSsimulacra2Reach ? 0 : height - kSsimulacra2Reach; y < height; ++y)
        score_row(y);
    for (Plane &plane : planes_) {
        fold_columns(plane);
        for (unsigned norm = 0; norm < kSsimulacra2Norms; ++norm)
            std::copy_n(plane.sums[norm].data(), kSsimulacra2Maps, sums.sums[plane.plane][scale_][norm]);
    }
}

} // namespace vmaf
