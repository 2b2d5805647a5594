#include "feature/cambi/cambi.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "feature/cambi_pictures.h"
#include "support/clips.h"
#include "support/cpu_targets.h"

// The feature as the engine uses it: options, names, sizes, scores, heatmaps.

namespace vmaf::test {
namespace {

using Options = std::vector<OptionDict::Entry>;
const Options kNone;
const Options kA{{"enc_bitdepth", "10"}, {"max_log_contrast", "5"}, {"cambi_eotf", "pq"}};
const Options kB{{"max_log_contrast", "5"}, {"eotf", "pq"}, {"cambi_vis_lum_threshold", "0.5"}};
const Options kC{
    {"full_ref", "true"}, {"enc_width", "320"}, {"enc_height", "240"}, {"src_width", "330"}, {"src_height", "300"}};
const Options kV1{{"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}, {"cambi_max_val", "17"}};

Result<OptionValues> parse(const Options &options)
{
    OptionDict dict;
    for (const auto &[key, value] : options)
        dict.set(key, value);
    return OptionValues::parse(kCambi, dict);
}

Options with(Options options, const char *key, const char *value)
{
    options.emplace_back(key, value);
    return options;
}

std::unique_ptr<Feature> make_feature(const Options &options)
{
    return kCambi.create(parse(options).value());
}

/// One registration of the feature with one CPU backend.
class CambiSession {
  public:
    CambiSession(const PictureFormat &format, const Options &options, CpuTarget target = cpu_target(0))
        : feature_(make_feature(options)), format_(format)
    {
        status_ = feature_->check_format(format);
        if (status_.ok())
            cpu_ = feature_->make_cpu(format, target);
    }

    Status status() const { return status_; }

    Status extract(const PlaneView &ref, const PlaneView &dis, unsigned index, CambiSums &sums)
    {
        FramePlanes planes;
        planes.ref[0] = ref;
        planes.dis[0] = dis;
        planes.frame_index = index;
        return cpu_->extract(planes, &sums);
    }

    std::vector<double> scores(const PlaneView &ref, const PlaneView &dis, unsigned index = 0)
    {
        CambiSums sums{};
        EXPECT_TRUE(extract(ref, dis, index, sums).ok());
        std::vector<double> scores(feature_->outputs(format_).size());
        feature_->finish(&sums, format_, scores);
        return scores;
    }
    std::vector<double> scores(const LumaPair &pair) { return scores(pair.ref.view(), pair.dis.view()); }

  private:
    std::unique_ptr<Feature> feature_;
    PictureFormat format_;
    Status status_;
    std::unique_ptr<CpuExtractor> cpu_;
};

int format_code(unsigned width, unsigned height, const Options &options = {})
{
    return make_feature(options)->check_format({VMAF_PIX_FMT_YUV420P, 8, width, height}).code();
}

// The first table of spec cambi 6. Outputs: cambi, cambi_source, cambi_full_reference.
struct Expected {
    const char *clip;
    Options options;
    std::size_t output;
    std::vector<double> frames;
};

void expect_clip_scores(const Expected &expected)
{
    const Clip &clip = Clip::get(expected.clip);
    CambiSession session(clip.format(), expected.options);
    ASSERT_TRUE(session.status().ok());
    for (unsigned frame = 0; frame < expected.frames.size(); ++frame)
        EXPECT_EQ(session.scores(clip.plane(Side::ref, frame, 0), clip.plane(Side::dis, frame, 0))[expected.output],
                  expected.frames[frame])
            << expected.clip << " frame " << frame << " output " << expected.output;
}

TEST(Cambi, MatchesCheckValuesOfClips)
{
    const Options full_ref{{"full_ref", "true"}}, enc{{"enc_width", "480"}, {"enc_height", "270"}};
    const std::vector<Expected> table{
        {"bands_640x360_8", kNone, 0, {19.483791607626692, 19.484526414476242, 19.488499070838127}},
        {"bands_640x360_8", full_ref, 1, {1.9689784924392268, 1.9482408846815076, 1.9542527057631651}},
        {"bands_640x360_8", full_ref, 2, {17.514813115187465, 17.536285529794736, 17.534246365074964}},
        {"bands_640x360_8", kV1, 0, {17, 17, 17}},
        {"bands_640x360_8", enc, 0, {20.154778895954589, 20.155520974837934, 20.161171891264559}},
        {"bands_640x360_8",
         {{"max_log_contrast", "5"}, {"topk", "0.3"}},
         0,
         {25.809404613724503, 25.810137938608168, 25.816531211878889}},
        {"bands_960x540_10", kNone, 0, {19.75984757254172, 19.760989049739138, 19.764681824259338}},
        {"bands_960x540_10", enc, 0, {20.167187340033806, 20.168777189404718, 20.17150269158552}},
        {"tiles_352x288_10", kNone, 0, {0, 0, 0}},
        {"tiles_352x288_10", kA, 0, {21.941081453565488, 21.968875072933621, 21.750390784870284}},
        {"tiles_256x192_12", kA, 0, {27.07436757994417, 26.382150885538504, 26.245423301476293}},
        {"tiles_256x192_16", kA, 0, {27.07436757994417, 26.382150885538504, 26.245423301476293}},
        {"same_352x288_8", kNone, 0, {0, 0, 0}},
        {"same_352x288_8", with(kA, "full_ref", "true"), 0, {0, 0, 0}},
        {"same_352x288_8", with(kA, "full_ref", "true"), 1, {0, 0, 0}},
        {"same_352x288_8", with(kA, "full_ref", "true"), 2, {0, 0, 0}},
    };
    for (const Expected &expected : table)
        expect_clip_scores(expected);
}

TEST(Cambi, IsZeroOnFlatPictures)
{
    for (const unsigned value : {0U, 100U, 255U})
        for (const Options &options : {kNone, kV1, with(kNone, "full_ref", "true")}) {
            LumaPlane plane(352, 288, 8);
            plane.fill([&](unsigned, unsigned) { return value; });
            for (const double score : CambiSession(plane.format(), options).scores(plane.view(), plane.view()))
                EXPECT_EQ(score, 0) << value;
        }
}

TEST(CambiLarge, MatchesCheckValuesOfTiles1920x1080)
{
    expect_clip_scores({"tiles_1920x1080_8", kA, 0, {4.4217008546810144, 4.7467840983213829, 4.8832591664323273}});
}

struct ExpectedStairs {
    unsigned width, height, bits;
    Options options;
    std::size_t output;
    std::vector<double> frames;
};

void expect_stairs_scores(const ExpectedStairs &expected)
{
    for (unsigned frame = 0; frame < expected.frames.size(); ++frame) {
        const LumaPair pair = stairs(expected.width, expected.height, expected.bits, frame);
        CambiSession session(pair.dis.format(), expected.options);
        EXPECT_EQ(session.scores(pair)[expected.output], expected.frames[frame])
            << expected.width << "x" << expected.height << " frame " << frame << " output " << expected.output;
    }
}

TEST(Cambi, StairsAreThoseOfTheChapter)
{
    EXPECT_EQ(stairs(353, 289, 10, 0).dis.sum(), 26989756U);
    EXPECT_EQ(stairs(641, 363, 8, 0).dis.sum(), 15340072U);
    EXPECT_EQ(stairs(641, 363, 12, 0).dis.sum(), 246371680U);
    EXPECT_EQ(stairs(333, 301, 16, 0).dis.sum(), 1696819840U);
}

TEST(Cambi, MatchesCheckValuesOfStairs)
{
    const std::vector<ExpectedStairs> table{
        {353, 289, 10, kNone, 0, {10.283589582433624, 10.258912133307854, 10.240344771797902}},
        {353, 289, 10, kB, 0, {11.820043960701334, 11.825315052766236, 11.772786465385144}},
        {353, 289, 10, kC, 0, {10.002680942287791, 9.9920841622852681, 10.007028998681207}},
        {641, 363, 8, kNone, 0, {19.690379010721937, 19.669977702262045, 19.666717353628659}},
        {641, 363, 8, kC, 0, {19.044940654017758, 19.067181712497121, 18.924175264586665}},
        {641, 363, 8, kC, 1, {5.2408165747303688, 5.2042138115800496, 5.2759986963449901}},
        {641, 363, 8, kC, 2, {13.804124079287389, 13.86296790091707, 13.648176568241675}},
        {641, 363, 12, kNone, 0, {9.568035067336444, 9.5668559413061676, 9.5654527387497588}},
        {333, 301, 16, kNone, 0, {9.8593995936344907, 9.8634668500051674, 9.7877216629511476}},
        {333, 301, 16, kB, 0, {11.572329774600217, 11.555687255787383, 11.547631623344605}},
    };
    for (const ExpectedStairs &expected : table)
        expect_stairs_scores(expected);
}

const Options kV1Unclipped{
    {"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}, {"full_ref", "true"}};

TEST(Cambi, MatchesCheckValuesWithTheSpeedup)
{
    expect_stairs_scores({1921, 1081, 8, kV1Unclipped, 0, {18.911393074533049}});
}

TEST(CambiLarge, MatchesCheckValuesOfLargeStairs)
{
    EXPECT_EQ(stairs(1921, 1081, 8, 0).dis.sum(), 137024087U);
    expect_stairs_scores({1921, 1081, 8, kNone, 0, {18.039679400709563, 18.04083761365953}});
    expect_stairs_scores({1921, 1081, 8, kV1Unclipped, 0, {18.911393074533049, 18.92811207193969}});
    expect_stairs_scores({1921, 1081, 8, kV1Unclipped, 1, {1.2989668569089818, 1.298369114661337}});
}

// If sums were added in another order, the first value would be 5.1100418589064693.
TEST(CambiLarge, AddsUpInTheReferencesOrder)
{
    EXPECT_EQ(order(0).sum(), 1332314074U);
    const double whole[] = {5.110041858906472, 5.0990508766046929}, fast[] = {5.0972887559859217, 5.0865849220810651};
    for (unsigned frame = 0; frame < 2; ++frame) {
        const LumaPlane plane = order(frame);
        EXPECT_EQ(CambiSession(plane.format(), kNone).scores(plane.view(), plane.view())[0], whole[frame]);
        CambiSession speedup(plane.format(), {{"cambi_high_res_speedup", "1080"}});
        EXPECT_EQ(speedup.scores(plane.view(), plane.view())[0], fast[frame]);
    }
}

std::string name_with(const Options &options)
{
    return parse(options).value().output_name("Cambi_feature_cambi_score");
}

TEST(Cambi, NamesCarryTheOptionsInTheOrderOfTheirNames)
{
    EXPECT_EQ(name_with(kNone), "Cambi_feature_cambi_score");
    EXPECT_EQ(name_with(kV1), "cambi_hrs_1080_cmxv_17_vlt_0.06"); // options of the v1.0.16 models
    EXPECT_EQ(name_with(kA), "cambi_ceot_pq_encbd_10_mlc_5");
    EXPECT_EQ(name_with(kB), "cambi_vlt_0.5_eotf_pq_mlc_5");
    EXPECT_EQ(name_with(kC), "cambi_ench_240_encw_320_srch_300_srcw_330");
    EXPECT_EQ(name_with({{"topk", "0.5"}, {"cambi_topk", "0.4"}, {"tvi_threshold", "0.02"}, {"window_size", "63"}}),
              "cambi_ctpk_0.4_topk_0.5_tvit_0.02_ws_63");
    EXPECT_EQ(name_with({{"heatmaps_path", "x"}, {"full_ref", "true"}}), "Cambi_feature_cambi_score");
}

TEST(Cambi, ListsTheReferencesOutputsOnlyWithFullRef)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 352, 288};
    EXPECT_EQ(make_feature(kNone)->outputs(format).size(), 1U);
    const std::vector<OutputSpec> outputs = make_feature({{"full_ref", "true"}})->outputs(format);
    ASSERT_EQ(outputs.size(), 3U);
    EXPECT_STREQ(outputs[1].name, "cambi_source");
    EXPECT_STREQ(outputs[2].name, "cambi_full_reference");
    EXPECT_FALSE(outputs[1].provided);
    EXPECT_FALSE(outputs[2].provided);
}

TEST(Cambi, RefusesOptionValuesOutOfRange)
{
    const Options bad[] = {
        {{"cambi_max_val", "1001"}},
        {{"enc_width", "0"}},
        {{"enc_width", "179"}},
        {{"enc_height", "149"}},
        {{"enc_height", "7681"}},
        {{"enc_bitdepth", "0"}},
        {{"enc_bitdepth", "5"}},
        {{"enc_bitdepth", "17"}},
        {{"src_width", "319"}},
        {{"src_height", "4321"}},
        {{"src_height", "0"}},
        {{"window_size", "14"}},
        {{"window_size", "128"}},
        {{"topk", "0"}},
        {{"topk", "1.5"}},
        {{"cambi_topk", "0.00001"}},
        {{"tvi_threshold", "2"}},
        {{"cambi_vis_lum_threshold", "301"}},
        {{"max_log_contrast", "6"}},
        {{"max_log_contrast", "-1"}},
        {{"full_ref", "1"}},
        {{"cambi_high_res_speedup", "2161"}},
        {{"cambi_high_res_speedup", "fast"}},
    };
    for (const Options &options : bad)
        EXPECT_EQ(parse(options).status().code(), -EINVAL) << options[0].first << "=" << options[0].second;
}

TEST(Cambi, RefusesAnUnknownEotfWithTheFirstPicture)
{
    for (const char *option : {"eotf", "cambi_eotf"}) {
        EXPECT_EQ(format_code(352, 288, {{option, "hlg"}}), -EINVAL);
        EXPECT_EQ(format_code(352, 288, {{option, "bt1886"}}), 0);
        EXPECT_EQ(format_code(352, 288, {{option, "pq"}}), 0);
    }
    EXPECT_EQ(format_code(352, 288, {{"eotf", "pq"}, {"cambi_eotf", "hlg"}}), -EINVAL);
}

TEST(Cambi, AnEotfThatIsOverriddenMayBeAnything)
{
    EXPECT_EQ(format_code(352, 288, {{"eotf", "hlg"}, {"cambi_eotf", "bt1886"}}), -EINVAL);
    EXPECT_EQ(format_code(352, 288, {{"eotf", "hlg"}, {"cambi_eotf", "pq"}}), 0);
    const LumaPair pair = stairs(353, 289, 10, 0);
    const auto score = [&](const Options &options) { return CambiSession(pair.dis.format(), options).scores(pair)[0]; };
    EXPECT_EQ(score({{"eotf", "hlg"}, {"cambi_eotf", "pq"}}), score({{"cambi_eotf", "pq"}}));
}

TEST(Cambi, AcceptsPicturesWithOneLongSide)
{
    EXPECT_EQ(format_code(216, 100), 0);
    EXPECT_EQ(format_code(100, 216), 0);
    EXPECT_EQ(format_code(215, 215), -EINVAL);
    EXPECT_EQ(format_code(176, 144), -EINVAL);
}

TEST(Cambi, ComparesSizesOfBothPictures)
{
    EXPECT_EQ(format_code(352, 288, {{"enc_width", "200"}, {"enc_height", "200"}}), -EINVAL);
    EXPECT_EQ(format_code(352, 288, {{"src_width", "400"}, {"src_height", "250"}}), -EINVAL);
    EXPECT_EQ(format_code(352, 288, {{"src_width", "330"}, {"src_height", "300"}}), -EINVAL);
    EXPECT_EQ(format_code(352, 288, {{"src_width", "400"}, {"src_height", "300"}}), 0);
    EXPECT_EQ(format_code(352, 288, {{"src_width", "400"}}), 0) << "one of a pair is no size";
    EXPECT_EQ(format_code(352, 288, {{"enc_width", "180"}}), 0);
    EXPECT_EQ(format_code(352, 288, {{"enc_width", "353"}, {"enc_height", "150"}}), 0) << "larger than the picture";
}

TEST(Cambi, RefusesWindowsWiderThan65)
{
    EXPECT_EQ(format_code(3840, 2252), 0);
    EXPECT_EQ(format_code(3841, 2252), -EINVAL);
    EXPECT_EQ(format_code(4096, 2160), -EINVAL);
    EXPECT_EQ(format_code(7680, 4320), -EINVAL);
    EXPECT_EQ(format_code(7680, 4320, {{"cambi_high_res_speedup", "2160"}}), 0);
    EXPECT_EQ(format_code(1920, 1080, {{"window_size", "127"}}), 0);
    EXPECT_EQ(format_code(3840, 2160, {{"window_size", "127"}}), -EINVAL);
}

TEST(Cambi, WindowFollowsThePictureSize)
{
    const auto window = [](unsigned width, unsigned height, unsigned speedup) {
        return cambi_geometry({{0, 0}, {0, 0}, 65, speedup}, {VMAF_PIX_FMT_YUV420P, 8, width, height}).dis.window;
    };
    EXPECT_EQ(window(3840, 2160, 0), 65U);
    EXPECT_EQ(window(3840, 2160, 1080), 33U);
    EXPECT_EQ(window(3840, 2160, 2160), 33U);
    EXPECT_EQ(window(1920, 1080, 0), 33U);
    EXPECT_EQ(window(1920, 1080, 1080), 17U);
    EXPECT_EQ(window(1920, 1080, 1440), 33U);
    EXPECT_EQ(window(1920, 1080, 720), 33U);
    EXPECT_EQ(window(1280, 720, 1080), 21U);
    EXPECT_EQ(window(640, 360, 0), 11U);
}

TEST(Cambi, RefusesSamplesBeyondTheBitDepth)
{
    for (const unsigned bits : {9U, 10U, 12U, 15U}) {
        LumaPair pair{{352, 288, bits}, {352, 288, bits}};
        CambiSums sums{};
        CambiSession session(pair.dis.format(), {{"full_ref", "true"}, {"enc_width", "200"}, {"enc_height", "216"}});
        pair.dis.set(351, 287, (1U << bits) - 1);
        EXPECT_EQ(session.extract(pair.ref.view(), pair.dis.view(), 0, sums).code(), 0) << bits;
        pair.dis.set(351, 287, 1U << bits);
        EXPECT_EQ(session.extract(pair.ref.view(), pair.dis.view(), 0, sums).code(), -EINVAL) << bits;
        EXPECT_EQ(session.extract(pair.dis.view(), pair.ref.view(), 0, sums).code(), -EINVAL) << bits;
        CambiSession dis_only(pair.dis.format(), {});
        EXPECT_EQ(dis_only.extract(pair.dis.view(), pair.ref.view(), 0, sums).code(), 0) << bits;
    }
}

TEST(Cambi, TopkWinsOverCambiTopk)
{
    const LumaPair pair = stairs(353, 289, 10, 0);
    const auto score = [&](const Options &options) { return CambiSession(pair.dis.format(), options).scores(pair)[0]; };
    EXPECT_EQ(score({{"topk", "0.3"}, {"cambi_topk", "0.5"}}), score({{"cambi_topk", "0.3"}}));
    EXPECT_EQ(score({{"topk", "0.6"}, {"cambi_topk", "0.5"}}), score({{"cambi_topk", "0.5"}}));
    EXPECT_NE(score({{"cambi_topk", "0.3"}}), score({{"cambi_topk", "0.5"}}));
}

TEST(Cambi, ClipsEachOutputByItself)
{
    const LumaPair pair = stairs(641, 363, 8, 0); // 19.04, 5.24 and their difference 13.80
    const std::vector<double> scores = CambiSession(pair.dis.format(), with(kC, "cambi_max_val", "15")).scores(pair);
    EXPECT_EQ(scores, (std::vector<double>{15, 5.2408165747303688, 13.804124079287389}));
}

/// A folder that is removed with its test.
class Folder {
  public:
    Folder()
    {
        char name[] = "/tmp/cambi_test_XXXXXX";
        path_ = ::mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string operator/(const std::string &name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

std::vector<std::uint16_t> read_samples(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::uint16_t> samples(bytes.size() / 2);
    std::memcpy(samples.data(), bytes.data(), samples.size() * 2);
    return samples;
}

// The largest c-values of spec cambi 6's last table, and how many are not 0. W = 7 and N = 4 make Q
// = 49.
TEST(CambiHeatmaps, HoldTheCValuesOfEachScale)
{
    const Folder folder;
    const LumaPair pair = stairs(353, 289, 10, 0);
    CambiSession session(pair.dis.format(), {{"heatmaps_path", folder / "new/deep"}});
    ASSERT_TRUE(session.status().ok());
    session.scores(pair);
    const struct {
        const char *name;
        std::size_t pixels;
        std::ptrdiff_t positive;
        double largest;
    } scales[] = {{"scale_0_353x289", 353 * 289, 79150, 24.4285717},
                  {"scale_1_177x145", 177 * 145, 20214, 36.7567558},
                  {"scale_2_89x73", 89 * 73, 5083, 21.818182},
                  {"scale_3_45x37", 45 * 37, 1224, 16},
                  {"scale_4_23x19", 23 * 19, 284, 10}};
    for (const auto &scale : scales) {
        const std::vector<std::uint16_t> samples =
            read_samples(folder / ("new/deep/cambi_heatmap_" + std::string(scale.name) + "_16b.gray"));
        ASSERT_EQ(samples.size(), scale.pixels) << scale.name;
        EXPECT_EQ(std::count_if(samples.begin(), samples.end(), [](unsigned v) { return v > 0; }), scale.positive);
        EXPECT_EQ(*std::max_element(samples.begin(), samples.end()),
                  static_cast<int>(65535.0 / 49 * static_cast<double>(static_cast<float>(scale.largest))));
    }
    struct stat info;
    ASSERT_EQ(::stat((folder / "new").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07007U, 0U);
}

TEST(CambiHeatmaps, FramesStandWhereTheirIndexSays)
{
    const Folder folder;
    const LumaPair first = stairs(353, 289, 10, 0), second = stairs(353, 289, 10, 1);
    const Feature *const feature = make_feature({{"heatmaps_path", folder / "a"}}).release();
    const std::unique_ptr<const Feature> owner(feature);
    const PictureFormat format = first.dis.format();
    ASSERT_TRUE(feature->check_format(format).ok());
    const auto one = feature->make_cpu(format, cpu_target(0)), other = feature->make_cpu(format, cpu_target(0));
    const auto extract = [](CpuExtractor &cpu, const LumaPair &pair, unsigned index) {
        FramePlanes planes;
        planes.dis[0] = pair.dis.view();
        planes.frame_index = index;
        CambiSums sums;
        EXPECT_TRUE(cpu.extract(planes, &sums).ok());
    };
    extract(*other, second, 2);
    extract(*one, first, 0);

    CambiSession alone(format, {{"heatmaps_path", folder / "b"}});
    alone.scores(second.ref.view(), second.dis.view(), 0);
    const std::string name = "cambi_heatmap_scale_1_177x145_16b.gray";
    const std::vector<std::uint16_t> both = read_samples(folder / ("a/" + name));
    const std::vector<std::uint16_t> expected = read_samples(folder / ("b/" + name));
    constexpr std::size_t kPixels = 177 * 145;
    ASSERT_EQ(both.size(), 3 * kPixels);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), both.begin() + 2 * kPixels));
    EXPECT_TRUE(std::all_of(both.begin() + kPixels, both.begin() + 2 * kPixels, [](unsigned v) { return v == 0; }));
    EXPECT_TRUE(std::any_of(both.begin(), both.begin() + kPixels, [](unsigned v) { return v > 0; }));
}

TEST(CambiHeatmaps, NameIgnoresTheSpeedup)
{
    const Folder folder;
    LumaPlane plane(1920, 1080, 8);
    CambiSession session(plane.format(), {{"heatmaps_path", folder / "x"}, {"cambi_high_res_speedup", "1080"}});
    ASSERT_TRUE(session.status().ok());
    session.scores(plane.view(), plane.view());
    EXPECT_EQ(read_samples(folder / "x/cambi_heatmap_scale_0_1920x1080_16b.gray").size(), 960U * 540);
    EXPECT_EQ(read_samples(folder / "x/cambi_heatmap_scale_4_120x68_16b.gray").size(), 60U * 34);
}

TEST(CambiHeatmaps, RefusesAFolderThatCannotBeMade)
{
    const Folder folder;
    std::ofstream(folder / "file") << "x";
    EXPECT_EQ(format_code(352, 288, {{"heatmaps_path", folder / "file"}}), -EINVAL);
    EXPECT_EQ(format_code(352, 288, {{"heatmaps_path", folder / "file/below"}}), -EINVAL);
}

TEST(CambiHeatmaps, ReportAFullDisk)
{
    const Folder folder;
    ASSERT_EQ(::symlink("/dev/full", (folder / "cambi_heatmap_scale_3_45x37_16b.gray").c_str()), 0);
    const LumaPair pair = stairs(353, 289, 10, 0);
    CambiSession session(pair.dis.format(), {{"heatmaps_path", folder / ""}});
    ASSERT_TRUE(session.status().ok());
    CambiSums sums{};
    EXPECT_EQ(session.extract(pair.ref.view(), pair.dis.view(), 0, sums).code(), -EIO);
}

} // namespace
} // namespace vmaf::test
