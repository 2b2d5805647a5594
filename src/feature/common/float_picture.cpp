#include "feature/common/float_picture.h"

#include <algorithm>

namespace vmaf {

double float_peak(unsigned bpc)
{
    return static_cast<double>((1U << bpc) - 1) / static_cast<double>(1U << (bpc - 8));
}

double float_psnr_cap(unsigned bpc)
{
    return 6.0 * bpc + 12.0;
}

std::size_t float_pitch(std::size_t width_px)
{
    constexpr std::size_t kVector = AlignedBuffer<float>::kAlignment / sizeof(float);
    return (width_px + kVector - 1) / kVector * kVector;
}

void load_float_row(const FloatRowLoops &loops, const PlaneView &plane, unsigned y, unsigned start_px, unsigned count,
                    float *out)
{
    const float scale = 1.0F / static_cast<float>(1U << (plane.bpc - 8));
    if (plane.bpc == 8)
        loops.from_8bit(plane.row<std::uint8_t>(y) + start_px, count, scale, out);
    else
        loops.from_16bit(plane.row<std::uint16_t>(y) + start_px, count, scale, out);
}

OrderedSum::OrderedSum(const FloatRowLoops &loops, unsigned max_width_px)
    : loops_(loops), pitch_(float_pitch(max_width_px)), terms_(pitch_ * kRowChains)
{
    std::fill_n(terms_.data(), terms_.size(), 0.0F);
    for (unsigned k = 0; k < kRowChains; ++k)
        rows_[k] = terms_.data() + pitch_ * k;
}

void OrderedSum::start(unsigned width_px)
{
    width_px_ = width_px;
    pending_ = 0;
    total_ = 0;
}

float *OrderedSum::next_row()
{
    if (pending_ == kRowChains)
        add_pending();
    return terms_.data() + pitch_ * pending_++;
}

float OrderedSum::finish()
{
    add_pending();
    return total_;
}

void OrderedSum::add_pending()
{
    std::array<float, kRowChains> sums{};
    loops_.add_rows(rows_.data(), width_px_, sums.data());
    for (unsigned k = 0; k < pending_; ++k)
        total_ += sums[k];
    pending_ = 0;
}

} // namespace vmaf
