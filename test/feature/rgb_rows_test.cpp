#include "feature/common/rgb_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "feature/common/colour_options.h"
#include "feature/stored_rgb.h"
#include "support/cpu_targets.h"

// Compares rows with spec ssimulacra2 3.1 and 3.2, written out in double precision.

namespace vmaf {
namespace {

struct Colour {
    double kr, kg, kb;
    bool full_range;
};
constexpr std::array<Colour, 6> kMatrices{{{0.2126, 0.7152, 0.0722, false},
                                           {0.299, 0.587, 0.114, false},
                                           {0.2126, 0.7152, 0.0722, true},
                                           {0.299, 0.587, 0.114, true},
                                           {0.2627, 0.6780, 0.0593, false},
                                           {0.2627, 0.6780, 0.0593, true}}};

/// A picture of random samples.
struct Picture {
    Picture(const PictureFormat &picture_format, std::mt19937 &random) : format(picture_format)
    {
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
            samples[plane].resize(std::size_t{width} * height);
            for (std::uint16_t &sample : samples[plane])
                sample = static_cast<std::uint16_t>(random() % (1U << format.bpc));
            bytes[plane].assign(samples[plane].begin(), samples[plane].end());
            const bool narrow = format.bpc == 8;
            views[plane] = {narrow ? reinterpret_cast<const std::byte *>(bytes[plane].data())
                                   : reinterpret_cast<const std::byte *>(samples[plane].data()),
                            static_cast<std::ptrdiff_t>(width * format.sample_bytes()), width, height, format.bpc};
        }
    }

    double chroma(unsigned plane, unsigned x, unsigned y) const
    {
        const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
        const unsigned column = width == format.width ? x : std::min(x / 2, width - 1);
        const unsigned row = height == format.height ? y : std::min(y / 2, height - 1);
        return samples[plane][row * width + column];
    }

    std::array<double, 3> rgb(unsigned x, unsigned y, const Colour &colour) const
    {
        const double peak = (1U << format.bpc) - 1;
        const double luma = samples[0][y * format.width + x] / peak;
        const double scale = colour.full_range ? 1 : 255.0 / 224;
        const bool grey = format.plane_count() == 1;
        const double u = grey ? 0 : (chroma(1, x, y) / peak - 0.5) * scale;
        const double v = grey ? 0 : (chroma(2, x, y) / peak - 0.5) * scale;
        const double l = colour.full_range ? luma : (luma - 16.0 / 255) * 255 / 219;
        const auto &[kr, kg, kb, full] = colour;
        return {std::clamp(l + 2 * (1 - kr) * v, 0.0, 1.0),
                std::clamp(l - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v, 0.0, 1.0),
                std::clamp(l + 2 * (1 - kb) * u, 0.0, 1.0)};
    }

    PictureFormat format;
    std::vector<std::uint16_t> samples[3];
    std::vector<std::uint8_t> bytes[3];
    PlaneView views[3];
};

double linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

using Channels = std::array<std::vector<float>, 3>;

/// Calls check(y, encoded, light) with the results for each row of the picture.
template <class Check> void for_each_row(const RgbRows &rows, const Picture &picture, Check check)
{
    Channels encoded, light;
    for (Channels *row : {&encoded, &light})
        for (std::vector<float> &channel : *row)
            channel.resize(picture.format.width + 1);
    for (unsigned y = 0; y < picture.format.height; ++y) {
        rows.encoded(picture.views, y, {{encoded[0].data(), encoded[1].data(), encoded[2].data()}});
        rows.linear(picture.views, y, {{light[0].data(), light[1].data(), light[2].data()}});
        check(y, encoded, light);
    }
}

void expect_rows(const Picture &picture, int matrix)
{
    const PictureFormat &format = picture.format;
    const RgbRows rows(format, yuv_matrix(matrix, format.bpc), Light(LightSignal()), cpu_target(0));
    const unsigned channels = rows.grey() ? 1 : 3;
    EXPECT_EQ(rows.grey(), format.plane_count() == 1);
    for_each_row(rows, picture, [&](unsigned y, const Channels &encoded, const Channels &light) {
        for (unsigned x = 0; x < format.width; ++x) {
            const std::array<double, 3> expected = picture.rgb(x, y, kMatrices[static_cast<std::size_t>(matrix)]);
            for (unsigned c = 0; c < channels; ++c) {
                ASSERT_NEAR(encoded[c][x], expected[c], 3e-7) << x << ", " << y << ", channel " << c;
                ASSERT_NEAR(light[c][x], linear(expected[c]), 1e-6) << x << ", " << y << ", channel " << c;
            }
        }
    });
}

TEST(RgbRows, EveryMatrixFormatAndDepthIsThatOfTheChapter)
{
    std::mt19937 random(1);
    for (int matrix = 0; matrix < static_cast<int>(kMatrices.size()); ++matrix)
        for (const VmafPixelFormat pix_fmt :
             {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
            for (unsigned bpc = 8; bpc <= 16; ++bpc) {
                SCOPED_TRACE("matrix " + std::to_string(matrix) + ", format " + std::to_string(pix_fmt) + ", " +
                             std::to_string(bpc) + " bit");
                expect_rows(Picture({pix_fmt, bpc, 37, 9}, random), matrix);
            }
}

// ---- spec hdr 1 and 5 ----

double table_light(const char *transfer, double v)
{
    const std::string name = transfer;
    if (name == "bt1886")
        return std::pow(v, 2.4);
    if (name == "pq") {
        const double t = std::pow(v, 1 / 78.84375);
        return 10000.0 / 203 * std::pow(std::max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125);
    }
    if (name == "hlg")
        return v <= 0.5 ? v * v / 3 : (std::exp((v - 0.55991072953) / 0.17883277) + 0.28466892) / 12;
    return name == "linear" ? v : linear(v);
}

/// Relative light of BT.709's primaries from R'G'B' of others.
std::array<double, 3> relative(const char *transfer, const double (*matrix)[3], const std::array<double, 3> &encoded)
{
    std::array<double, 3> light{}, result{};
    for (unsigned c = 0; c < 3; ++c)
        light[c] = table_light(transfer, encoded[c]);
    if (std::string(transfer) == "hlg") {
        const double luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2];
        for (double &channel : light)
            channel *= 1000.0 / 203 * std::pow(luminance, 0.2);
    }
    for (unsigned c = 0; c < 3; ++c) {
        for (unsigned i = 0; i < 3; ++i)
            result[c] += (matrix != nullptr ? matrix[c][i] : c == i ? 1 : 0) * light[i];
        result[c] = std::max(result[c], 0.0);
    }
    return result;
}

void expect_light(const Picture &picture, const char *transfer, const char *primaries, const double (*matrix)[3],
                  CpuTarget target)
{
    const PictureFormat &format = picture.format;
    const RgbRows rows(format, yuv_matrix(5, format.bpc), Light(relative_light(transfer, primaries)), target);
    for_each_row(rows, picture, [&](unsigned y, const Channels &encoded, const Channels &light) {
        for (unsigned x = 0; x < format.width; ++x) {
            const std::array<double, 3> rgb{encoded[0][x], encoded[rows.grey() ? 0 : 1][x],
                                            encoded[rows.grey() ? 0 : 2][x]};
            const std::array<double, 3> expected = relative(transfer, matrix, rgb);
            const double largest = *std::ranges::max_element(expected);
            for (unsigned c = 0; c < (rows.grey() ? 1U : 3U); ++c)
                ASSERT_NEAR(light[c][x], expected[c], 4e-6 * largest + 1e-7) << x << ", " << y << ", channel " << c;
        }
    });
}

TEST(RgbRows, EveryTransferAndPrimariesAreThoseOfTheChapter)
{
    std::mt19937 random(2);
    for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV444P})
        for (const unsigned bpc : {8U, 10U, 16U}) {
            const Picture picture({pix_fmt, bpc, 37, 9}, random);
            for (const char *transfer : {"sdr", "srgb", "bt1886", "pq", "hlg", "linear"})
                for (const auto &[primaries, matrix] : {std::pair{"bt709", static_cast<const double(*)[3]>(nullptr)},
                                                        {"bt2020", test::kBt2020ToBt709},
                                                        {"p3", test::kP3ToBt709}})
                    for (const CpuTarget target : test::targets()) {
                        SCOPED_TRACE(std::string(transfer) + ", " + primaries + ", format " + std::to_string(pix_fmt) +
                                     ", " + std::to_string(bpc) + " bit");
                        expect_light(picture, transfer, primaries, matrix, target);
                    }
        }
}

} // namespace
} // namespace vmaf
