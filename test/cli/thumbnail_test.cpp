#include "report/thumbnail.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <zlib.h>

#include "libvmaf/libvmaf.h"
#include "report/map_picture.h"

/// Pictures of frames in reports: PNG files, read back here by the rules of the PNG specification.
namespace vmaf::tool {
namespace {

struct Image {
    unsigned width = 0;
    unsigned height = 0;
    unsigned colour_type = 0;
    std::vector<std::uint8_t> samples;
    std::vector<std::uint8_t> palette;

    std::array<int, 3> rgb(unsigned x, unsigned y) const
    {
        const std::size_t i = std::size_t{y} * width + x;
        const std::uint8_t *const p = colour_type == 3 ? &palette[std::size_t{3} * samples[i]] : &samples[3 * i];
        return {p[0], p[1], p[2]};
    }
};

unsigned number_at(const std::string &bytes, std::size_t i)
{
    unsigned number = 0;
    for (std::size_t k = 0; k < 4; ++k)
        number = number << 8 | static_cast<unsigned char>(bytes.at(i + k));
    return number;
}

int predicted(int filter, int left, int up, int corner)
{
    switch (filter) {
    case 0:
        return 0;
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return (left + up) / 2;
    default:
        break;
    }
    const int estimate = left + up - corner;
    const int a = std::abs(estimate - left), b = std::abs(estimate - up), c = std::abs(estimate - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

Image decoded(const std::string &png)
{
    Image image;
    EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
    std::string packed;
    std::string types;
    for (std::size_t i = 8; i < png.size();) {
        const unsigned size = number_at(png, i);
        const std::string type = png.substr(i + 4, 4);
        const std::string content = png.substr(i + 8, size);
        const std::string checked = type + content;
        EXPECT_EQ(number_at(png, i + 8 + size),
                  crc32(0, reinterpret_cast<const Bytef *>(checked.data()), static_cast<uInt>(checked.size())));
        types += type + ' ';
        if (type == "IHDR") {
            image.width = number_at(content, 0);
            image.height = number_at(content, 4);
            image.colour_type = static_cast<unsigned>(content[9]);
            EXPECT_EQ(content[8], image.colour_type == 0 ? 16 : 8);
            EXPECT_EQ(content.substr(10), std::string(3, '\0'));
        } else if (type == "PLTE") {
            image.palette.assign(content.begin(), content.end());
        } else if (type == "IDAT") {
            packed += content;
        }
        i += 12 + size;
    }
    EXPECT_EQ(types, image.colour_type == 3 ? "IHDR PLTE IDAT IEND " : "IHDR IDAT IEND ");
    const std::size_t pixel_bytes = image.colour_type == 3 ? 1 : image.colour_type == 0 ? 2 : 3;
    const std::size_t row_bytes = pixel_bytes * image.width;
    std::vector<std::uint8_t> rows(image.height * (row_bytes + 1));
    uLongf size = rows.size();
    EXPECT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef *>(packed.data()), packed.size()), Z_OK);
    EXPECT_EQ(size, rows.size());
    for (std::size_t y = 0; y < image.height; ++y)
        for (std::size_t i = 0; i < row_bytes; ++i) {
            const auto at = [&](bool is_left, bool is_up) -> int {
                if ((is_left && i < pixel_bytes) || (is_up && y == 0))
                    return 0;
                return image.samples[(y - (is_up ? 1 : 0)) * row_bytes + i - (is_left ? pixel_bytes : 0)];
            };
            const int left = at(true, false), up = at(false, true), corner = at(true, true);
            const std::uint8_t *const row = &rows[y * (row_bytes + 1)];
            image.samples.push_back(static_cast<std::uint8_t>(row[1 + i] + predicted(row[0], left, up, corner)));
        }
    return image;
}

class TestPicture {
  public:
    TestPicture(VmafPixelFormat format, unsigned depth, unsigned width, unsigned height)
    {
        EXPECT_EQ(vmaf_picture_alloc(&raw_, format, depth, width, height), 0);
    }
    ~TestPicture() { vmaf_picture_unref(&raw_); }
    TestPicture(const TestPicture &) = delete;

    void set(unsigned plane, unsigned x, unsigned y, unsigned value)
    {
        auto *row = static_cast<std::uint8_t *>(raw_.data[plane]) + raw_.stride[plane] * static_cast<std::ptrdiff_t>(y);
        const auto sample = static_cast<std::uint16_t>(value);
        if (raw_.bpc == 8)
            row[x] = static_cast<std::uint8_t>(value);
        else
            std::memcpy(row + std::size_t{2} * x, &sample, sizeof sample);
    }
    void fill(unsigned luma, unsigned cb, unsigned cr)
    {
        const unsigned values[] = {luma, cb, cr};
        for (unsigned plane = 0; plane < 3; ++plane)
            for (unsigned y = 0; y < raw_.h[plane]; ++y)
                for (unsigned x = 0; x < raw_.w[plane]; ++x)
                    set(plane, x, y, values[plane]);
    }
    const VmafPicture &raw() const { return raw_; }

  private:
    VmafPicture raw_{};
};

FramePictures pictures(const TestPicture &ref, const TestPicture &dis)
{
    return frame_pictures(frame_pixels(0, ref.raw(), dis.raw(), {.crop_px = 640}));
}

void expect_near(const std::array<int, 3> &actual, const std::array<int, 3> &expected, int tolerance)
{
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

TEST(Png, HoldsThePixelsThatItWasMadeOf)
{
    for (const unsigned width : {1U, 2U, 7U, 64U})
        for (const unsigned height : {1U, 5U, 33U}) {
            std::vector<Rgb> colours;
            std::vector<std::uint8_t> indices;
            std::array<Rgb, 256> palette{};
            for (unsigned i = 0; i < 256; ++i)
                palette[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(255 - i), 7};
            for (unsigned i = 0; i < width * height; ++i) {
                const auto noise = static_cast<std::uint8_t>(i * 2654435761U >> 20);
                // Flat, smooth and noisy parts, so each filter is used for some rows.
                const auto smooth = static_cast<std::uint8_t>(i % width * 3 + i / width * 5);
                colours.push_back(i / width % 3 == 0 ? Rgb{noise, smooth, 0} : Rgb{smooth, smooth, 200});
                indices.push_back(i / width % 3 == 0 ? noise : smooth);
            }
            const Image image = decoded(png_of_colours(width, height, colours));
            ASSERT_EQ(image.width, width);
            ASSERT_EQ(image.height, height);
            const Image indexed = decoded(png_of_indices(width, height, indices, palette));
            for (unsigned i = 0; i < width * height; ++i) {
                const Rgb &colour = colours[i];
                ASSERT_EQ(image.rgb(i % width, i / width), (std::array<int, 3>{colour.r, colour.g, colour.b}));
                ASSERT_EQ(indexed.rgb(i % width, i / width), (std::array<int, 3>{indices[i], 255 - indices[i], 7}));
            }
        }
}

/// Bars of BT.709 by the recommendation's equations, rounded to 8 bits.
TEST(Thumbnail, ShowsColoursOfBt709)
{
    struct Case {
        unsigned y, cb, cr;
        std::array<int, 3> rgb;
    };
    const Case cases[] = {{235, 128, 128, {255, 255, 255}}, {16, 128, 128, {0, 0, 0}},
                          {126, 128, 128, {128, 128, 128}}, {63, 102, 240, {255, 0, 0}},
                          {173, 42, 26, {0, 255, 0}},       {32, 240, 118, {0, 0, 255}},
                          {219, 16, 138, {255, 255, 0}},    {255, 128, 128, {255, 255, 255}}};
    for (const auto &[y, cb, cr, rgb] : cases)
        for (const unsigned depth : {8U, 10U, 16U}) {
            TestPicture picture(VMAF_PIX_FMT_YUV420P, depth, 34, 18);
            picture.fill(y << (depth - 8), cb << (depth - 8), cr << (depth - 8));
            const Image image = decoded(pictures(picture, picture).reference);
            EXPECT_EQ(image.width, 34U);
            EXPECT_EQ(image.height, 18U);
            expect_near(image.rgb(0, 0), rgb, 2);
            expect_near(image.rgb(33, 17), rgb, 2);
        }
}

TEST(Thumbnail, WithoutChromaIsGrey)
{
    TestPicture picture(VMAF_PIX_FMT_YUV400P, 8, 16, 16);
    picture.fill(126, 0, 0);
    expect_near(decoded(pictures(picture, picture).distorted).rgb(3, 3), {128, 128, 128}, 1);
}

TEST(Thumbnail, IsMadeSmallByAveraging)
{
    TestPicture picture(VMAF_PIX_FMT_YUV444P, 8, 1280, 720);
    picture.fill(16, 128, 128);
    for (unsigned y = 0; y < 720; ++y)
        for (unsigned x = 0; x < 640; x += 2)
            picture.set(0, x, y, 235);
    const Image image = decoded(pictures(picture, picture).whole);
    EXPECT_EQ(image.width, kThumbnailWidthPx);
    EXPECT_EQ(image.height, 180U);
    expect_near(image.rgb(10, 90), {128, 128, 128}, 1);
    expect_near(image.rgb(159, 179), {128, 128, 128}, 1);
    expect_near(image.rgb(160, 0), {0, 0, 0}, 1);
}

TEST(Thumbnail, OfAnyShapeHasAPicture)
{
    for (const auto &[width, height] :
         {std::pair{4096U, 2U}, std::pair{2U, 4096U}, std::pair{321U, 17U}, std::pair{1U, 1U}}) {
        TestPicture picture(VMAF_PIX_FMT_YUV420P, 8, width, height);
        picture.fill(126, 128, 128);
        const Image image = decoded(pictures(picture, picture).whole);
        EXPECT_EQ(image.width, std::min(width, kThumbnailWidthPx));
        EXPECT_GE(image.height, 1U);
        expect_near(image.rgb(image.width - 1, image.height - 1), {128, 128, 128}, 1);
    }
}

/// Each pixel tells its place: luma is its column, chroma its row.
void fill_with_places(TestPicture &picture)
{
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < picture.raw().h[plane]; ++y)
            for (unsigned x = 0; x < picture.raw().w[plane]; ++x)
                picture.set(plane, x, y, plane == 0 ? 16 + x % 200 : 100 + y % 50);
}

/// The crop shows pixels unchanged: each one looks like a picture of that pixel alone.
TEST(Crop, ShowsPixelsAroundTheLargestError)
{
    struct Case {
        unsigned x, y; ///< of the error
        unsigned left, top;
    };
    // The blocks of 32 that contain the errors begin at 480, 352; 0, 0; 992, 672; 320, 160.
    const Case cases[] = {{490, 370, 176, 188}, {3, 2, 0, 0}, {999, 699, 360, 340}, {325, 189, 16, 0}};
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P}) {
        TestPicture ref(format, 8, 1000, 700);
        fill_with_places(ref);
        for (const auto &[x, y, left, top] : cases) {
            TestPicture dis(format, 8, 1000, 700);
            fill_with_places(dis);
            for (unsigned k = 0; k < 8; ++k) // many small errors in other places
                dis.set(0, 300 + 40 * k, 500, 16 + (300 + 40 * k) % 200 + 20);
            dis.set(0, x, y, 16 + x % 200 > 120 ? 0 : 255);
            const FramePictures shown = pictures(ref, dis);
            EXPECT_EQ(shown.crop.left, left);
            EXPECT_EQ(shown.crop.top, top);
            const Image crop = decoded(shown.reference), damaged = decoded(shown.distorted);
            ASSERT_EQ(crop.width, 640U);
            ASSERT_EQ(crop.height, 360U);
            for (const auto &[u, v] :
                 {std::pair{0U, 0U}, std::pair{1U, 0U}, std::pair{639U, 359U}, std::pair{101U, 46U}}) {
                TestPicture pixel(VMAF_PIX_FMT_YUV444P, 8, 1, 1);
                const unsigned chroma_y = format == VMAF_PIX_FMT_YUV420P ? (top + v) / 2 : top + v;
                pixel.fill(16 + (left + u) % 200, 100 + chroma_y % 50, 100 + chroma_y % 50);
                EXPECT_EQ(crop.rgb(u, v), decoded(pictures(pixel, pixel).reference).rgb(0, 0)) << u << ' ' << v;
            }
            EXPECT_NE(damaged.rgb(x - left, y - top), crop.rgb(x - left, y - top));
        }
    }
}

TEST(Crop, OfASmallOrEqualPictureIsItsMiddle)
{
    TestPicture small(VMAF_PIX_FMT_YUV420P, 8, 200, 500), large(VMAF_PIX_FMT_YUV420P, 8, 1281, 719);
    small.fill(50, 128, 128);
    large.fill(50, 128, 128);
    const FramePictures of_small = pictures(small, small), of_large = pictures(large, large);
    EXPECT_EQ(decoded(of_small.reference).width, 200U);
    EXPECT_EQ(decoded(of_small.reference).height, 360U);
    EXPECT_EQ(of_small.crop.top, 70U);
    EXPECT_EQ(of_large.crop.left, 320U);
    EXPECT_EQ(of_large.crop.top, 178U) << "even";
}

TEST(Thumbnail, DifferencesDoNotCancelOut)
{
    for (const unsigned depth : {8U, 12U}) {
        TestPicture ref(VMAF_PIX_FMT_YUV420P, depth, 640, 360), dis(VMAF_PIX_FMT_YUV420P, depth, 640, 360);
        ref.fill(100 << (depth - 8), 0, 0);
        dis.fill(100 << (depth - 8), 0, 0);
        for (unsigned y = 0; y < 360; ++y)
            for (unsigned x = 0; x < 320; ++x)
                dis.set(0, x, y, (x % 2 == 0 ? 110U : 90U) << (depth - 8)); // 10 above, 10 below
        const Image image = decoded(pictures(ref, dis).difference);
        ASSERT_EQ(image.colour_type, 3U);
        EXPECT_EQ(image.samples[0], 10 * kDifferenceGain);
        EXPECT_EQ(image.samples[319], 0);
    }
}

/// A larger difference is brighter.
TEST(Thumbnail, PaletteOfDifferencesRises)
{
    TestPicture picture(VMAF_PIX_FMT_YUV400P, 8, 2, 2);
    picture.fill(1, 0, 0);
    const Image image = decoded(pictures(picture, picture).difference);
    ASSERT_EQ(image.palette.size(), 768U);
    double before = -1;
    for (std::size_t i = 0; i < 256; ++i) {
        const double luma =
            0.2126 * image.palette[3 * i] + 0.7152 * image.palette[3 * i + 1] + 0.0722 * image.palette[3 * i + 2];
        EXPECT_GE(luma, before) << i;
        before = luma;
    }
}

/// A map of 3 x 2 values. Each row has one more number, which is no value.
struct SmallMap {
    std::array<float, 8> values{0, 1, 2, -99, 3, 4, 400, -99};
    VmafMap map{3, 2, 4 * sizeof(float), values.data(), 0, 4};
};

TEST(MapPicture, HasGreyBetweenTheEndsOfTheScale)
{
    SmallMap small;
    const auto grey = [](const Image &image, std::size_t i) {
        return image.samples[2 * i] << 8 | image.samples[2 * i + 1];
    };
    Image image = decoded(png_of_map(small.map, MapPixels::grey));
    EXPECT_EQ(image.width, 3U);
    EXPECT_EQ(image.height, 2U);
    EXPECT_EQ(image.colour_type, 0U);
    const int expected[] = {0, 16384, 32768, 49151, 65535, 65535}; // quarters of 65535, rounded
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(grey(image, i), expected[i]) << i;

    small.map.dark = 4; // the larger value may be the dark one
    small.map.bright = 2;
    image = decoded(png_of_map(small.map, MapPixels::grey));
    const int falling[] = {65535, 65535, 65535, 32768, 0, 0};
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(grey(image, i), falling[i]) << i;
}

/// A map with the value x + 4 * y at (x, y). Crops show where they were taken.
class Ramp {
  public:
    Ramp(unsigned width, unsigned height) : values_(std::size_t{width} * height)
    {
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x)
                values_[std::size_t{y} * width + x] = static_cast<float>(x + 4 * y);
        map_ = {width, height, static_cast<std::ptrdiff_t>(width * sizeof(float)), values_.data(), 0, 255};
    }
    const VmafMap &map() const { return map_; }

  private:
    std::vector<float> values_;
    VmafMap map_{};
};

std::vector<int> levels_of(const Ramp &ramp, PixelRect crop, const TestPicture &picture)
{
    const Raster<std::uint8_t> levels = map_levels(ramp.map(), crop, picture.raw());
    EXPECT_EQ(levels.pixels.size(), std::size_t{levels.width_px} * levels.height_px);
    return {levels.pixels.begin(), levels.pixels.end()};
}

TEST(MapLevels, AreOfTheCropWhateverTheMapsScale)
{
    using Levels = std::vector<int>;
    const TestPicture picture(VMAF_PIX_FMT_YUV400P, 8, 64, 32);
    EXPECT_EQ(levels_of(Ramp(64, 32), {10, 6, 4, 2}, picture), (Levels{34, 35, 36, 37, 38, 39, 40, 41}));
    // Half the size: each value stands for 2x2 samples.
    EXPECT_EQ(levels_of(Ramp(32, 16), {10, 6, 4, 2}, picture), (Levels{17, 17, 18, 18, 17, 17, 18, 18}));
    // A window of 11x11 samples stays inside the picture. The first value is that of sample (5, 5).
    EXPECT_EQ(levels_of(Ramp(54, 22), {10, 6, 4, 1}, picture), (Levels{9, 10, 11, 12}));
    EXPECT_EQ(levels_of(Ramp(54, 22), {0, 0, 8, 1}, picture), (Levels{0, 0, 0, 0, 0, 0, 1, 2})) << "nearest";
    EXPECT_EQ(levels_of(Ramp(54, 22), {60, 31, 4, 1}, picture), (Levels{137, 137, 137, 137}));
    // Odd sides are halved and rounded up.
    const TestPicture odd(VMAF_PIX_FMT_YUV400P, 8, 63, 31);
    EXPECT_EQ(levels_of(Ramp(32, 16), {60, 30, 3, 1}, odd), (Levels{90, 90, 91}));
}

TEST(MapLevels, AreMeansWhereCropsAreLarge)
{
    const TestPicture picture(VMAF_PIX_FMT_YUV400P, 8, 1280, 2);
    const Raster<std::uint8_t> levels = map_levels(Ramp(1280, 2).map(), {0, 0, 640, 2}, picture.raw());
    EXPECT_EQ(levels.width_px, 320U);
    EXPECT_EQ(levels.height_px, 1U);
    EXPECT_EQ(levels.pixels[0], 3) << "of 0, 1, 4 and 5, rounded up";
    EXPECT_EQ(levels.pixels[319], 255) << "values beyond the brightest are cut off";
}

/// CIE 1976 lightness of an sRGB colour.
double lightness(const std::array<int, 3> &rgb)
{
    const auto linear = [](int sample) {
        const double value = sample / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    return 116 * std::cbrt(y) - 16;
}

TEST(MapPicture, HasColoursWhoseLightnessGrowsEvenly)
{
    std::vector<float> values(256);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    const VmafMap map{256, 1, 1024, values.data(), 0, 255};
    const Image image = decoded(png_of_map(map, MapPixels::colours));
    ASSERT_EQ(image.palette.size(), 768U);
    const double first = lightness(image.rgb(0, 0)), last = lightness(image.rgb(255, 0));
    EXPECT_GT(last - first, 70);
    for (unsigned x = 0; x < 256; ++x) {
        EXPECT_EQ(image.samples[x], x);
        EXPECT_NEAR(lightness(image.rgb(x, 0)), first + (last - first) * x / 255, 2.0) << x;
        if (x > 0) { // except for the rounding of samples
            EXPECT_GT(lightness(image.rgb(x, 0)), lightness(image.rgb(x - 1, 0)) - 0.1) << x;
        }
    }
}

} // namespace
} // namespace vmaf::tool
