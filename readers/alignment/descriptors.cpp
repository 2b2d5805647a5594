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

constexpr unsigned kBefore = 2; ///< small samples before the first of an output's taps
constexpr unsigned kPairs = kTaps.size() / 2;

/// The small sample that an output's tap takes, along a row or a column of so many: those outside
/// are the one at the edge.
unsigned sample_at(unsigned output, std::size_t tap, unsigned size)
{
    const int i = static_cast<int>(2 * output + tap) - static_cast<int>(kBefore);
    return static_cast<unsigned>(std::clamp(i, 0, static_cast<int>(size) - 1));
}

/// Smooths and halves frames, one after the other.
class Smoothing {
  public:
    explicit Smoothing(const SmallGrid &grid)
        : grid_(grid), width_(half(grid.width_px)), even_(width_ + kPairs - 1), odd_(even_.size()),
          rows_(std::size_t{width_} * grid.height_px), sums_(width_)
    {
    }

    void operator()(std::span<const std::uint8_t> in, std::int16_t *out)
    {
        for (unsigned y = 0; y < grid_.height_px; ++y)
            halve_row(in.data() + y * std::size_t{grid_.width_px}, rows_.data() + y * std::size_t{width_});
        constexpr int kDivisor = kTapsSum * kTapsSum / kUnits;
        for (unsigned y = 0; y < half(grid_.height_px); ++y, out += width_) {
            std::ranges::fill(sums_, kDivisor / 2);
            for (std::size_t tap = 0; tap < kTaps.size(); ++tap) {
                const int *const row = rows_.data() + sample_at(y, tap, grid_.height_px) * std::size_t{width_};
                for (unsigned x = 0; x < width_; ++x)
                    sums_[x] += kTaps[tap] * row[x];
            }
            for (unsigned x = 0; x < width_; ++x)
                out[x] = static_cast<std::int16_t>(sums_[x] / kDivisor);
        }
    }

  private:
    /// Loops that compilers vectorise: samples at even and odd places lie apart, with those at the
    /// edges repeated.
    void halve_row(const std::uint8_t *in, int *out)
    {
        for (unsigned i = 0; i < even_.size(); ++i) {
            even_[i] = in[sample_at(i, 0, grid_.width_px)];
            odd_[i] = in[sample_at(i, 1, grid_.width_px)];
        }
        std::fill_n(out, width_, 0);
        for (unsigned pair = 0; pair < kPairs; ++pair) {
            const int *const even = even_.data() + pair, *const odd = odd_.data() + pair;
            for (unsigned x = 0; x < width_; ++x)
                out[x] += kTaps[2 * pair] * even[x] + kTaps[2 * pair + 1] * odd[x];
        }
    }

    SmallGrid grid_;
    unsigned width_;
    std::vector<int> even_, odd_; ///< a row's samples
    std::vector<int> rows_;       ///< of half the width and the full height
    std::vector<int> sums_;       ///< of a row
};

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
std::uint32_t sum_of_squares(const std::int16_t *a, const std::int16_t *b, std::size_t size)
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
    Smoothing smooth(luma.grid);
    for (std::size_t i = 0; i < frames_; ++i) {
        std::int16_t *frame = samples_.data() + i * size_;
        smooth(luma.frame(i), frame);
        shrink(frame, width, height, coarse_.data() + i * coarse_size_);
        std::int64_t sum = 0, squares = 0;
        for (std::size_t k = 0; k < size_; ++k) {
            sum += frame[k];
            squares += frame[k] * frame[k];
        }
        const auto n = static_cast<double>(size_);
        const double mean = static_cast<double>(sum) / n;
        variances_[i] = (static_cast<double>(squares) / n - mean * mean) / kSquaredUnits;
    }
}

double Descriptors::distance(const Descriptors &a, std::size_t i, const Descriptors &b, std::size_t j)
{
    const std::uint32_t sum = sum_of_squares(a.samples_.data() + i * a.size_, b.samples_.data() + j * b.size_, a.size_);
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
