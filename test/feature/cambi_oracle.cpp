#include "feature/cambi_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace vmaf::test {
namespace {

/// A plane of ints. Samples beyond its borders are `outside`.
struct Grid {
    int width, height;
    std::vector<int> values;

    Grid(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w) * h) {}
    int &at(int x, int y) { return values[static_cast<std::size_t>(y) * width + x]; }
    int at(int x, int y) const { return values[static_cast<std::size_t>(y) * width + x]; }
    int or_outside(int x, int y, int outside) const
    {
        return x < 0 || y < 0 || x >= width || y >= height ? outside : at(x, y);
    }
};

Grid made(int width, int height, const std::function<int(int x, int y)> &value)
{
    Grid grid(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            grid.at(x, y) = value(x, y);
    return grid;
}

std::vector<int> positions(int from, int to)
{
    std::vector<int> list;
    const float step = static_cast<float>(from) / static_cast<float>(to);
    float at = static_cast<float>(static_cast<double>(step / 2) - 0.5);
    for (int i = 0; i < to; ++i, at = at + step)
        list.push_back(std::min(static_cast<int>(static_cast<double>(at) + 0.5), from - 1));
    return list;
}

Grid ten_bits(const PlaneView &luma, int width, int height)
{
    const std::vector<int> columns = positions(static_cast<int>(luma.width_px), width);
    const std::vector<int> rows = positions(static_cast<int>(luma.height_px), height);
    const int bits = static_cast<int>(luma.bpc);
    return made(width, height, [&](int x, int y) {
        const auto row = static_cast<unsigned>(rows[y]);
        const int sample =
            bits == 8 ? luma.row<std::uint8_t>(row)[columns[x]] : luma.row<std::uint16_t>(row)[columns[x]];
        return bits <= 10 ? sample << (10 - bits) : (sample + (1 << (bits - 11))) >> (bits - 10);
    });
}

Grid anti_dithered(const Grid &a)
{
    return made(a.width, a.height, [&](int x, int y) {
        const bool last_column = x == a.width - 1, last_row = y == a.height - 1;
        if (last_column && last_row)
            return a.at(x, y);
        if (last_column)
            return (a.at(x, y) + a.at(x, y + 1)) >> 1;
        if (last_row)
            return (a.at(x, y) + a.at(x + 1, y)) >> 1;
        return (a.at(x, y) + a.at(x + 1, y) + a.at(x, y + 1) + a.at(x + 1, y + 1)) >> 2;
    });
}

int mask_threshold(int width, int height)
{
    const int blocks = (width >> 6) * (height >> 6);
    int log2 = 0;
    while ((1 << log2) < blocks)
        ++log2;
    return (48 + 3 * (log2 - 11)) >> 1;
}

Grid mask_of(const Grid &a, int threshold)
{
    const Grid z = made(a.width, a.height, [&](int x, int y) {
        return (x == a.width - 1 || a.at(x, y) == a.at(x + 1, y)) &&
               (y == a.height - 1 || a.at(x, y) == a.at(x, y + 1));
    });
    return made(a.width, a.height, [&](int x, int y) {
        int sum = 0;
        for (int dy = -3; dy <= 3; ++dy)
            for (int dx = -3; dx <= 3; ++dx)
                sum += z.or_outside(x + dx, y + dy, 0);
        return sum > threshold;
    });
}

Grid halved(const Grid &a)
{
    return made((a.width + 1) >> 1, (a.height + 1) >> 1, [&](int x, int y) { return a.at(2 * x, 2 * y); });
}

int mode3(int a, int b, int c)
{
    if (a == b || a == c)
        return a;
    return b == c ? b : std::min({a, b, c});
}

Grid mode_filtered(const Grid &p)
{
    if (p.height < 3)
        return p;
    const Grid t = made(p.width, p.height, [&](int x, int y) {
        return x == 0 || x == p.width - 1 ? p.at(x, y) : mode3(p.at(x - 1, y), p.at(x, y), p.at(x + 1, y));
    });
    return made(p.width, p.height, [&](int x, int y) {
        return y == 0 || y == p.height - 1 ? p.at(x, y) : mode3(t.at(x, y - 1), t.at(x, y), t.at(x, y + 1));
    });
}

double luminance(int value, bool pq)
{
    const double v = (std::min(std::max(value, 64), 940) - 64) / 876.0;
    if (pq) {
        const double x = std::pow(v, 1 / 78.84375);
        return 10000 * std::pow(std::max(x - 0.8359375, 0.0) / (18.8515625 - 18.6875 * x), 1 / 0.1593017578125);
    }
    const double p = std::pow(300, 1 / 2.4), q = std::pow(0.01, 1 / 2.4);
    return std::pow(p - q, 2.4) * std::pow(std::max(v + q / (p - q), 0.0), 2.4);
}

int tvi(int d, const CambiOracleOptions &options)
{
    const auto seen = [&](int v) {
        const double low = luminance(v, options.pq);
        return luminance(v + d, options.pq) - low > options.tvi_threshold * low;
    };
    const int top = 940 - d - 1;
    if (!seen(64))
        return 0;
    if (!seen(65))
        return 64;
    if (seen(top))
        return seen(top + 1) ? 1023 : top;
    for (int v = 64; v < top; ++v)
        if (seen(v) && !seen(v + 1))
            return v;
    return -1;
}

int lowest_visible(const CambiOracleOptions &options)
{
    int v = 64;
    while (v < 940 && !(luminance(v, options.pq) >= options.luminance_threshold))
        ++v;
    return v == 64 ? 0 : v;
}

float reciprocal(int n)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", 1.0 / n);
    return std::strtof(text, nullptr);
}

/// Values that depend on the options alone.
struct Tables {
    int steps, vl;
    std::vector<int> tvi{0};
    std::vector<float> reciprocals{0};

    Tables(const CambiOracleOptions &options, int window) : steps(options.steps), vl(lowest_visible(options))
    {
        for (int d = 1; d <= steps; ++d)
            tvi.push_back(test::tvi(d, options));
        for (int n = 1; n <= window * window; ++n)
            reciprocals.push_back(reciprocal(n));
    }
};

constexpr int kWeights[] = {1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                            8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

std::vector<float> c_values(const Grid &picture, const Grid &mask, int window, const Tables &tables)
{
    constexpr int kNegative = 64; // values below 0 have no pixels
    std::vector<int> n(kNegative + 1024 + 64 + 1);
    std::vector<float> result;
    const int reach = window >> 1;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            float c = 0;
            if (mask.at(x, y) != 0) {
                std::fill(n.begin(), n.end(), 0);
                for (int j = std::max(0, y - reach); j <= std::min(picture.height - 1, y + reach); ++j)
                    for (int i = std::max(0, x - reach); i <= std::min(picture.width - 1, x + reach); ++i)
                        n[kNegative + picture.at(i, j)] += mask.at(i, j);
                const int v = picture.at(x, y);
                for (int d = 1; d <= tables.steps; ++d)
                    if (v <= tables.tvi[d] && v + tables.steps + d > tables.vl) {
                        const int same = n[kNegative + v], m = std::max(n[kNegative + v + d], n[kNegative + v - d]);
                        c = std::max(c, static_cast<float>(kWeights[d - 1] * same * m) * tables.reciprocals[same + m]);
                    }
            }
            result.push_back(c);
        }
    return result;
}

} // namespace

// The swaps of a pass exchange the t-th position from the left with the t-th from the right (spec
// cambi 5, (a)).
double cambi_oracle_top_sum(std::vector<float> a, std::size_t top_count)
{
    const auto k = static_cast<long>(top_count);
    long l = 0, r = static_cast<long>(a.size()) - 1;
    while (top_count < a.size() && l < r) {
        const float x = a[k];
        std::vector<long> left, right;
        for (long p = l; p <= r; ++p)
            if (a[p] <= x)
                left.push_back(p);
        for (long p = r; p >= l; --p)
            if (a[p] >= x)
                right.push_back(p);
        std::size_t swaps = 0;
        while (swaps < std::min(left.size(), right.size()) && left[swaps] <= right[swaps])
            ++swaps;
        for (std::size_t t = 0; t < swaps; ++t)
            std::swap(a[left[t]], a[right[t]]);
        const long last_left = left[swaps - 1], last_right = right[swaps - 1];
        long i = last_left + 1, j = last_left - 1;
        if (last_left != last_right) {
            i = swaps < left.size() ? std::min(left[swaps], last_right) : last_right;
            j = swaps < right.size() ? std::max(right[swaps], last_left) : last_left;
        }
        if (j < k)
            l = i;
        if (k < i)
            r = j;
    }
    return std::accumulate(a.begin(), a.begin() + k, 0.0);
}

std::uint64_t CambiOracleScale::mask_count() const
{
    return std::accumulate(mask.begin(), mask.end(), std::uint64_t{0});
}
std::uint64_t CambiOracleScale::picture_sum() const
{
    return std::accumulate(picture.begin(), picture.end(), std::uint64_t{0});
}
std::uint64_t CambiOracleScale::positive_count() const
{
    return static_cast<std::uint64_t>(std::count_if(c.begin(), c.end(), [](float value) { return value > 0; }));
}
float CambiOracleScale::kth_largest() const
{
    std::vector<float> sorted = c;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted[top_count - 1];
}
float CambiOracleScale::largest() const
{
    return *std::max_element(c.begin(), c.end());
}

CambiOracle cambi_oracle(const PlaneView &luma, const CambiOracleOptions &options)
{
    const bool resized = options.width != 0;
    Grid picture = ten_bits(luma, static_cast<int>(resized ? options.width : luma.width_px),
                            static_cast<int>(resized ? options.height : luma.height_px));
    if ((options.enc_bitdepth != 0 ? options.enc_bitdepth : luma.bpc) < 10)
        picture = anti_dithered(picture);

    CambiOracle result{};
    result.sample_sum = std::accumulate(picture.values.begin(), picture.values.end(), std::uint64_t{0});
    result.mask_threshold = mask_threshold(picture.width, picture.height);
    Grid mask = mask_of(picture, result.mask_threshold);
    result.mask_count = std::accumulate(mask.values.begin(), mask.values.end(), std::uint64_t{0});
    const int full = (static_cast<int>(options.window_size) * (picture.width + picture.height) / 375) >> 4;
    result.window = (options.half_size ? (full + 1) >> 1 : full) | 1;
    const Tables tables(options, result.window);
    double sum = 0;
    for (int scale = 0; scale < 5; ++scale) {
        if (scale > 0 || options.half_size) {
            picture = halved(picture);
            mask = halved(mask);
        }
        picture = mode_filtered(picture);
        CambiOracleScale s{picture.width, picture.height, mask.values, picture.values, {}, 0, 0};
        s.c = c_values(picture, mask, result.window, tables);
        s.top_count =
            static_cast<std::size_t>(std::max(1, static_cast<int>(options.topk * static_cast<double>(s.c.size()))));
        s.top_sum = cambi_oracle_top_sum(s.c, s.top_count);
        sum += (16 >> scale) * (s.top_sum / static_cast<double>(s.top_count));
        result.scales.push_back(std::move(s));
    }
    result.score = sum / (result.window * result.window);
    return result;
}

} // namespace vmaf::test
