#include "feature/butteraugli/butteraugli_map.h"

#include <algorithm>

#include "base/round_up.h"

namespace vmaf {
namespace {

constexpr unsigned kBatchRows = ButteraugliScale::kBatchRows;
constexpr unsigned kDelayRows = ButteraugliScale::kDelayRows;

// Half size follows by as many rows of its own. After the last row it is drained first, and full
// size comes up.
constexpr unsigned kFullRows = 2 * (kDelayRows + 1) + kBatchRows;
constexpr unsigned kHalfRows = kDelayRows + kBatchRows;

} // namespace

ButteraugliMap::ButteraugliMap(unsigned width_px, unsigned height_px, bool grey, const ButteraugliTuning &tuning,
                               CpuTarget target, float *values)
    : width_px_(width_px), loops_(select_kButteraugliLoops(target)),
      full_(width_px, height_px, grey, tuning, target, kFullRows), powers_(std::size_t{kButteraugliPowers} * width_px),
      max_(width_px), values_(values)
{
    if (std::min(width_px, height_px) >= kButteraugliTwoScalesPx)
        half_ = std::make_unique<ButteraugliScale>(blocks_for(width_px, 2), blocks_for(height_px, 2), grey, tuning,
                                                   target, kHalfRows);
}

void ButteraugliMap::begin()
{
    full_.begin();
    if (half_)
        half_->begin();
    pooled_ = 0;
    std::fill_n(powers_.data(), powers_.size(), 0.0);
    std::fill_n(max_.data(), max_.size(), 0.0F);
}

void ButteraugliMap::push()
{
    full_.push();
    if (half_ && full_.makes_row()) {
        full_.halve_into(*half_);
        half_->push();
    }
    pool_rows();
}

void ButteraugliMap::pool_rows()
{
    const unsigned end = half_ ? std::min(full_.made(), 2 * half_->made()) : full_.made();
    for (; pooled_ < end; ++pooled_) {
        float *map = full_.distance_row(pooled_);
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

void ButteraugliMap::finish(ButteraugliSums &sums)
{
    while (half_ && !half_->is_done()) {
        half_->drain();
        pool_rows();
    }
    while (!full_.is_done()) {
        full_.drain();
        pool_rows();
    }
    sums = {};
    for (unsigned power = 0; power < kButteraugliPowers; ++power)
        for (unsigned x = 0; x < width_px_; ++x)
            sums.powers[power] += powers_[std::size_t{power} * width_px_ + x];
    sums.max = static_cast<double>(*std::max_element(max_.data(), max_.data() + width_px_));
}

} // namespace vmaf
