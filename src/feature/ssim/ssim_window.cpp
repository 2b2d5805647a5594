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

/// Whether a plane is made of the reference alone.
constexpr bool is_of_reference(unsigned plane)
{
    return plane == kSsimRef || plane == kSsimRefRef;
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
    : loops_(loops), stride_(padded(max_width_px)), product_(stride_)
{
    make_room_for(1);
    for (AlignedBuffer<float> &row : moments_)
        row = AlignedBuffer<float>(stride_);
    for (AlignedBuffer<double> &row : terms_)
        row = AlignedBuffer<double>(stride_);
}

void SsimWindow::make_room_for(std::size_t images)
{
    while (filtered_.size() < images)
        filtered_.emplace_back(kSsimPlanes * kSsimTaps * stride_);
}

void SsimWindow::begin(SsimValues values, std::span<SsimSums> sums)
{
    values_ = values;
    make_room_for(sums.size());
    std::ranges::fill(sums, SsimSums{});
}

/// Squares are not negative, whatever the images hold.
void SsimWindow::filter(const float *const rows[kSsimTaps], unsigned plane, unsigned count, float *out)
{
    const bool may_be_negative = values_ == SsimValues::any && plane != kSsimRefRef && plane != kSsimDisDis;
    (may_be_negative ? loops_.filter_signed : loops_.filter)(rows, count, out);
}

float *SsimWindow::filtered_row(std::size_t image, unsigned plane, unsigned y)
{
    return filtered_[is_of_reference(plane) ? 0 : image].data() + (plane * kSsimTaps + y % kSsimTaps) * stride_;
}

void SsimWindow::filter_rows(const float *ref, const float *dis, std::size_t image, unsigned y, unsigned width_px)
{
    const auto filter_row = [&](const float *row, SsimPlane plane) {
        const float *positions[kSsimTaps];
        for (unsigned k = 0; k < kSsimTaps; ++k)
            positions[k] = row + k;
        filter(positions, plane, width_px - kSsimMargin, filtered_row(image, plane, y));
    };
    const auto filter_product = [&](const float *a, const float *b, SsimPlane plane) {
        loops_.multiply(a, b, width_px, product_.data());
        filter_row(product_.data(), plane);
    };
    if (image == 0) {
        filter_row(ref, kSsimRef);
        filter_product(ref, ref, kSsimRefRef);
    }
    filter_row(dis, kSsimDis);
    filter_product(dis, dis, kSsimDisDis);
    filter_product(ref, dis, kSsimRefDis);
}

/// Those of all images. @return the map's next row.
float *SsimWindow::add_terms(unsigned y, unsigned count, std::span<SsimSums> sums, float *map)
{
    for (std::size_t image = 0; image < sums.size(); ++image) {
        add_terms(image, y, count, sums[image]);
        if (map != nullptr && image == 0)
            map = std::transform(terms_[3].data(), terms_[3].data() + count, map,
                                 [](double value) { return static_cast<float>(value); });
    }
    return map;
}

/// The position row `y`, whose window ends with the last filtered row. Images come in order.
void SsimWindow::add_terms(std::size_t image, unsigned y, unsigned count, SsimSums &sums)
{
    SsimMoments moments;
    for (unsigned plane = 0; plane < kSsimPlanes; ++plane) {
        moments.plane[plane] = moments_[plane].data();
        if (image > 0 && is_of_reference(plane))
            continue;
        const float *rows[kSsimTaps];
        for (unsigned k = 0; k < kSsimTaps; ++k)
            rows[k] = filtered_row(image, plane, y + k);
        filter(rows, plane, count, moments_[plane].data());
    }
    const SsimTerms terms{terms_[0].data(), terms_[1].data(), terms_[2].data(), terms_[3].data()};
    loops_.terms(moments, count, terms);
    add_in_order(terms, count, sums);
}

} // namespace vmaf
