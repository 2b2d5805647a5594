#include "feature/ssim/ssim_window.h"

#include <algorithm>

#include "base/round_up.h"

namespace vmaf {
namespace {

constexpr std::size_t kAlignment = AlignedBuffer<float>::kAlignment / sizeof(float);

std::size_t padded(unsigned width_px)
{
    return round_up(width_px, kAlignment);
}

/// In raster order: the rounding of the sums is part of the result.
void add_in_order(const SsimTerms &terms, unsigned count, SsimSums &sums)
{
    SsimSums total = sums;
    for (unsigned x = 0; x < count; ++x) {
        total.l += terms.l[x];
        total.c += terms.c[x];
        total.s += terms.s[x];
        total.q += terms.q[x];
    }
    sums = total;
}

} // namespace

SsimWindow::SsimWindow(unsigned max_width_px, const SsimLoops &loops)
    : loops_(loops), stride_(padded(max_width_px)), product_(stride_), filtered_(kSsimPlanes * kSsimTaps * stride_)
{
    for (AlignedBuffer<float> &row : moments_)
        row = AlignedBuffer<float>(stride_);
    for (AlignedBuffer<double> &row : terms_)
        row = AlignedBuffer<double>(stride_);
}

SsimSums SsimWindow::evaluate(SsimRows &ref, SsimRows &dis, PictureSize size, SsimValues values, float *map)
{
    values_ = values;
    SsimSums sums{};
    for (unsigned y = 0; y < size.height_px; ++y) {
        filter_rows(ref.row(y), dis.row(y), y, size.width_px);
        if (y < kSsimMargin)
            continue;
        const unsigned positions = size.width_px - kSsimMargin;
        add_terms(y - kSsimMargin, positions, sums);
        if (map != nullptr)
            map = std::transform(terms_[3].data(), terms_[3].data() + positions, map,
                                 [](double value) { return static_cast<float>(value); });
    }
    return sums;
}

/// Squares are not negative, whatever the images hold.
void SsimWindow::filter(const float *const rows[kSsimTaps], unsigned plane, unsigned count, float *out)
{
    const bool may_be_negative = values_ == SsimValues::any && plane != kSsimRefRef && plane != kSsimDisDis;
    (may_be_negative ? loops_.filter_signed : loops_.filter)(rows, count, out);
}

float *SsimWindow::filtered_row(unsigned plane, unsigned y)
{
    return filtered_.data() + (plane * kSsimTaps + y % kSsimTaps) * stride_;
}

void SsimWindow::filter_rows(const float *ref, const float *dis, unsigned y, unsigned width_px)
{
    const auto filter_row = [&](const float *row, SsimPlane plane) {
        const float *positions[kSsimTaps];
        for (unsigned k = 0; k < kSsimTaps; ++k)
            positions[k] = row + k;
        filter(positions, plane, width_px - kSsimMargin, filtered_row(plane, y));
    };
    const auto filter_product = [&](const float *a, const float *b, SsimPlane plane) {
        loops_.multiply(a, b, width_px, product_.data());
        filter_row(product_.data(), plane);
    };
    filter_row(ref, kSsimRef);
    filter_row(dis, kSsimDis);
    filter_product(ref, ref, kSsimRefRef);
    filter_product(dis, dis, kSsimDisDis);
    filter_product(ref, dis, kSsimRefDis);
}

/// The position row `y`, whose window ends with the last filtered row.
void SsimWindow::add_terms(unsigned y, unsigned count, SsimSums &sums)
{
    SsimMoments moments;
    for (unsigned plane = 0; plane < kSsimPlanes; ++plane) {
        const float *rows[kSsimTaps];
        for (unsigned k = 0; k < kSsimTaps; ++k)
            rows[k] = filtered_row(plane, y + k);
        filter(rows, plane, count, moments_[plane].data());
        moments.plane[plane] = moments_[plane].data();
    }
    const SsimTerms terms{terms_[0].data(), terms_[1].data(), terms_[2].data(), terms_[3].data()};
    loops_.terms(moments, count, terms);
    add_in_order(terms, count, sums);
}

} // namespace vmaf
