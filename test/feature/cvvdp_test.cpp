#include "feature/cvvdp/cvvdp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <random>

#include "feature/common/rgb_rows.h"
#include "feature/cvvdp/cvvdp_pyramid.h"
#include "feature/cvvdp/cvvdp_score.h"
#include "feature/cvvdp_displays.h"
#include "feature/cvvdp_oracle.h"
#include "feature/cvvdp_pictures.h"
#include "feature/feature_runner.h"
#include "support/cpu_targets.h"

// Properties that the clips do not show (spec cvvdp 6). The conformance test compares the clips'
// scores.

namespace vmaf::test {
namespace {

Options options_of(const CvvdpView &view)
{
    return {{"display", view.display},         {"ppd", std::to_string(view.ppd)},
            {"fps", std::to_string(view.fps)}, {"yuv_matrix", std::to_string(view.yuv_matrix)},
            {"transfer", view.transfer},       {"primaries", view.primaries}};
}

CvvdpOptions parsed(const Options &options)
{
    return CvvdpOptions::read(parse_options(kCvvdp, options).value()).value();
}

// ---- parts (spec cvvdp 6.3) ----

TEST(Cvvdp, HasTheChaptersFilters)
{
    struct Row {
        double fps;
        unsigned channel;
        std::vector<double> taps;
    };
    for (const Row &row : std::vector<Row>{
             {24, 0, {0.259424419313, 0.196208788554, 0.106691392968, 0.0673876088217}},
             {24, 3, {0.704520663398, -0.0400828926958, -0.178686864825, -0.133490414976}},
             {25, 0, {0.25191467597, 0.1887891112, 0.0973012847257, 0.0518622456091, 0.0360900204808}},
             {25, 1, {0.572141451936, 0.155708772382, 0.0254407695082, 0.0206111971354, 0.0121685350064}},
             {25, 2, {0.453948951626, 0.16507239836, 0.048195660189, 0.0345136225469, 0.025243843091}},
             {25, 3, {0.719663809507, -0.0189196246237, -0.156608761784, -0.0976809104639, -0.0866224486791}},
             {60,
              0,
              {0.113174502763, 0.106723882735, 0.0904250138793, 0.0708166191043, 0.0533149356012, 0.0402148452407,
               0.0315146011329, 0.0263792886955, 0.0240235622295}},
             {60,
              3,
              {0.433223369448, 0.17744172917, -0.0251228532157, -0.0649877090133, -0.0725569587532, -0.0649041500995,
               -0.0597094967641, -0.054407477481, -0.0523646093649}}}) {
        const std::vector<double> taps = cvvdp_taps(row.fps).r[row.channel];
        ASSERT_EQ(taps.size(), row.taps.size());
        for (std::size_t n = 0; n < taps.size(); ++n)
            EXPECT_NEAR(taps[n], row.taps[n], 1e-12) << row.fps << " " << row.channel << " " << n;
    }
    EXPECT_NEAR(cvvdp_taps(25).transient_sum, 3.184053956e-7, 1e-16);
}

TEST(Cvvdp, WeighsTheFirstFrameForThoseBeforeIt)
{
    const CvvdpTaps taps = cvvdp_taps(25);
    const CvvdpWeights still = cvvdp_weights(taps, 0), whole = cvvdp_weights(taps, 8), third = cvvdp_weights(taps, 2);
    EXPECT_EQ(still.count, 1U);
    EXPECT_NEAR(still.weights[0][0], 1, 1e-6);
    EXPECT_NEAR(whole.weights[0][0], 0.0360900204808, 1e-8);
    EXPECT_NEAR(whole.weights[4][0], 0.25191467597, 1e-8);
    EXPECT_NEAR(whole.weights[8][3], -0.0866224486791, 1e-8);
    EXPECT_NEAR(third.weights[1][1], 0.0206111971354, 1e-8);
    EXPECT_NEAR(third.weights[2][1], 1 - 0.0121685350064 - 0.0206111971354, 1e-7);
    EXPECT_NEAR(third.weights[0][3], 3.184053956e-7, 1e-12) << "of what the frame is; of differences the taps";
}

TEST(Cvvdp, HasTheChaptersBands)
{
    constexpr double k4k = 75.402449345163;
    const std::vector<double> expected{
        37.7012246726, 12.1699553243, 6.08497766215, 3.04248883108, 1.52124441554, 0.760622207769, 0.1};
    const std::vector<double> bands = cvvdp_frequencies(177, 145, k4k);
    ASSERT_EQ(bands.size(), expected.size());
    for (std::size_t i = 0; i < bands.size(); ++i)
        EXPECT_NEAR(bands[i], expected[i], 1e-10);
    for (const auto &[rows, count] : {std::pair{511U, 8U}, {512U, 9U}, {256U, 8U}, {255U, 7U}, {128U, 7U}, {8U, 3U}})
        EXPECT_EQ(cvvdp_frequencies(4096, rows, k4k).size(), count) << rows;
    EXPECT_EQ(cvvdp_frequencies(4096, 4096, 37.8425).size(), 8U) << "standard_fhd";
    EXPECT_EQ(cvvdp_frequencies(65535, 65535, 200).size(), std::size_t{kCvvdpMaxBands});
    EXPECT_EQ(cvvdp_frequencies(4096, 4096, 1).size(), 3U);
}

double sensitivity(unsigned channel, double frequency, double luminance)
{
    // Tables of a band whose contrasts have no factor, such as the base band.
    const CvvdpBandTables tables = cvvdp_tables(2, 3, frequency);
    const double place =
        std::clamp(kCvvdpPositionScale * std::log2(luminance) + static_cast<double>(kCvvdpPositionOffset), 0.0, 31.0);
    const unsigned i = std::min(static_cast<unsigned>(place), 30U);
    const float *row = tables.sensitivity[channel];
    return std::exp2(row[i] + (place - i) * static_cast<double>(row[i + 1] - row[i]));
}

TEST(Cvvdp, HasTheChaptersSensitivities)
{
    struct Row {
        double frequency, luminance;
        std::array<double, 4> expected;
    };
    for (const Row &row : {Row{5, 50, {240.266988881, 137.245630554, 28.4581774141, 150.704890158}},
                           Row{0.1, 200, {15.0327394853, 196.332353054, 40.9473831157, 168.860963262}},
                           Row{37.7012246725, 100, {7.09901221727, 20.3748800963, 4.32542756385, 8.34373658311}},
                           Row{80, 0.001, {0.0000120430324244, 0.193661316192, 0.0534082566338, 0.0109045626569}}})
        for (unsigned channel = 0; channel < 4; ++channel)
            EXPECT_NEAR(sensitivity(channel, row.frequency, row.luminance) / row.expected[channel], 1, 1e-5)
                << row.frequency << " " << channel;
}

TEST(Cvvdp, HasTheChaptersDisplays)
{
    EXPECT_EQ(parsed({}).display.ppd, parsed({{"display", "standard_4k"}}).display.ppd);
    for (const ListedDisplay &listed : kListedDisplays) {
        SCOPED_TRACE(listed.name);
        const CvvdpOptions options = parsed({{"display", std::string(listed.name)}});
        const CvvdpDisplay &display = options.display;
        EXPECT_NEAR(display.ppd, listed.ppd, 1e-11);
        EXPECT_EQ(display.peak, listed.peak);
        EXPECT_NEAR(display.peak / display.black, listed.contrast, 1e-7 * listed.contrast);
        EXPECT_NEAR(display.reflected, 0.005 * listed.ambient / std::numbers::pi, 1e-12);
        EXPECT_EQ(display.transfer, *find_transfer(listed.transfer, Transfer::srgb));
        EXPECT_EQ(display.primaries, *find_primaries(listed.primaries));
        EXPECT_EQ(options.yuv_matrix, listed.primaries == "bt2020" ? 4 : 0);
    }
    EXPECT_EQ(parsed({{"display", "standard_hdr_pq"}, {"yuv_matrix", "1"}}).yuv_matrix, 1);
    const CvvdpColour colour = cvvdp_colour(parsed({}).display);
    const double expected[3][3] = {{0.23320121, 0.72883079, 0.08899587},
                                   {0.12762077, -0.08706809, -0.03677739},
                                   {-0.21482251, -0.62625369, 0.85140333}};
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned i = 0; i < 3; ++i)
            EXPECT_NEAR(colour.matrix[c][i] / 199.8, expected[c][i], 1e-7);
    EXPECT_NEAR(colour.offset[0], 0.597887357730 * (0.23320121 + 0.72883079 + 0.08899587), 1e-6);
}

// ---- RGB (spec cvvdp 6.1) ----

using Codes = std::array<int, 3>;
using CodesAt = std::function<Codes(int x, int y)>;

CvvdpPicture picture(unsigned width, unsigned height, const CodesAt &codes)
{
    const CvvdpImage none(width, height);
    CvvdpPicture rgb{none, none, none};
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            for (unsigned c = 0; c < 3; ++c)
                rgb[c].at(x, y) = codes(static_cast<int>(x), static_cast<int>(y))[c] / 255.0;
    return rgb;
}

struct CodePair {
    CodesAt a, b;
};

CodePair pattern()
{
    const CodesAt a = [](int x, int y) {
        return Codes{(7 * x + 3 * y) % 256, (x * x + 5 * y) % 256, (2 * x + y * y) % 256};
    };
    return {a, [a](int x, int y) {
                Codes codes = a(x, y);
                for (int c = 0; c < 3; ++c)
                    codes[c] = std::clamp(codes[c] + (31 * x + 17 * y + 11 * c) % 25 - 12, 0, 255);
                return codes;
            }};
}

CodePair gradient(int width, int height)
{
    const CodesAt a = [=](int x, int y) {
        return Codes{255 * x / (width - 1), 255 * y / (height - 1), 255 * (x + y) / (width + height - 2)};
    };
    return {a, [a](int x, int y) {
                Codes codes = a(x, y);
                for (int &code : codes)
                    code = code / 4 * 4;
                return codes;
            }};
}

struct RgbRow {
    const char *what;
    unsigned width, height;
    const char *display;
    double still, frame, three;
};

void expect_rgb(const RgbRow &row)
{
    const CodePair codes =
        row.what[0] == 'p' ? pattern() : gradient(static_cast<int>(row.width), static_cast<int>(row.height));
    const CvvdpPicture a = picture(row.width, row.height, codes.a), b = picture(row.width, row.height, codes.b);
    const CvvdpView view{.display = row.display};
    const CvvdpDefinition still = cvvdp_by_definition({{a, b}}, view),
                          three = cvvdp_by_definition({{a, b}, {b, a}, {a, a}}, view);
    SCOPED_TRACE(testing::Message() << row.what << " " << row.width << "x" << row.height << " " << row.display);
    EXPECT_NEAR(still.clip, row.still, 2e-11);
    EXPECT_NEAR(still.frame[0], row.frame, 2e-11);
    EXPECT_NEAR(three.clip, row.three, 2e-11);
}

TEST(Cvvdp, TheDefinitionGivesTheChaptersScoresOfRgb)
{
    for (const RgbRow &row :
         {RgbRow{"pattern", 8, 8, "standard_4k", 9.958166779307, 9.930331869525, 9.859218925471},
          RgbRow{"pattern", 9, 13, "standard_4k", 9.849100851777, 9.748695860066, 9.758920738551},
          RgbRow{"pattern", 31, 33, "standard_4k", 9.985784346624, 9.976325561892, 9.957890213745},
          RgbRow{"pattern", 64, 48, "standard_4k", 9.992803268706, 9.988014721160, 9.962997173004},
          RgbRow{"pattern", 64, 48, "standard_fhd", 9.945705431767, 9.909579013973, 9.919781945516},
          RgbRow{"pattern", 64, 48, "standard_hdr_pq", 9.826486960823, 9.711035180840, 9.707987577426},
          RgbRow{"gradient", 64, 48, "standard_4k", 9.987941753661, 9.979918460368, 9.710247184351}})
        expect_rgb(row);
}

TEST(CvvdpLarge, TheDefinitionGivesTheChaptersScoresOfRgb)
{
    for (const RgbRow &row :
         {RgbRow{"pattern", 113, 120, "standard_4k", 9.991627843988, 9.986057194552, 9.975484664662},
          RgbRow{"pattern", 256, 225, "standard_4k", 9.991178327818, 9.985308580157, 9.974393757145},
          RgbRow{"gradient", 256, 225, "standard_4k", 9.989565696617, 9.982622939437, 9.692143785838},
          RgbRow{"gradient", 256, 225, "standard_hdr_pq", 9.857787064712, 9.763161689042, 9.110328624639}})
        expect_rgb(row);
}

// Only the chromaticity differs, and only in the base band.
TEST(CvvdpLarge, TheDefinitionGivesTheChaptersScoresOfConstants)
{
    const auto constant = [](Codes codes) { return picture(256, 256, [codes](int, int) { return codes; }); };
    const auto scores = [&](Codes ref, Codes dis) { return cvvdp_by_definition({{constant(ref), constant(dis)}}, {}); };
    EXPECT_NEAR(scores({128, 128, 128}, {153, 153, 153}).clip, 10, 1e-12);
    const CvvdpDefinition green = scores({128, 128, 128}, {128, 153, 128});
    EXPECT_NEAR(green.clip, 9.413401569291, 2e-11);
    EXPECT_NEAR(green.frame[0], 9.023091807662, 2e-11);
    const double expected[4] = {0, 4.82527707, 6.82578985, 0};
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_NEAR(green.pooled[0].back()[c], expected[c], 1e-8);
    EXPECT_NEAR(scores({51, 102, 204}, {64, 102, 178}).clip, 8.267476207873, 2e-11);
}

// ---- clips ----

FramePlanes planes_with_earlier(const Clip &clip, unsigned frame)
{
    FramePlanes planes = planes_of(clip, frame);
    for (unsigned age = 1; age <= frame; ++age)
        planes.earlier[age - 1] = planes_of(clip, frame - age);
    return planes;
}

double q_of(const CvvdpSums &sums, const PictureFormat &format, unsigned band, unsigned channel)
{
    double width = format.width, height = format.height;
    for (unsigned i = 0; i < band; ++i) {
        width = std::ceil(width / 2);
        height = std::ceil(height / 2);
    }
    return std::sqrt(sums.squares[band][channel] / (width * height) + 1e-5) - std::sqrt(1e-5);
}

TEST(Cvvdp, HasTheChaptersDifferencesOfEveryBand)
{
    constexpr double kExpected[2][4][7] = {
        {{0.618653629, 13.0675278, 3.71497432, 0.392634948, 0.0113204378, 0.035972258, 0.050601205},
         {0.384821507, 5.96538164, 1.63215959, 0.233080388, 0.0287649704, 0.0988221901, 0.384752107},
         {0.635174117, 8.14675771, 1.85044506, 0.333408216, 0.0403684959, 0.688559999, 0.523801401},
         {}},
        {{0.574496731, 12.2590125, 3.51722132, 0.366400752, 0.0105698332, 0.0344961677, 0.0507283081},
         {0.376544509, 5.82841302, 1.59835067, 0.229782723, 0.028570037, 0.0983808354, 0.384266298},
         {0.602675426, 7.80952766, 1.78352006, 0.321044818, 0.0393137647, 0.678920755, 0.524082385},
         {0.00373988512, 0.128113202, 0.030796227, 0.00722573544, 0.000267656649, 0.00014360391, 0.00780693285}}};
    const Clip &clip = Clip::get("tiles_177x145_8");
    const FeatureRunner<CvvdpSums> runner(kCvvdp);
    std::vector<CvvdpPair> pairs;
    for (unsigned frame = 0; frame < 2; ++frame) {
        const CvvdpSums sums = runner.sums(planes_with_earlier(clip, frame), clip.format());
        pairs.push_back(cvvdp_pair(planes_of(clip, frame), clip.format(), {}));
        const CvvdpDefinition::Pooled exact = cvvdp_by_definition(pairs, {}).pooled[frame];
        for (unsigned channel = 0; channel < 4; ++channel)
            for (unsigned band = 0; band < 7; ++band) {
                const double expected = kExpected[frame][channel][band];
                EXPECT_NEAR(exact[band][channel], expected, 1e-8 * expected + 1e-9) << frame << channel << band;
                EXPECT_NEAR(q_of(sums, clip.format(), band, channel), expected, 5e-5 * expected + 2e-8)
                    << frame << channel << band;
            }
    }
}

void expect_the_definition(const PictureFormat &format, const CvvdpView &view, unsigned frames, unsigned seed)
{
    SCOPED_TRACE(testing::Message() << format.width << "x" << format.height << " at " << format.bpc << " bit, format "
                                    << format.pix_fmt << ", " << view.display << ", ppd " << view.ppd << ", fps "
                                    << view.fps << ", matrix " << view.yuv_matrix << ", transfer " << view.transfer
                                    << ", primaries " << view.primaries << ", seed " << seed);
    const CvvdpClip clip(format, frames, seed);
    const auto feature = kCvvdp.create(parse_options(kCvvdp, options_of(view)).value());
    std::vector<CvvdpPair> pairs;
    for (unsigned i = 0; i < frames; ++i)
        pairs.push_back(cvvdp_pair(clip.frame(i), format, view));
    const CvvdpDefinition exact = cvvdp_by_definition(pairs, view);
    // Flicker between black and white on small pictures is the worst case (spec cvvdp 5.1).
    const bool is_hdr = view.display.starts_with("standard_hdr") || view.transfer == "pq" || view.transfer == "hlg";
    const double tolerance = is_hdr ? 1e-4 : 2e-5;
    std::vector<std::unique_ptr<CpuExtractor>> extractors;
    for (const CpuTarget target : targets())
        extractors.push_back(feature->make_cpu(format, target));
    for (unsigned i = 0; i < frames; ++i) {
        CvvdpSums first;
        for (const auto &extractor : extractors) {
            CvvdpSums sums;
            FramePlanes seen;
            see_through(feature->window(format), clip.frame(i), std::min(i, kCvvdpMaxTaps - 1), seen);
            ASSERT_TRUE(extractor->extract(seen, &sums).ok());
            if (extractor == extractors.front())
                first = sums;
            EXPECT_EQ(std::memcmp(&first, &sums, sizeof sums), 0) << "targets differ";
        }
        std::array<double, 1> score{};
        feature->finish(&first, format, score);
        EXPECT_NEAR(score[0], exact.frame[i], tolerance) << i;
    }
}

constexpr std::array kFormats{VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P};

TEST(Cvvdp, FollowsTheDefinitionAtTheSmallestSizes)
{
    unsigned seed = 0;
    for (const unsigned width : {8U, 9U, 12U, 13U, 17U})
        for (const unsigned height : {8U, 9U, 11U, 14U, 15U}) {
            const unsigned bpc = std::array{8U, 10U, 12U, 16U}[seed % 4];
            expect_the_definition({kFormats[seed % 3], bpc, width, height}, {}, 2, seed);
            ++seed;
        }
    expect_the_definition({VMAF_PIX_FMT_YUV400P, 8, 9, 8}, {}, 2, 100);
    expect_the_definition({VMAF_PIX_FMT_YUV420P, 8, 300, 8}, {}, 1, 101);
    expect_the_definition({VMAF_PIX_FMT_YUV420P, 8, 8, 300}, {}, 1, 102);
}

TEST(Cvvdp, FollowsTheDefinitionWithAnyOptions)
{
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 24; ++i) {
        const unsigned bpc = std::array{8U, 8U, 10U, 12U, 9U, 16U}[i % 6];
        const PictureFormat format{kFormats[random() % 4], bpc, 8 + static_cast<unsigned>(random() % 70),
                                   8 + static_cast<unsigned>(random() % 50)};
        const CvvdpView view{.display = std::array{"standard_4k", "standard_fhd", "standard_hdr_pq"}[random() % 3],
                             .ppd = random() % 2 == 0 ? 0 : 1 + static_cast<double>(random() % 199),
                             .fps = std::array<double, 5>{1, 24, 25, 30, 60}[random() % 5],
                             .yuv_matrix = static_cast<int>(random() % 7) - 1,
                             .transfer = std::array{"", "", "sdr", "srgb", "bt1886", "pq", "hlg"}[random() % 7],
                             .primaries = std::array{"", "", "bt709", "bt2020", "p3"}[random() % 5]};
        expect_the_definition(format, view, 1 + static_cast<unsigned>(random() % 4), static_cast<unsigned>(random()));
    }
}

TEST(Cvvdp, FollowsTheDefinitionOnEveryDisplay)
{
    unsigned seed = 0;
    for (const ListedDisplay &listed : kListedDisplays) {
        const PictureFormat format{kFormats[seed % 4], seed % 2 == 0 ? 8U : 10U, 30 + seed, 26};
        expect_the_definition(format, {.display = std::string(listed.name)}, 2, seed++);
    }
}

// ---- displays of files (spec hdr 2) ----

/// A file with that text, removed at the end of the scope.
class DisplayFile {
  public:
    explicit DisplayFile(const std::string &text) { std::ofstream(path_) << text; }
    ~DisplayFile() { std::remove(path_.c_str()); }

    const std::string &path() const { return path_; }

  private:
    std::string path_ = testing::TempDir() + "cvvdp_display_" + std::to_string(std::random_device()()) + ".json";
};

TEST(Cvvdp, ReadsADisplayFromAFile)
{
    const DisplayFile pq(R"({"resolution": [3840, 2160], "viewing_distance_meters": 0.7472, "diagonal_size_inches": 30,
                             "max_luminance": 1500, "contrast": 1000000, "E_ambient": 10, "colorspace": "BT.2020-PQ"})");
    const CvvdpDisplay listed = parsed({{"display", "standard_hdr_pq"}}).display,
                       read = parsed({{"display", pq.path()}}).display;
    EXPECT_EQ(read.ppd, listed.ppd);
    EXPECT_EQ(read.black, listed.black);
    EXPECT_EQ(read.reflected, listed.reflected);
    EXPECT_EQ(read.transfer, Transfer::pq);
    EXPECT_EQ(read.primaries, Primaries::bt2020);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 40, 30};
    const CvvdpClip clip(format, 1, 6);
    const auto score = [&](const std::string &display) {
        return FeatureRunner<CvvdpSums>(kCvvdp, {{"display", display}}).scores(clip.frame(0), format)[0];
    };
    EXPECT_EQ(score(pq.path()), score("standard_hdr_pq"));
    EXPECT_NE(score(pq.path()), score("standard_4k"));

    const DisplayFile hmd(R"({"resolution": [1440, 1600], "fov_diagonal": 110, "max_luminance": 133.3,
                              "min_luminance": 0.1, "viewing_distance_inches": 100})");
    EXPECT_NEAR(parsed({{"display", hmd.path()}}).display.ppd, 13.153262507309, 1e-11);
    EXPECT_EQ(parsed({{"display", hmd.path()}}).display.black, 0.1);

    const DisplayFile few(R"({"max_luminance": 200, "pixels_per_degree": 46.8, "k_refl": 0.01, "E_ambient": 100,
                              "exposure": 0.5})");
    const CvvdpDisplay display = parsed({{"display", few.path()}}).display;
    EXPECT_EQ(display.ppd, 46.8);
    EXPECT_EQ(display.black, 200 / 500.0) << "contrast 500";
    EXPECT_NEAR(display.reflected, 1 / std::numbers::pi, 1e-12);
    EXPECT_EQ(display.transfer, Transfer::srgb);
    EXPECT_EQ(parsed({{"display", few.path()}, {"ppd", "30"}}).display.ppd, 30) << "the option wins";
}

/// Light of a grey on a display, divided by white's Y.
double light_of_grey(const std::string &display, unsigned sample)
{
    const CvvdpOptions options = parsed({{"display", display}});
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 16, 8, 8};
    TestPicture picture(format);
    picture.fill([&](unsigned, unsigned, unsigned) { return sample; });
    const PlaneView planes[3] = {picture.plane(0)};
    std::vector<float> row(9);
    RgbRows(format, yuv_matrix(2, 16), Light(options.light), cpu_target(0))
        .linear(planes, 0, {{row.data(), nullptr, nullptr}});
    const CvvdpColour colour = cvvdp_colour(options.display);
    const double sum = 0.23320121 + 0.72883079 + 0.08899587;
    return ((colour.matrix[0][0] + colour.matrix[0][1] + colour.matrix[0][2]) * row[0] + colour.offset[0]) / sum;
}

TEST(Cvvdp, ExposureMultipliesLightBeforeItIsClipped)
{
    const auto display = [](const char *colorspace, double exposure) {
        return DisplayFile(
            std::string(R"({"max_luminance": 400, "min_luminance": 0, "pixels_per_degree": 60, "colorspace": ")") +
            colorspace + R"(", "exposure": )" + std::to_string(exposure) + "}");
    };
    for (const auto &[colorspace, grey] : {std::pair{"sRGB", 400 * 0.214041140482}, {"BT.709", 400 * 0.214041140482}}) {
        EXPECT_NEAR(light_of_grey(display(colorspace, 1).path(), 32768), grey, 0.01) << colorspace;
        EXPECT_NEAR(light_of_grey(display(colorspace, 0.25).path(), 32768), grey / 4, 0.01) << colorspace;
        EXPECT_NEAR(light_of_grey(display(colorspace, 9).path(), 32768), 400, 0.01) << colorspace;
    }
    EXPECT_NEAR(light_of_grey(display("BT.709-linear", 300).path(), 65535), 300, 0.01);
    EXPECT_NEAR(light_of_grey(display("BT.709-linear", 900).path(), 65535), 400, 0.01);
}

// If the display's primaries have another sum, light is relative to that.
TEST(Cvvdp, ExposureMultipliesLightOfHdr)
{
    const auto relative = [](const char *colorspace, double exposure, unsigned sample) {
        const DisplayFile file(
            std::string(R"({"max_luminance": 900, "min_luminance": 0, "pixels_per_degree": 60, "colorspace": ")") +
            colorspace + R"(", "exposure": )" + std::to_string(exposure) + "}");
        const CvvdpOptions options = parsed({{"display", file.path()}});
        const LightParams light = Light(options.light).params(nullptr);
        return std::pair(light_of_grey(file.path(), sample), light.most);
    };
    const double pq = relative("BT.2020-PQ", 1, 38055).first, hlg = relative("BT.2020-HLG", 1, 32768).first;
    EXPECT_NEAR(relative("BT.2020-PQ", 2, 38055).first, 2 * pq, 1e-4 * pq);
    EXPECT_NEAR(relative("BT.2020-PQ", 1, 65535).first, relative("BT.2020-PQ", 3, 65535).first, 1e-3);
    EXPECT_NEAR(relative("BT.2020-HLG", 2, 32768).first, 2 * hlg, 1e-4 * hlg);
    EXPECT_NEAR(relative("BT.2020-HLG", 1, 65535).first, relative("BT.2020-HLG", 3, 65535).first, 1e-2);
}

TEST(Cvvdp, RefusesFilesThatAreNoDisplay)
{
    const auto refused = [](const std::string &text) {
        const DisplayFile file(text);
        return kCvvdp.check_options(parse_options(kCvvdp, {{"display", file.path()}}).value()).code();
    };
    const std::string good = R"("max_luminance": 200, "pixels_per_degree": 60)";
    EXPECT_EQ(refused("{" + good + "}"), 0);
    for (const std::string &text :
         {std::string(), std::string("{"), std::string("[]"), std::string("{}"), "{" + good + R"(, "name": "x"})",
          "{" + good + R"(, "colorspace": "BT.2020"})", "{" + good + R"(, "colorspace": 4})",
          "{" + good + R"(, "contrast": 0.5})", "{" + good + R"(, "contrast": "high"})",
          "{" + good + R"(, "contrast": 100, "min_luminance": 1})", "{" + good + R"(, "min_luminance": 200})",
          "{" + good + R"(, "exposure": 0})", std::string(R"({"max_luminance": 200})"),
          std::string(R"({"pixels_per_degree": 60})"),
          std::string(R"({"max_luminance": 200, "pixels_per_degree": 0.5})"),
          std::string(R"({"max_luminance": 200, "resolution": [1920], "fov_diagonal": 50})"),
          std::string(R"({"max_luminance": 200, "resolution": [1920, 1080], "diagonal_size_inches": 24})"),
          std::string(R"({"max_luminance": 200, "resolution": [1920, 1080], "diagonal_size_inches": 24,
                          "viewing_distance_meters": 100})"),
          // HLG needs ambient light above 1000 cd/m2.
          std::string(R"({"max_luminance": 1500, "pixels_per_degree": 60, "colorspace": "BT.2020-HLG"})")})
        EXPECT_EQ(refused(text), -EINVAL) << text;
    EXPECT_EQ(kCvvdp
                  .check_options(
                      parse_options(kCvvdp, {{"display", "standard_hdr_linear_dark"}, {"transfer", "hlg"}}).value())
                  .code(),
              -EINVAL);
}

TEST(Cvvdp, AFileThatIsGoneByTheFirstFrameIsAFailure)
{
    std::unique_ptr<Feature> feature;
    {
        const DisplayFile file(R"({"max_luminance": 200, "pixels_per_degree": 60})");
        const OptionValues values = parse_options(kCvvdp, {{"display", file.path()}}).value();
        EXPECT_TRUE(kCvvdp.check_options(values).ok());
        feature = kCvvdp.create(values);
        EXPECT_TRUE(feature->check_format({VMAF_PIX_FMT_YUV420P, 8, 64, 64}).ok());
        std::remove(file.path().c_str());
        feature = kCvvdp.create(values);
    }
    EXPECT_EQ(feature->check_format({VMAF_PIX_FMT_YUV420P, 8, 64, 64}).code(), -EINVAL);
}

// More frames than the filters have taps.
TEST(Cvvdp, FollowsTheDefinitionBehindTheFirstFrames)
{
    expect_the_definition({VMAF_PIX_FMT_YUV420P, 8, 12, 10}, {.fps = 9}, 8, 7);
    expect_the_definition({VMAF_PIX_FMT_YUV420P, 8, 9, 8}, {.fps = 240}, 66, 8);
}

TEST(Cvvdp, OfEqualPicturesIsTen)
{
    for (const VmafPixelFormat pix_fmt : kFormats)
        for (const CpuTarget target : targets()) {
            const PictureFormat format{pix_fmt, 8, 41, 30};
            const CvvdpClip clip(format, 3, 5);
            FramePlanes planes = clip.frame(2);
            std::copy_n(planes.ref, 3, planes.dis);
            for (unsigned i = 0; i < planes.earlier.count(); ++i)
                std::copy_n(planes.earlier[i].ref, 3, planes.earlier[i].dis);
            for (const char *display : {"standard_4k", "standard_hdr_pq"})
                EXPECT_EQ(FeatureRunner<CvvdpSums>(kCvvdp, {{"display", display}}, target).scores(planes, format)[0],
                          10);
        }
}

// ---- the feature's description ----

TEST(Cvvdp, RefusesWhatTheRangesOfOptionsLeave)
{
    const auto accepted = [](const Options &options) {
        const auto values = parse_options(kCvvdp, options);
        return values.ok() && kCvvdp.check_options(values.value()).ok();
    };
    EXPECT_TRUE(accepted({}));
    for (const char *display : {"standard_4k", "standard_fhd", "standard_hdr_pq"})
        EXPECT_TRUE(accepted({{"display", display}}));
    for (const char *display : {"", "standard", "STANDARD_4K", "standard_4k "})
        EXPECT_FALSE(accepted({{"display", display}})) << display;
    for (const char *ppd : {"0", "1", "200"})
        EXPECT_TRUE(accepted({{"ppd", ppd}})) << ppd;
    for (const char *ppd : {"0.5", "-1", "201", "nan", "inf"})
        EXPECT_FALSE(accepted({{"ppd", ppd}})) << ppd;
    for (const char *fps : {"1", "23.976", "240"})
        EXPECT_TRUE(accepted({{"fps", fps}})) << fps;
    for (const char *fps : {"0", "0.5", "241", "nan", "inf"})
        EXPECT_FALSE(accepted({{"fps", fps}})) << fps;
    for (const char *matrix : {"-1", "0", "5"})
        EXPECT_TRUE(accepted({{"yuv_matrix", matrix}})) << matrix;
    for (const char *matrix : {"-2", "6"})
        EXPECT_FALSE(accepted({{"yuv_matrix", matrix}})) << matrix;
    EXPECT_TRUE(accepted({{"transfer", "hlg"}, {"primaries", "p3"}}));
    EXPECT_FALSE(accepted({{"transfer", "gamma22"}}));
    EXPECT_FALSE(accepted({{"primaries", "dci"}}));
}

TEST(Cvvdp, LooksBackAsFarAsItsFilters)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    for (const auto &[fps, before] : std::vector<std::pair<const char *, unsigned>>{
             {"1", 2}, {"8", 2}, {"8.01", 4}, {"24", 6}, {"25", 8}, {"30", 8}, {"50", 14}, {"60", 16}, {"240", 60}}) {
        const ReadingWindow window = kCvvdp.create(parse_options(kCvvdp, {{"fps", fps}}).value())->window(format);
        EXPECT_EQ(window.look_back(), before) << fps;
        EXPECT_EQ(window.frames_before(), before);
        EXPECT_EQ(window.earlier[before - 1], (PairMask{kAllPlanes, kAllPlanes}));
    }
}

/// The memory that a ClipState writes to.
class Scores final : public ClipOutputs {
  public:
    std::optional<double> score(std::size_t, unsigned) const override { return std::nullopt; }
    void write_delayed(std::size_t output, unsigned frame, double value) override
    {
        EXPECT_EQ(output, 1U);
        EXPECT_TRUE(run.emplace(frame, value).second);
    }
    Status write_aggregate(std::size_t output, double value) override
    {
        EXPECT_EQ(output, 2U);
        clip = value;
        return {};
    }

    std::map<unsigned, double> run;
    double clip = 0;
};

struct Pooling {
    PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    std::unique_ptr<Feature> feature = kCvvdp.create(parse_options(kCvvdp, {}).value());

    std::unique_ptr<ClipState> state() const { return feature->make_clip_state(format); }
    static void add(ClipState &state, unsigned frame, unsigned which)
    {
        CvvdpSums sums{};
        sums.squares[0][0] = 4096.0 * (which + 1);
        state.reserve(frame);
        state.add(frame, 0, &sums);
    }
    /// pw(Q, 2) of one band and channel: pw(x^4, 1/4) and so on, by spec cvvdp 3.7.
    double term(unsigned which) const
    {
        CvvdpSums sums{};
        sums.squares[0][0] = 4096.0 * (which + 1);
        std::array<double, 1> score{};
        feature->finish(&sums, format, score);
        const double q = std::pow((10 - score[0]) / 0.0439569391310215, 1 / 0.9302042722702026);
        return (q + 1e-5) * (q + 1e-5) - 1e-10;
    }
};

double jod_of(double mean)
{
    return 10 - 0.0439569391310215 * std::pow(std::sqrt(mean + 1e-5) - std::sqrt(1e-5), 0.9302042722702026);
}

TEST(Cvvdp, PoolsFramesInTheOrderOfTheirIndices)
{
    const Pooling pooling;
    const auto state = pooling.state();
    Scores scores;
    Pooling::add(*state, 1, 1);
    state->advance(scores);
    EXPECT_TRUE(scores.run.empty()) << "frame 0 may still come";
    Pooling::add(*state, 0, 0);
    state->advance(scores);
    ASSERT_EQ(scores.run.size(), 2U);
    const double still = std::sqrt(pooling.term(0) + 1e-10) - 1e-5;
    EXPECT_NEAR(scores.run.at(0), 10 - 0.0439569391310215 * std::pow(0.577918291091919 * still, 0.9302042722702026),
                1e-9);
    EXPECT_NEAR(scores.run.at(1), jod_of((pooling.term(0) + pooling.term(1)) / 2), 1e-9);
    Pooling::add(*state, 7, 2); // others were never read
    state->advance(scores);
    EXPECT_EQ(scores.run.size(), 2U);
    ASSERT_TRUE(state->flush(scores).ok());
    EXPECT_NEAR(scores.run.at(7), jod_of((pooling.term(0) + pooling.term(1) + pooling.term(2)) / 3), 1e-9);
    EXPECT_EQ(scores.clip, scores.run.at(7));
}

TEST(Cvvdp, PoolsAClipOfItsParts)
{
    const Pooling pooling;
    const auto whole = pooling.state(), first = pooling.state(), second = pooling.state(), joined = pooling.state();
    for (unsigned frame = 0; frame < 6; ++frame)
        Pooling::add(*whole, frame, frame);
    for (unsigned frame = 0; frame < 4; ++frame) {
        Pooling::add(*first, frame, frame);
        Pooling::add(*second, frame, frame + 2);
    }
    for (unsigned frame = 0; frame < 6; ++frame)
        joined->reserve(frame);
    std::vector<std::byte> kept(joined->kept_bytes());
    for (unsigned frame = 0; frame < 6; ++frame) {
        if (frame < 3)
            first->save(frame, kept.data());
        else
            second->save(frame - 2, kept.data());
        joined->load(frame, kept.data());
    }
    Scores expected, actual;
    ASSERT_TRUE(whole->flush(expected).ok());
    ASSERT_TRUE(joined->flush(actual).ok());
    EXPECT_EQ(actual.run, expected.run);
    EXPECT_EQ(actual.clip, expected.clip);
    EXPECT_EQ(actual.run.size(), 6U);
}

TEST(Cvvdp, HasNoValueWithoutAFrame)
{
    const auto state = Pooling().state();
    Scores scores;
    scores.clip = -1;
    EXPECT_TRUE(state->flush(scores).ok());
    EXPECT_EQ(scores.clip, -1);
}

} // namespace
} // namespace vmaf::test
