#include "feature/xpsnr_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace vmaf::test {
namespace {

constexpr int kSmallKernel[3][3] = {{-1, -2, -1}, {-2, 12, -2}, {-1, -2, -1}};
constexpr int kLargeKernel[6][6] = {{0, -1, -1, -1, -1, 0},   {-1, -2, -3, -3, -2, -1}, {-1, -3, 12, 12, -3, -1},
                                    {-1, -3, 12, 12, -3, -1}, {-1, -2, -3, -3, -2, -1}, {0, -1, -1, -1, -1, 0}};

/// The sample, or outside the picture the nearest one; black without data.
std::int64_t at(const PlaneView &plane, int x, int y)
{
    if (plane.data == nullptr)
        return 0;
    const auto column = static_cast<unsigned>(std::clamp(x, 0, static_cast<int>(plane.width_px) - 1));
    const auto row = static_cast<unsigned>(std::clamp(y, 0, static_cast<int>(plane.height_px) - 1));
    return plane.bpc == 8 ? std::int64_t{plane.row<std::uint8_t>(row)[column]}
                          : std::int64_t{plane.row<std::uint16_t>(row)[column]};
}

class Picture {
  public:
    Picture(const FramePlanes &planes, const PictureFormat &format, bool second_order)
        : planes_(planes), format_(format), second_order_(second_order), width_(static_cast<int>(format.width)),
          height_(static_cast<int>(format.height)),
          relative_(static_cast<double>(std::int64_t{width_} * height_) / 8294400.0),
          block_(4 * static_cast<int>(32.0 * std::sqrt(relative_) + 0.5)),
          m_(std::int64_t{width_} * height_ > 2359296 ? 2 : 1)
    {
    }

    std::uint64_t error(unsigned plane)
    {
        if (block_ == 0)
            return sse(plane, 0, 0, 1 << 16, 1 << 16);
        if (weights_.empty())
            make_weights();
        const int across = plane > 0 && format_.plane_width(1) < format_.width ? 1 : 0;
        const int down = plane > 0 && format_.plane_height(1) < format_.height ? 1 : 0;
        double sum = 0;
        for (int j = 0; j < ny(); ++j)
            for (int i = 0; i < nx(); ++i)
                sum += static_cast<double>(
                           sse(plane, i * (block_ >> across), j * (block_ >> down), block_ >> across, block_ >> down)) *
                       weights_[static_cast<std::size_t>(j * nx() + i)];
        const double scale =
            std::sqrt(16.0 * std::pow(2.0, static_cast<int>(2 * format_.bpc) - 9) / std::sqrt(relative_));
        return sum > 0 ? static_cast<std::uint64_t>(sum * scale + 0.5) : 0;
    }

  private:
    int nx() const { return (width_ + block_ - 1) / block_; }
    int ny() const { return (height_ + block_ - 1) / block_; }

    std::uint64_t sse(unsigned plane, int left, int top, int width, int height) const
    {
        std::uint64_t sum = 0;
        for (int y = top; y < std::min(top + height, static_cast<int>(format_.plane_height(plane))); ++y)
            for (int x = left; x < std::min(left + width, static_cast<int>(format_.plane_width(plane))); ++x) {
                const std::int64_t difference = at(planes_.ref[plane], x, y) - at(planes_.dis[plane], x, y);
                sum += static_cast<std::uint64_t>(difference * difference);
            }
        return sum;
    }

    std::int64_t f(int x, int y) const
    {
        std::int64_t sum = 0;
        if (m_ == 1) {
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    sum += kSmallKernel[row][column] * at(planes_.ref[0], x - 1 + column, y - 1 + row);
        } else {
            for (int row = 0; row < 6; ++row)
                for (int column = 0; column < 6; ++column)
                    sum += kLargeKernel[row][column] * at(planes_.ref[0], x - 2 + column, y - 2 + row);
        }
        return std::abs(sum);
    }

    std::int64_t v(int x, int y) const
    {
        const std::int64_t r = at(planes_.ref[0], x, y), p1 = at(planes_.earlier[0].ref[0], x, y);
        return second_order_ ? r - 2 * p1 + at(planes_.earlier[1].ref[0], x, y) : r - p1;
    }

    double weight(int i, int j) const
    {
        const int x0 = i * block_, y0 = j * block_, bw = std::min(block_, width_ - x0),
                  bh = std::min(block_, height_ - y0);
        const int xs = i == 0 ? m_ : 0, xe = bw - (i == nx() - 1 ? m_ : 0);
        const int ys = j == 0 ? m_ : 0, ye = bh - (j == ny() - 1 ? m_ : 0);
        if (xe <= xs || ye <= ys)
            return 1;
        std::int64_t spatial = 0, temporal = 0;
        for (int y = ys; y < ye; y += m_)
            for (int x = xs; x < xe; x += m_)
                spatial += f(x0 + x, y0 + y);
        if (m_ == 2 && xe <= 12)
            spatial = 0;
        for (int y = 0; y < bh; y += m_)
            for (int x = 0; x < bw; x += m_) {
                std::int64_t sum = 0;
                for (int k = 0; k < m_ * m_; ++k)
                    sum += v(std::min(x0 + x + k % m_, width_ - 1), std::min(y0 + y + k / m_, height_ - 1));
                temporal += 2 * std::abs(sum);
            }
        double a = static_cast<double>(spatial) / (static_cast<double>(xe - xs) * static_cast<double>(ye - ys));
        a = a + static_cast<double>(temporal) / (static_cast<double>(bw) * static_cast<double>(bh));
        return 1.0 / std::max(a, std::pow(2.0, static_cast<int>(format_.bpc) - 6));
    }

    void make_weights()
    {
        for (int j = 0; j < ny(); ++j)
            for (int i = 0; i < nx(); ++i)
                weights_.push_back(weight(i, j));
        if (std::int64_t{width_} * height_ > 307200)
            return;
        const int last = nx() * ny() - 1;
        const auto w = [this](int k) -> double & { return weights_[static_cast<std::size_t>(k)]; };
        for (int k = 0; k < last; ++k) {
            double limit = 0;
            if (k % nx() > 0)
                limit = std::max(limit, w(k - 1));
            if (k % nx() < nx() - 1)
                limit = std::max(limit, w(k + 1));
            if (k / nx() > 0)
                limit = std::max(limit, w(k - nx()));
            w(k) = std::min(w(k), limit);
        }
        if (last > nx())
            w(last) = std::min(w(last), std::max(w(last - 1), w(last - nx())));
    }

    const FramePlanes &planes_;
    const PictureFormat &format_;
    bool second_order_;
    int width_, height_;
    double relative_;
    int block_, m_;
    std::vector<double> weights_;
};

} // namespace

std::array<std::uint64_t, 3> xpsnr_errors(const FramePlanes &planes, const PictureFormat &format, bool second_order,
                                          bool chroma)
{
    Picture picture(planes, format, second_order);
    std::array<std::uint64_t, 3> errors{};
    for (unsigned plane = 0; plane < (chroma ? format.plane_count() : 1); ++plane)
        errors[plane] = picture.error(plane);
    return errors;
}

} // namespace vmaf::test
