#include "cli/small_films.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace vmaf::test {
namespace {

constexpr unsigned kWidth = 48, kHeight = 27, kShot = 60;

struct Wave {
    double x, y, phase;
};

/// Smooth and aperiodic: waves of several lengths.
class Texture {
  public:
    explicit Texture(unsigned shot)
    {
        std::minstd_rand random(shot + 1);
        std::uniform_real_distribution<double> frequency(-0.9, 0.9), phase(0, 6.3);
        for (Wave &wave : waves_)
            wave = {frequency(random), frequency(random), phase(random)};
    }

    double at(double x, double y) const
    {
        double value = 0;
        for (const Wave &wave : waves_)
            value += std::sin(wave.x * x + wave.y * y + wave.phase);
        return value;
    }

  private:
    std::array<Wave, 4> waves_{};
};

/// A texture that moves slowly behind one that moves faster.
std::vector<double> picture_of(int picture)
{
    if (picture == kBlack)
        return std::vector<double>(std::size_t{kWidth} * kHeight, 16);
    const auto shot = static_cast<unsigned>(picture) / kShot;
    const Texture back(shot), front(1000 + shot);
    std::vector<double> samples;
    for (unsigned y = 0; y < kHeight; ++y)
        for (unsigned x = 0; x < kWidth; ++x) {
            const double column = x - 0.9 * picture;
            const bool is_front = std::fmod(column + 4800, 48) < 15 && y > 6 && y < 20;
            samples.push_back(120 + 25 * (is_front ? front.at(column, y) : back.at(x + 0.2 * picture, y)));
        }
    return samples;
}

std::uint8_t code(double value)
{
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

} // namespace

std::vector<int> pictures(int first, int count)
{
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), first);
    return all;
}

tool::SmallLuma small_film(const std::vector<int> &pictures, double noise, unsigned seed)
{
    tool::SmallLuma film{{kWidth, kHeight}, 0, {}};
    std::minstd_rand random(seed);
    std::normal_distribution<double> grain(0, 1);
    for (const int picture : pictures)
        for (const double sample : picture_of(picture))
            film.samples.push_back(code(sample + noise * grain(random)));
    return film;
}

tool::SmallLuma encoded(tool::SmallLuma film, double error, unsigned seed)
{
    constexpr std::size_t kFrames = 5; // in which errors stay
    std::minstd_rand random(seed);
    std::normal_distribution<double> level(0, error);
    std::vector<double> errors(film.frame_size());
    for (std::size_t i = 0; i < film.samples.size(); ++i) {
        double &own = errors[i % errors.size()];
        if (i / errors.size() % kFrames == 0)
            own = level(random);
        film.samples[i] = code(film.samples[i] + own);
    }
    return film;
}

} // namespace vmaf::test
