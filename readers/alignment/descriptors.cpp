#include "alignment/descriptors.h"

#include <algorithm>
#include <array>

namespace vmaf::tool {
namespace {

constexpr int kUnits = 4; ///< units in a code of a sample
constexpr double kSquaredUnits = kUnits * kUnits;
constexpr std::array kTaps{1, 1, 2, 2, 1, 1}; ///< weights of small samples 2 k - 2 to 2 k + 3
constexpr int kTapsSum = 8;
constexpr unsigned kBox = 4; ///< coarse samples are means of so many rows and columns

unsigned half(unsigned px)
{
    return (px + 1) / 2;
}

std::size_t clamped(unsigned at, std::size_t tap, unsigned size)
{
    const int i = static_cast<int>(2 * at + tap) - 2;
    return static_cast<std::size_t>(std::clamp(i, 0, static_cast<int>(size) - 1));
}

/// Smooth and halve. @param rows scratch of half the width and the full height.
void smooth(std::span<const std::uint8_t> in, const SmallGrid &grid, std::vector<int> &rows, std::int16_t *out)
{
    const unsigned width = half(grid.width_px), height = half(grid.height_px);
    rows.resize(std::size_t{width} * grid.height_px);
    for (unsigned y = 0; y < grid.height_px; ++y)
        for (unsigned x = 0; x < width; ++x) {
            int sum = 0;
            for (std::size_t tap = 0; tap < kTaps.size(); ++tap)
                sum += kTaps[tap] * in[y * std::size_t{grid.width_px} + clamped(x, tap, grid.width_px)];
            rows[y * std::size_t{width} + x] = sum;
        }
    constexpr int kDivisor = kTapsSum * kTapsSum / kUnits;
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            int sum = kDivisor / 2;
            for (std::size_t tap = 0; tap < kTaps.size(); ++tap)
                sum += kTaps[tap] * rows[clamped(y, tap, grid.height_px) * width + x];
            *out++ = static_cast<std::int16_t>(sum / kDivisor);
        }
}

/// Means of boxes, without those that lie partly outside.
void shrink(const std::int16_t *in, unsigned width, unsigned height, std::int16_t *out)
{
    for (unsigned y = 0; y + kBox <= height; y += kBox)
        for (unsigned x = 0; x + kBox <= width; x += kBox) {
            int sum = 0;
            for (unsigned row = 0; row < kBox; ++row)
                for (unsigned column = 0; column < kBox; ++column)
                    sum += in[(y + row) * std::size_t{width} + x + column];
            *out++ = static_cast<std::int16_t>(sum / static_cast<int>(kBox)); // in units of 1 / (kUnits kBox)
        }
}

/// Values up to 255 kUnits of at most 160 x 160 / 4 samples: the sum fits.
std::uint32_t squared_difference(const std::int16_t *a, const std::int16_t *b, std::size_t size)
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const int difference = a[i] - b[i];
        sum += static_cast<std::uint32_t>(difference * difference);
    }
    return sum;
}

} // namespace

Descriptors::Descriptors(const SmallLuma &luma) : frames_(luma.frames())
{
    const unsigned width = half(luma.grid.width_px), height = half(luma.grid.height_px);
    size_ = std::size_t{width} * height;
    coarse_size_ = std::size_t{width / kBox} * (height / kBox);
    samples_.resize(frames_ * size_);
    coarse_.resize(frames_ * coarse_size_);
    variances_.resize(frames_);
    std::vector<int> rows;
    for (std::size_t i = 0; i < frames_; ++i) {
        std::int16_t *frame = samples_.data() + i * size_;
        smooth(luma.frame(i), luma.grid, rows, frame);
        shrink(frame, width, height, coarse_.data() + i * coarse_size_);
        double sum = 0, squares = 0;
        for (std::size_t k = 0; k < size_; ++k) {
            sum += frame[k];
            squares += static_cast<double>(frame[k]) * frame[k];
        }
        const auto n = static_cast<double>(size_);
        variances_[i] = (squares / n - sum / n * (sum / n)) / kSquaredUnits;
    }
}

double Descriptors::distance(const Descriptors &a, std::size_t i, const Descriptors &b, std::size_t j)
{
    const std::uint32_t sum =
        squared_difference(a.samples_.data() + i * a.size_, b.samples_.data() + j * b.size_, a.size_);
    return sum / (kSquaredUnits * static_cast<double>(a.size_));
}

double Descriptors::least_distance(const Descriptors &a, std::size_t i, const Descriptors &b, std::size_t j)
{
    // A box's mean is off by less than a unit after truncation, so its difference by less than one.
    std::uint32_t sum = 0;
    const std::int16_t *p = a.coarse_.data() + i * a.coarse_size_, *q = b.coarse_.data() + j * b.coarse_size_;
    for (std::size_t k = 0; k < a.coarse_size_; ++k) {
        const int difference = std::max(0, std::abs(p[k] - q[k]) - 1);
        sum += static_cast<std::uint32_t>(difference * difference);
    }
    // The squares of a box add up to at least its size times that of its mean.
    return sum / (kSquaredUnits * static_cast<double>(a.size_));
}

} // namespace vmaf::tool
