#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "feature/feature.h"
#include "feature/feature_runner.h"

/// Colours as videos store them, in double precision from the standards. Nothing of the library is
/// used.
namespace vmaf::test {

using Colour = std::array<double, 3>;

inline Colour transformed(const double (&matrix)[3][3], const Colour &c)
{
    Colour result{};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * c[j];
    return result;
}

// Computed from the chromaticities of ITU-R BT.709, BT.2020 and P3-D65, in exact fractions.
inline constexpr double kBt709ToBt2020[3][3] = {{0.627403895935, 0.329283038378, 0.043313065687},
                                                {0.069097289358, 0.919540395075, 0.011362315566},
                                                {0.016391438875, 0.088013307877, 0.895595253248}};
inline constexpr double kBt2020ToBt709[3][3] = {{1.660491002108, -0.587641138789, -0.072849863320},
                                                {-0.124550474522, 1.132899897126, -0.008349422604},
                                                {-0.018150763355, -0.100578898008, 1.118729661363}};
inline constexpr double kP3ToBt709[3][3] = {{1.224940176281, -0.224940176281, 0},
                                            {-0.042056954710, 1.042056954710, 0},
                                            {-0.019637554590, -0.078636045551, 1.098273600141}};
inline constexpr double kBt709ToP3[3][3] = {{0.822461968714, 0.177538031286, 0},
                                            {0.033194198851, 0.966805801149, 0},
                                            {0.017082630721, 0.072397440664, 0.910519928615}};

inline double srgb_decoded(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
inline double srgb_encoded(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

/// Signal of SMPTE ST 2084 for light in cd/m2.
inline double pq_encoded(double light)
{
    const double y = std::pow(light / 10000, 0.1593017578125);
    return std::pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375);
}

/// ITU-R BT.2100's OETF after the inverse of a display's system gamma. Light is relative to that
/// display's peak.
inline Colour hlg_encoded(const Colour &light, double gamma)
{
    constexpr double kA = 0.17883277, kB = 0.28466892, kC = 0.55991073;
    const double luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2];
    Colour result{};
    for (unsigned i = 0; i < 3; ++i) {
        const double scene = luminance > 0 ? light[i] * std::pow(luminance, (1 - gamma) / gamma) : 0;
        result[i] = scene <= 1.0 / 12 ? std::sqrt(3 * scene) : kA * std::log(12 * scene - kB) + kC;
    }
    return result;
}

/// Ways to store R'G'B': values of the option yuv_matrix.
struct Storage {
    int yuv_matrix;
    unsigned bpc;

    bool is_full() const { return yuv_matrix == 2 || yuv_matrix == 3 || yuv_matrix == 5; }

    /// ITU-T H.273's Y, Cb, Cr.
    std::array<unsigned, 3> samples(const Colour &rgb) const
    {
        const double kr = yuv_matrix >= 4 ? 0.2627 : yuv_matrix % 2 == 1 ? 0.299 : 0.2126;
        const double kb = yuv_matrix >= 4 ? 0.0593 : yuv_matrix % 2 == 1 ? 0.114 : 0.0722;
        const double y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
        const double u = (rgb[2] - y) / (2 * (1 - kb)), v = (rgb[0] - y) / (2 * (1 - kr));
        const double peak = (1U << bpc) - 1, unit = 1U << (bpc - 8), middle = 1U << (bpc - 1);
        const auto sample = [peak](double value) {
            return static_cast<unsigned>(std::clamp(std::floor(value + 0.5), 0.0, peak));
        };
        if (is_full())
            return {sample(peak * y), sample(peak * u + middle), sample(peak * v + middle)};
        return {sample(unit * (219 * y + 16)), sample(unit * 224 * u + middle), sample(unit * 224 * v + middle)};
    }
};

/// A pair of pictures without subsampling. Colours are functions R'G'B' of a picture (0:
/// reference), x and y.
class StoredPair {
  public:
    template <class Encoded>
    StoredPair(const Storage &storage, unsigned width, unsigned height, const Encoded &encoded)
        : format_{VMAF_PIX_FMT_YUV444P, storage.bpc, width, height}
    {
        for (unsigned picture = 0; picture < 2; ++picture) {
            pictures_.push_back(std::make_unique<TestPicture>(format_));
            pictures_.back()->fill(
                [&](unsigned plane, unsigned x, unsigned y) { return storage.samples(encoded(picture, x, y))[plane]; });
        }
        for (unsigned plane = 0; plane < 3; ++plane) {
            planes_.ref[plane] = pictures_[0]->plane(plane);
            planes_.dis[plane] = pictures_[1]->plane(plane);
        }
    }

    const FramePlanes &planes() const { return planes_; }
    const PictureFormat &format() const { return format_; }

  private:
    PictureFormat format_;
    std::vector<std::unique_ptr<TestPicture>> pictures_;
    FramePlanes planes_;
};

/// R'G'B' of a smooth picture in many colours, and of a copy with blocks of steps, as after a
/// coarse encode.
inline Colour smooth_colour(unsigned picture, unsigned x, unsigned y)
{
    const unsigned shown_x = picture == 0 ? x : x / 4 * 4 + 1, shown_y = picture == 0 ? y : y / 4 * 4 + 1;
    Colour colour{};
    for (unsigned i = 0; i < 3; ++i)
        colour[i] = 0.5 + 0.4 * std::sin(0.11 * shown_x + 1.7 * i) * std::cos(0.07 * shown_y - 0.9 * i);
    return colour;
}

/// The pictures of smooth_colour() as R'G'B' in another transfer and other primaries.
struct OtherEncoding {
    const char *transfer, *primaries;                ///< values of the options
    const double (*matrix)[3];                       ///< from BT.709's primaries; null: no conversion
    Colour (*encoded)(const Colour &relative_light); ///< 1 is the white of SDR

    Colour operator()(unsigned picture, unsigned x, unsigned y) const
    {
        Colour light = smooth_colour(picture, x, y);
        for (double &channel : light)
            channel = srgb_decoded(channel);
        return encoded(matrix != nullptr ? transformed(*reinterpret_cast<const double(*)[3][3]>(matrix), light)
                                         : light);
    }
};

template <double (*curve)(double)> Colour encoded_by(const Colour &light)
{
    return {curve(light[0]), curve(light[1]), curve(light[2])};
}
inline double pq_of_white_203(double light)
{
    return pq_encoded(203 * light);
}
inline double pure_power(double light)
{
    return std::pow(light, 1 / 2.4);
}
inline double as_it_is(double light)
{
    return light;
}
/// HLG signal of SDR light with white at 203 cd/m2, for a display with a peak of 1000 cd/m2.
inline Colour hlg_of_white_203(const Colour &light)
{
    return hlg_encoded({0.203 * light[0], 0.203 * light[1], 0.203 * light[2]}, 1.2);
}

inline constexpr OtherEncoding kOtherEncodings[] = {
    {"sdr", "bt709", nullptr, encoded_by<srgb_encoded>},
    {"bt1886", "bt709", nullptr, encoded_by<pure_power>},
    {"linear", "bt709", nullptr, encoded_by<as_it_is>},
    {"pq", "bt709", nullptr, encoded_by<pq_of_white_203>},
    {"srgb", "bt2020", kBt709ToBt2020, encoded_by<srgb_encoded>},
    {"pq", "bt2020", kBt709ToBt2020, encoded_by<pq_of_white_203>},
    {"hlg", "bt2020", kBt709ToBt2020, hlg_of_white_203},
    {"srgb", "p3", kBt709ToP3, encoded_by<srgb_encoded>},
    {"pq", "p3", kBt709ToP3, encoded_by<pq_of_white_203>},
    {"hlg", "p3", kBt709ToP3, hlg_of_white_203},
};

} // namespace vmaf::test
