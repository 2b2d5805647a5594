#include "feature/butteraugli/butteraugli_map.h"

#include <algorithm>

#include "base/round_up.h"

namespace vmaf {
namespace {

// Half size follows by as many rows of its own.
constexpr unsigned kFullRows = 2 * ButteraugliScale::kDelayRows;
constexpr unsigned kHalfRows = ButteraugliScale::kBatchRows;

} // namespace

ButteraugliReference::ButteraugliReference(const ButteraugliSize &size, unsigned rows_ahead, CpuTarget target)
{
    full_ = std::make_unique<ButteraugliReferenceScale>(size, rows_ahead, target);
    if (std::min(size.width_px, size.height_px) >= kButteraugliTwoScalesPx)
        half_ = std::make_unique<ButteraugliReferenceScale>(
            ButteraugliSize{blocks_for(size.width_px, 2), blocks_for(size.height_px, 2), size.grey, size.tuning},
            rows_ahead / 2 + 1, target); // an odd last row makes one more
}

ButteraugliMap::ButteraugliMap(ButteraugliReference &reference, CpuTarget target, float *values)
    : width_px_(reference.full().size().width_px), height_px_(reference.full().size().height_px),
      loops_(select_kButteraugliLoops(target)), powers_(std::size_t{kButteraugliPowers} * width_px_), max_(width_px_),
      values_(values)
{
    full_ = std::make_unique<ButteraugliScale>(reference.full(), target, kFullRows);
    if (reference.half() != nullptr)
        half_ = std::make_unique<ButteraugliScale>(*reference.half(), target, kHalfRows);
}

void ButteraugliMap::begin()
{
    ButteraugliResolutions::begin();
    pooled_ = 0;
    std::fill_n(powers_.data(), powers_.size(), 0.0);
    std::fill_n(max_.data(), max_.size(), 0.0F);
}

void ButteraugliMap::push()
{
    ButteraugliResolutions::push();
    pool_rows();
}

unsigned ButteraugliMap::rows_to_push() const
{
    const unsigned full = ButteraugliScale::rows_to_push(height_px_);
    return half_ ? std::max(full, 2 * ButteraugliScale::rows_to_push(half_->size().height_px)) : full;
}

void ButteraugliMap::pool_rows()
{
    const unsigned end = half_ ? std::min(full_->made(), 2 * half_->made()) : full_->made();
    for (; pooled_ < end; ++pooled_) {
        float *map = full_->distance_row(pooled_);
        if (half_)
            loops_.add_half(half_->distance_row(pooled_ / 2), width_px_, map);
        double *const first = powers_.data();
        const std::size_t width = width_px_;
        double *const powers[kButteraugliPowers] = {first, first + width, first + 2 * width, first + 3 * width};
        loops_.pool(map, width_px_, powers, max_.data());
        if (values_ != nullptr)
            std::copy_n(map, width_px_, values_ + std::size_t{pooled_} * width_px_);
    }
}

void ButteraugliMap::finish(ButteraugliSums &sums) const
{
    sums = {};
    for (unsigned power = 0; power < kButteraugliPowers; ++power)
        for (unsigned x = 0; x < width_px_; ++x)
            sums.powers[power] += powers_[std::size_t{power} * width_px_ + x];
    sums.max = static_cast<double>(*std::max_element(max_.data(), max_.data() + width_px_));
}

} // namespace vmaf
