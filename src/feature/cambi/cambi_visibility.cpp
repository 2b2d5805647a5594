#include "feature/cambi/cambi_visibility.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vmaf {
namespace {

constexpr int kBlack = 64;
constexpr int kWhite = 940;

double bt1886(double v)
{
    const double white = std::pow(300.0, 1.0 / 2.4), black = std::pow(0.01, 1.0 / 2.4);
    const double lift = black / (white - black);
    return std::pow(white - black, 2.4) * std::pow(std::max(v + lift, 0.0), 2.4);
}

double pq(double v)
{
    const double x = std::pow(v, 1.0 / 78.84375);
    return 10000.0 * std::pow(std::max(x - 0.8359375, 0.0) / (18.8515625 - 18.6875 * x), 1.0 / 0.1593017578125);
}

/// The luminance of each 10-bit value from black to white.
class Luminance {
  public:
    explicit Luminance(std::string_view eotf)
    {
        for (int value = kBlack; value <= kWhite; ++value) {
            const double v = static_cast<double>(value - kBlack) / (kWhite - kBlack);
            of_[value - kBlack] = eotf == "pq" ? pq(v) : bt1886(v);
        }
    }
    double operator()(int value) const { return of_[std::clamp(value, kBlack, kWhite) - kBlack]; }

  private:
    std::array<double, kWhite - kBlack + 1> of_;
};

int visible_up_to(const Luminance &luminance, int step, double threshold)
{
    const auto seen = [&](int value) {
        return luminance(value + step) - luminance(value) > threshold * luminance(value);
    };
    const int top = kWhite - step - 1;
    if (!seen(kBlack))
        return 0;
    if (seen(top) && seen(top + 1))
        return static_cast<int>(kCambiMaxSample) - 1;
    int value = kBlack;
    while (value < top && !(seen(value) && !seen(value + 1)))
        ++value;
    return value;
}

int lowest_visible(const Luminance &luminance, double threshold)
{
    int value = kBlack;
    while (value < kWhite && !(luminance(value) >= threshold))
        ++value;
    return value == kBlack ? 0 : value;
}

} // namespace

bool is_cambi_eotf(std::string_view name)
{
    return name == "bt1886" || name == "pq";
}

int CambiVisibility::first_step(int value) const
{
    int step = std::max(1, lowest_visible - steps - value + 1);
    while (step <= steps && value > tvi[step])
        ++step;
    return std::min(step, steps + 1);
}

CambiVisibility cambi_visibility(std::string_view eotf, int steps, double tvi_threshold, double luminance_threshold)
{
    const Luminance luminance(eotf);
    CambiVisibility visibility{steps, {}, lowest_visible(luminance, luminance_threshold)};
    for (int step = 1; step <= steps; ++step)
        visibility.tvi[step] = visible_up_to(luminance, step, tvi_threshold);
    return visibility;
}

std::vector<float> cambi_reciprocals()
{
    std::vector<float> table(kCambiMaxCount + 1, 0.0F);
    for (unsigned n = 1; n <= kCambiMaxCount; ++n) {
        char text[32];
        const auto written = std::to_chars(text, text + sizeof text, 1.0 / n, std::chars_format::general, 9);
        std::from_chars(text, written.ptr, table[n]);
    }
    return table;
}

} // namespace vmaf
