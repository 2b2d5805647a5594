// Sessions on the Vulkan device of Mesa's software driver. Features have the CPU's scores (spec
// vulkan 1, 4).

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "support/session.h"

namespace vmaf::test {
namespace {

struct FreeState {
    void operator()(VmafVulkanState *state) const { vmaf_vulkan_state_free(state); }
};
using State = std::unique_ptr<VmafVulkanState, FreeState>;

int make_state(State &made, const VmafVulkanConfiguration &config = {})
{
    VmafVulkanState *state = nullptr;
    const int error = vmaf_vulkan_state_init(&state, config);
    made.reset(state);
    return error;
}

/// Samples over the whole range of the depth, different on both sides.
unsigned noise(const ClipSpec &spec, Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)
{
    std::uint32_t value = (x * 2654435761U) ^ (y * 2246822519U) ^ ((frame * 3 + plane + 1) * 3266489917U) ^
                          (side == Side::ref ? 0U : 668265263U);
    value ^= value >> 15;
    value *= 2246822519U;
    value ^= value >> 13;
    const unsigned top = (1U << spec.bits) - 1;
    if (value % 5 == 0)
        return side == Side::ref ? top : 0; // the largest error
    return value & top;
}

std::string json_of(VmafContext *context)
{
    std::string path = ::testing::TempDir() + "vulkan_scores_" +
                       std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
    EXPECT_EQ(vmaf_write_output_with_format(context, path.c_str(), VMAF_OUTPUT_FORMAT_JSON, "%.17g"), 0);
    std::string text;
    if (std::FILE *file = std::fopen(path.c_str(), "r")) {
        for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
            text.push_back(static_cast<char>(c));
        std::fclose(file);
        std::remove(path.c_str());
    }
    const std::size_t frames = text.find("\"frames\"");
    EXPECT_NE(frames, std::string::npos);
    return frames == std::string::npos ? text : text.substr(frames); // the text before has the frames per second
}

/// A feature and its options. Options without "=" are true.
struct Request {
    const char *feature;
    std::vector<std::string> options = {};
};
using Features = std::vector<Request>;

/// Features whose scores show their sums.
const Request kPsnr{"psnr", {"enable_mse", "enable_apsnr"}};
const Request kMotion{"motion", {"debug"}};
const Request kVif{"vif", {"debug"}};
const Request kAdm{"adm", {"debug"}};

int use(VmafContext *context, const Request &request)
{
    VmafFeatureDictionary *options = nullptr;
    for (const std::string &option : request.options) {
        const std::size_t end = option.find('=');
        const std::string value = end == std::string::npos ? "true" : option.substr(end + 1);
        EXPECT_EQ(vmaf_feature_dictionary_set(&options, option.substr(0, end).c_str(), value.c_str()), 0);
    }
    return vmaf_use_feature(context, request.feature, options);
}

/// Scores of the whole clip as text. @param state null for the CPU.
std::string scores(const Clip &clip, VmafVulkanState *state, const Features &features = {kPsnr}, unsigned threads = 0,
                   unsigned subsample = 0)
{
    const Context context = open_context(threads, subsample);
    if (state != nullptr) {
        EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state), 0);
    }
    for (const Request &request : features)
        EXPECT_EQ(use(context.get(), request), 0) << request.feature;
    EXPECT_EQ(feed_all(context.get(), clip), 0);
    return json_of(context.get());
}

class VulkanSessions : public ::testing::Test {
  protected:
    void SetUp() override
    {
        const int error = make_state(state);
        if (error == -ENODEV)
            GTEST_SKIP() << "there is no Vulkan device (Debian: mesa-vulkan-drivers)";
        ASSERT_EQ(error, 0);
    }

    State state;
};

void expect_the_cpus(const ClipSpec &spec, VmafVulkanState *state, const Features &features, unsigned subsample = 0)
{
    SCOPED_TRACE(::testing::Message() << spec.width << 'x' << spec.height << ", " << spec.bits << " bits, format "
                                      << spec.pix_fmt << ", every " << subsample);
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return noise(spec, side, frame, plane, x, y);
    });
    const std::string expected = scores(clip, nullptr, features, 0, subsample);
    EXPECT_NE(expected.find("frameNum"), std::string::npos);
    EXPECT_EQ(scores(clip, state, features, 0, subsample), expected);
}

TEST_F(VulkanSessions, PsnrOfEverySizeDepthAndFormatIsTheCpus)
{
    constexpr std::array<std::array<unsigned, 2>, 8> kSizes{
        {{1, 1}, {2, 2}, {3, 17}, {16, 16}, {67, 35}, {255, 1}, {513, 33}, {1, 260}}};
    for (const VmafPixelFormat format :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const unsigned bits : {8U, 10U, 12U, 16U})
            for (const auto &[width, height] : kSizes)
                expect_the_cpus({"noise", width, height, bits, format, 2, "", ""}, state.get(), {kPsnr});
}

/// Each size has another depth and format. Tiles of the kernels are 112 to 126 columns by 8 rows,
/// and 32 by 8 in a picture of half the size.
void expect_sizes(VmafVulkanState *state, const Features &features, const std::vector<std::array<unsigned, 2>> &sizes,
                  unsigned most_bits = 16)
{
    constexpr unsigned kBits[] = {8, 16, 10, 9, 12, 14};
    constexpr VmafPixelFormat kFormats[] = {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV422P,
                                            VMAF_PIX_FMT_YUV444P};
    for (unsigned i = 0; i < sizes.size(); ++i)
        expect_the_cpus(
            {"noise", sizes[i][0], sizes[i][1], std::min(kBits[i % 6], most_bits), kFormats[i % 4], 3, "", ""}, state,
            features);
}

TEST_F(VulkanSessions, MotionOfEverySizeIsTheCpus)
{
    expect_sizes(state.get(), {kMotion},
                 {{3, 3}, {4, 3}, {3, 70}, {17, 16}, {123, 17}, {124, 15}, {125, 33}, {249, 5}, {130, 34}});
    expect_sizes(state.get(), {{"motion", {"debug", "motion_five_frame_window"}}}, {{5, 4}, {126, 18}});
    expect_sizes(state.get(), {{"motion", {"debug", "motion_force_zero"}}}, {{5, 4}});
}

TEST_F(VulkanSessions, VifOfEverySizeIsTheCpus)
{
    // Below 16 the last scale is one sample wide or high.
    expect_sizes(state.get(), {kVif},
                 {{8, 8}, {9, 15}, {15, 40}, {70, 9}, {16, 17}, {111, 16}, {112, 18}, {113, 31}, {127, 8}, {240, 27}});
    expect_sizes(state.get(), {{"vif", {"debug", "vif_skip_scale0"}}}, {{33, 19}});
}

TEST_F(VulkanSessions, AdmOfEverySizeIsTheCpus)
{
    expect_sizes(state.get(), {kAdm},
                 {{16, 16}, {17, 19}, {31, 33}, {64, 16}, {65, 17}, {66, 34}, {131, 47}, {190, 66}});
    expect_sizes(state.get(), {{"adm", {"debug", "adm_skip_scale0"}}, {"adm", {"adm_skip_aim"}}}, {{33, 19}});
}

TEST_F(VulkanSessions, PsnrHvsOfEverySizeIsTheCpus)
{
    constexpr unsigned kMostBits = 12;
    // Sizes without a block, with one, and with a run of 128 and one more; planes of many runs.
    expect_sizes(state.get(), {{"psnr_hvs"}},
                 {{7, 9}, {8, 8}, {15, 16}, {71, 120}, {8, 904}, {64, 905}, {450, 253}, {131, 67}}, kMostBits);
    const ClipSpec spec{"equal but for the end", 320, 180, 8, VMAF_PIX_FMT_YUV420P, 2, "", ""};
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return noise(spec, y < 170 ? Side::ref : side, frame, plane, x, y) >> (x < 100 ? 7 : 0);
    });
    EXPECT_EQ(scores(clip, state.get(), {{"psnr_hvs"}}), scores(clip, nullptr, {{"psnr_hvs"}}));
}

TEST_F(VulkanSessions, XpsnrOfEverySizeIsTheCpus)
{
    // Sizes without blocks, with thin blocks, with blocks of one row, and without smoothing.
    const std::vector<std::array<unsigned, 2>> sizes{{9, 8},    {45, 45},  {177, 145}, {8, 1500},
                                                     {1500, 8}, {176, 31}, {700, 450}, {129, 65}};
    expect_sizes(state.get(), {{"xpsnr"}}, sizes);
    expect_sizes(state.get(), {{"xpsnr", {"fps=50", "enable_chroma=false"}}}, {{45, 46}, {177, 64}});
}

TEST_F(VulkanSessions, XpsnrOfLargePicturesIsTheCpus)
{
    for (const char *fps : {"25", "50"})
        expect_the_cpus({"noise", 4099, 577, 8, VMAF_PIX_FMT_YUV420P, 3, "", ""}, state.get(),
                        {{"xpsnr", {std::string("fps=") + fps}}});
}

TEST_F(VulkanSessions, SamplesAboveTheDepthAreTheCpus)
{
    const ClipSpec spec{"above", 67, 35, 10, VMAF_PIX_FMT_YUV420P, 2, "", ""};
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return noise(spec, side, frame, plane, x, y) * (x % 3 == 0 ? 60U : 1U);
    });
    const Features features{kMotion, kAdm, {"psnr_hvs"}, {"xpsnr"}};
    EXPECT_EQ(scores(clip, state.get(), features), scores(clip, nullptr, features));
}

TEST_F(VulkanSessions, LimitsOfTheGainAreTheCpus)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const char *limit : {"1", "1.07", "20.25"}) {
        const Features features{{"vif", {std::string("vif_enhn_gain_limit=") + limit}},
                                {"adm", {std::string("adm_enhn_gain_limit=") + limit}}};
        EXPECT_EQ(scores(clip, state.get(), features), scores(clip, nullptr, features)) << limit;
    }
}

/// Slopes with steps that c-values see, a dither, and the noise of a frame's left border.
unsigned stairs(const ClipSpec &spec, Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)
{
    const unsigned level = 60 + (x + frame) / 9 + y / 23 + (side == Side::dis && (x * y) % 11 == 0 ? 1 : 0);
    if (x < 40)
        return noise(spec, side, frame, plane, x, y);
    return (level << (spec.bits - 8)) + (spec.bits > 8 ? y / 16 % 2 : 0);
}

TEST_F(VulkanSessions, CambiOfEverySizeAndOptionIsTheCpus)
{
    struct Case {
        unsigned width, height, bits;
        std::vector<std::string> options;
    };
    const Case cases[] = {
        {216, 100, 8, {}},
        {217, 33, 10, {"full_ref", "cambi_vis_lum_threshold=10"}},
        {17, 217, 16, {"full_ref", "max_log_contrast=5", "window_size=127"}},
        {225, 97, 9, {"enc_bitdepth=8", "cambi_vis_lum_threshold=0.06"}},
        {250, 260, 12, {"full_ref", "src_width=320", "src_height=300", "max_log_contrast=0", "cambi_topk=1"}},
        {330, 240, 8, {"enc_width=290", "enc_height=200", "eotf=pq", "max_log_contrast=3", "cambi_topk=0.0001"}},
    };
    for (const Case &one : cases)
        for (const bool is_noise : {false, true}) {
            const ClipSpec spec{"stairs", one.width, one.height, one.bits, VMAF_PIX_FMT_YUV420P, 2, "", ""};
            const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
                return is_noise ? noise(spec, side, frame, plane, x, y) : stairs(spec, side, frame, plane, x, y);
            });
            const Features features{{"cambi", one.options}};
            EXPECT_EQ(scores(clip, state.get(), features), scores(clip, nullptr, features)) << one.width;
        }
}

TEST_F(VulkanSessions, CambiOfLargePicturesIsTheCpus)
{
    const ClipSpec spec{"stairs", 1920, 1080, 8, VMAF_PIX_FMT_YUV400P, 1, "", ""};
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return stairs(spec, side, frame, plane, x, y);
    });
    const Features halved{{"cambi", {"cambi_high_res_speedup=1080"}}};
    EXPECT_EQ(scores(clip, state.get(), halved), scores(clip, nullptr, halved));
}

TEST_F(VulkanSessions, CambiRefusesSamplesAboveTheDepth)
{
    const ClipSpec spec{"above", 217, 33, 10, VMAF_PIX_FMT_YUV400P, 1, "", ""};
    for (const Side bad : {Side::ref, Side::dis}) {
        const Clip clip(spec, [&](Side side, unsigned, unsigned, unsigned x, unsigned y) {
            return side == bad && x == 216 && y == 32 ? 1024U : 1023U;
        });
        const Context context = open_context(0);
        ASSERT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), 0);
        EXPECT_EQ(use(context.get(), {"cambi", {"full_ref"}}), 0);
        EXPECT_EQ(feed_all(context.get(), clip), -EINVAL);
    }
}

// The widest window and the largest contrasts. With a few c-values of 2/3, every order of adding
// gives another sum.
TEST_F(VulkanSessions, CambisSumThatDependsOnItsOrderIsTheCpus)
{
    const ClipSpec spec{"order", 3030, 64, 10, VMAF_PIX_FMT_YUV400P, 1, "", ""};
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) -> unsigned {
        if (x % 300 < 6)
            return noise(spec, side, frame, plane, x, y);
        if (y == 0 && x % 300 > 100 && x % 300 < 104) // places where the mode filter leaves them
            return x % 300 == 102 ? 150 : 151;
        return x / 10 % 2 == 0 ? 500 : 532;
    });
    const Features features{{"cambi", {"window_size=127", "max_log_contrast=5", "cambi_topk=0.99"}}};
    EXPECT_EQ(scores(clip, state.get(), features), scores(clip, nullptr, features));
}

/// Tiles with noise that change from frame to frame. A corner of the reference is flat.
unsigned texture(const ClipSpec &spec, Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)
{
    const unsigned top = (1U << spec.bits) - 1;
    if (side == Side::ref && x < 100 && y < 100)
        return top / 3;
    const unsigned tile = noise(spec, Side::ref, frame / 2, plane, x / 13, y / 11) / 2;
    return std::min(top, tile + noise(spec, side, frame, plane, x, y) / (side == Side::ref ? 8 : 5));
}

TEST_F(VulkanSessions, SpeedOfEverySizeAndOptionIsTheCpus)
{
    struct Case {
        unsigned width, height, bits;
        VmafPixelFormat format;
        Features features;
    };
    const Request v1{"speed_chroma", {"speed_nn_floor=0.1", "speed_sigma_nn=0.19", "speed_weight_var_mode=5"}};
    const Case cases[] = {
        {160, 160, 8, VMAF_PIX_FMT_YUV420P, {{"speed_chroma"}, {"speed_temporal"}}},
        {245, 242, 10, VMAF_PIX_FMT_YUV444P, {v1, {"speed_temporal", {"speed_use_ref_diff"}}}},
        {330, 170, 16, VMAF_PIX_FMT_YUV422P, {v1, {"speed_temporal", {"speed_kernelscale=3.71134"}}}},
        {243, 167, 9, VMAF_PIX_FMT_YUV400P, {{"speed_temporal", {"speed_sigma_nn=2"}}}},
        {401,
         337,
         12,
         VMAF_PIX_FMT_YUV420P,
         {{"speed_chroma", {"speed_kernelscale=2", "speed_weight_var_mode=3"}},
          {"speed_temporal", {"speed_prescale=0.6", "speed_prescale_method=bilinear"}}}},
        {180,
         190,
         8,
         VMAF_PIX_FMT_YUV444P,
         {{"speed_chroma", {"speed_prescale=1.3", "speed_prescale_method=nearest", "speed_weight_var_mode=6"}},
          {"speed_chroma", {"speed_prescale=0.9", "speed_prescale_method=bicubic", "speed_weight_var_mode=1"}}}},
        {343,
         230,
         10,
         VMAF_PIX_FMT_YUV444P,
         {{"speed_chroma", {"speed_prescale=0.7", "speed_prescale_method=lanczos4", "speed_weight_var_mode=2"}},
          {"speed_chroma", {"speed_weight_var_mode=4"}}}},
    };
    for (const Case &one : cases) {
        const ClipSpec spec{"texture", one.width, one.height, one.bits, one.format, 3, "", ""};
        const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
            return texture(spec, side, frame, plane, x, y);
        });
        EXPECT_EQ(scores(clip, state.get(), one.features), scores(clip, nullptr, one.features)) << one.width;
    }
}

// One side is flat, or both are, or the pictures are the same.
TEST_F(VulkanSessions, SpeedOfSingularPlanesIsTheCpus)
{
    const ClipSpec spec{"flat", 256, 176, 8, VMAF_PIX_FMT_YUV444P, 4, "", ""};
    const Clip clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) -> unsigned {
        const bool is_flat = frame == 1 ? plane == 2 && side == Side::ref : frame == 2 ? plane == 1 : false;
        return is_flat ? 99 : texture(spec, frame == 3 ? Side::ref : side, frame, plane, x, y);
    });
    const Features features{{"speed_chroma", {"speed_weight_var_mode=5"}}, {"speed_temporal"}};
    EXPECT_EQ(scores(clip, state.get(), features), scores(clip, nullptr, features));
}

TEST_F(VulkanSessions, ScoresOfManyBatchesAreTheCpus)
{
    for (const unsigned frames : {1U, 7U, 8U, 9U, 50U})
        expect_the_cpus({"noise", 98, 54, 10, VMAF_PIX_FMT_YUV420P, frames, "", ""}, state.get(), {kPsnr});
    expect_the_cpus({"noise", 98, 54, 8, VMAF_PIX_FMT_YUV420P, 20, "", ""}, state.get(), {kPsnr}, 3);
    // Scratch memory serves one batch after another, and one feature after another.
    expect_the_cpus({"noise", 34, 18, 8, VMAF_PIX_FMT_YUV420P, 35, "", ""}, state.get(),
                    {kAdm, {"xpsnr"}, kMotion, {"psnr_hvs"}, kVif, {"motion", {"motion_five_frame_window"}}});
    expect_the_cpus({"noise", 34, 18, 8, VMAF_PIX_FMT_YUV420P, 20, "", ""}, state.get(), {kVif, kMotion, kAdm}, 3);
    expect_the_cpus({"noise", 217, 176, 8, VMAF_PIX_FMT_YUV444P, 19, "", ""}, state.get(),
                    {{"speed_temporal"}, {"cambi", {"full_ref"}}, {"speed_chroma"}, kAdm}, 3);
}

TEST_F(VulkanSessions, SumsBeyond32BitsAreTheCpus)
{
    const ClipSpec spec{"far apart", 700, 400, 16, VMAF_PIX_FMT_YUV444P, 2, "", ""};
    const Clip clip(spec,
                    [](Side side, unsigned, unsigned, unsigned, unsigned) { return side == Side::ref ? 65535U : 0U; });
    EXPECT_EQ(scores(clip, state.get()), scores(clip, nullptr));
}

TEST_F(VulkanSessions, OtherFeaturesOfTheSessionRunOnTheCpu)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Features features{{"float_ssim"}, kPsnr, {"float_motion"}};
    for (const unsigned threads : {0U, 2U})
        EXPECT_EQ(scores(clip, state.get(), features, threads), scores(clip, nullptr, features));
}

/// Scores of the model over any number of frames: the clip is repeated.
/// @param state null for the CPU.
std::vector<double> model_scores(const Clip &clip, unsigned frames, VmafVulkanState *state)
{
    const Context context = open_context(0);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    if (state != nullptr) {
        EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state), 0);
    }
    EXPECT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
    for (unsigned frame = 0; frame < frames; ++frame)
        EXPECT_EQ(feed(context.get(), clip, frame % clip.spec().frames, frame), 0);
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    std::vector<double> made(frames);
    for (unsigned frame = 0; frame < frames; ++frame)
        EXPECT_EQ(vmaf_score_at_index(context.get(), model.get(), &made[frame], frame), 0);
    return made;
}

// The GPU check sets VMAF_TEST_RACE_FRAMES to 20000.
TEST_F(VulkanSessions, SessionsAtOnceHaveTheCpusScoresFrameByFrame)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const char *wanted = std::getenv("VMAF_TEST_RACE_FRAMES");
    const unsigned frames = wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 24;
    State other_state;
    ASSERT_EQ(make_state(other_state), 0);
    std::array<std::vector<double>, 3> made;
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < made.size(); ++i)
        clients.emplace_back([&, i] { made[i] = model_scores(clip, frames, i < 2 ? state.get() : other_state.get()); });
    const std::vector<double> expected = model_scores(clip, frames, nullptr);
    clients.clear();
    for (const std::vector<double> &scores : made)
        EXPECT_EQ(scores, expected);
}

TEST_F(VulkanSessions, TheStateMayGoBeforeTheContext)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context context = open_context(0);
    ASSERT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), 0);
    state.reset();
    ASSERT_EQ(vmaf_use_feature(context.get(), "psnr", nullptr), 0);
    EXPECT_EQ(feed_all(context.get(), clip), 0);
}

TEST_F(VulkanSessions, WrongCallsAreRefused)
{
    VmafVulkanState *none = nullptr;
    EXPECT_EQ(vmaf_vulkan_state_init(nullptr, {}), -EINVAL);
    VmafVulkanConfiguration config{};
    config.logical_device = &config;
    EXPECT_EQ(vmaf_vulkan_state_init(&none, config), -EINVAL) << "only one of three handles";
    config = {};
    config.device = 1000;
    EXPECT_EQ(vmaf_vulkan_state_init(&none, config), -ENODEV);

    const Context context = open_context(0);
    EXPECT_EQ(vmaf_vulkan_import_state(nullptr, state.get()), -EINVAL);
    EXPECT_EQ(vmaf_vulkan_import_state(context.get(), nullptr), -EINVAL);
    EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), 0);
    EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), -EINVAL) << "a second time";
    EXPECT_EQ(vmaf_vulkan_state_free(nullptr), 0);
}

// NV12 in the client's memory. Its planes are separated on the way to the device.
std::string scores_of_nv12(VmafVulkanState *state)
{
    constexpr unsigned kWidth = 70, kHeight = 34;
    const ClipSpec spec{"noise", kWidth, kHeight * 3 / 2, 8, VMAF_PIX_FMT_YUV400P, 3, "", ""};
    const Context context = open_context(0);
    if (state != nullptr) {
        EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state), 0);
    }
    EXPECT_EQ(use(context.get(), kPsnr), 0);
    std::array<std::vector<unsigned char>, 6> memory; // until the flush
    for (unsigned frame = 0; frame < spec.frames; ++frame) {
        std::array<VmafPicture, 2> pictures{};
        for (const Side side : {Side::ref, Side::dis}) {
            std::vector<unsigned char> &samples = memory[2 * frame + (side == Side::ref ? 0 : 1)];
            for (unsigned y = 0; y < spec.height; ++y)
                for (unsigned x = 0; x < kWidth; ++x)
                    samples.push_back(static_cast<unsigned char>(noise(spec, side, frame, 0, x, y)));
            VmafForeignPicture foreign{};
            foreign.struct_size = sizeof foreign;
            foreign.pix_fmt = VMAF_PIX_FMT_YUV420P;
            foreign.layout = VMAF_PLANE_LAYOUT_SEMI_PLANAR;
            foreign.bpc = 8;
            foreign.w = kWidth;
            foreign.h = kHeight;
            foreign.data[0] = samples.data();
            foreign.data[1] = samples.data() + kWidth * kHeight;
            foreign.stride[0] = foreign.stride[1] = kWidth;
            EXPECT_EQ(vmaf_picture_wrap(context.get(), &pictures[side == Side::ref ? 0 : 1], &foreign), 0);
        }
        EXPECT_EQ(vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], frame), 0);
    }
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    return json_of(context.get());
}

TEST_F(VulkanSessions, PairsOfChromaAreTakenApart)
{
    const std::string expected = scores_of_nv12(nullptr);
    EXPECT_NE(expected.find("psnr_cr"), std::string::npos);
    EXPECT_EQ(scores_of_nv12(state.get()), expected);
}

/// A client's view of a picture from a pool.
struct View {
    unsigned left = 0;         ///< columns that are cut off
    bool is_one_field = false; ///< every second row
};

// The pool may belong to another session, which may be closed already.
std::string scores_of_pool(VmafVulkanState *pools, VmafVulkanState *state, const View &view)
{
    constexpr unsigned kWidth = 78, kCutWidth = 70, kHeight = 34, kFrames = 40;
    const ClipSpec spec{"noise", kWidth, kHeight, 8, VMAF_PIX_FMT_YUV400P, kFrames, "", ""};
    Context pool = open_context(0);
    const Context context = open_context(0);
    if (pools != nullptr) {
        EXPECT_EQ(vmaf_vulkan_import_state(pool.get(), pools), 0);
    }
    if (state != nullptr) {
        EXPECT_EQ(vmaf_vulkan_import_state(context.get(), state), 0);
    }
    EXPECT_EQ(use(context.get(), kPsnr), 0);
    EXPECT_EQ(use(context.get(), kMotion), 0);
    EXPECT_EQ(vmaf_preallocate_pictures(pool.get(), {{kWidth, kHeight, 8, VMAF_PIX_FMT_YUV400P}, 2}), 0);
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        std::array<VmafPicture, 2> pictures{};
        for (const Side side : {Side::ref, Side::dis}) {
            VmafPicture &picture = pictures[side == Side::ref ? 0 : 1];
            EXPECT_EQ(vmaf_fetch_preallocated_picture(pool.get(), &picture), 0);
            auto *const samples = static_cast<unsigned char *>(picture.data[0]);
            for (unsigned y = 0; y < kHeight; ++y)
                for (unsigned x = 0; x < kWidth; ++x)
                    samples[picture.stride[0] * y + x] = static_cast<unsigned char>(noise(spec, side, frame, 0, x, y));
            picture.data[0] = samples + view.left;
            picture.w[0] = kCutWidth;
            picture.stride[0] *= view.is_one_field ? 2 : 1;
            picture.h[0] /= view.is_one_field ? 2 : 1;
        }
        if (frame == kFrames - 1)
            pool.reset();
        EXPECT_EQ(vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], frame), 0);
    }
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    return json_of(context.get());
}

TEST_F(VulkanSessions, PicturesOfAPoolAreReadWhereTheyLie)
{
    State other;
    ASSERT_EQ(make_state(other), 0);
    for (const View &view : {View{}, View{.left = 3}, View{.left = 8, .is_one_field = true}}) {
        const std::string expected = scores_of_pool(nullptr, nullptr, view);
        EXPECT_NE(expected.find("psnr_y"), std::string::npos);
        for (VmafVulkanState *const pools : {static_cast<VmafVulkanState *>(nullptr), other.get(), state.get()})
            EXPECT_EQ(scores_of_pool(pools, state.get(), view), expected) << view.left;
        EXPECT_EQ(scores_of_pool(state.get(), nullptr, view), expected) << "on the CPU";
    }
}

TEST_F(VulkanSessions, APictureOfAPoolOutlivesItsSessionAndState)
{
    VmafPicture picture{};
    Context context = open_context(0);
    ASSERT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), 0);
    ASSERT_EQ(vmaf_preallocate_pictures(context.get(), {{16, 16, 8, VMAF_PIX_FMT_YUV400P}, 1}), 0);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(context.get(), &picture), 0);
    context.reset();
    state.reset();
    std::fill_n(static_cast<unsigned char *>(picture.data[0]), 16, static_cast<unsigned char>(1));
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST_F(VulkanSessions, PicturesInDeviceMemoryAreRefused)
{
    const Context context = open_context(0);
    ASSERT_EQ(vmaf_vulkan_import_state(context.get(), state.get()), 0);
    std::array<unsigned char, 256> samples{};
    VmafForeignPicture foreign{};
    foreign.struct_size = sizeof foreign;
    foreign.pix_fmt = VMAF_PIX_FMT_YUV400P;
    foreign.bpc = 8;
    foreign.w = foreign.h = 16;
    foreign.memory = VMAF_MEMORY_CUDA_DEVICE;
    foreign.data[0] = samples.data();
    foreign.stride[0] = 16;
    VmafPicture picture{};
    EXPECT_EQ(vmaf_picture_wrap(context.get(), &picture, &foreign), -EINVAL);
}

TEST(VulkanFeatures, AreToldFromThoseOfTheCpu)
{
    std::vector<std::string> on_vulkan;
    for (const VmafFeatureInfo *info = vmaf_feature_list(nullptr); info != nullptr; info = vmaf_feature_list(info))
        if (vmaf_feature_runs_on(info, VMAF_DEVICE_VULKAN) != 0)
            on_vulkan.emplace_back(info->name);
    const auto has = [&](const char *name) { return std::ranges::find(on_vulkan, name) != on_vulkan.end(); };
    EXPECT_TRUE(has("vif"));
    EXPECT_FALSE(has("ciede"));
    const VmafFeatureInfo *const first = vmaf_feature_list(nullptr);
    EXPECT_EQ(vmaf_feature_runs_on(first, static_cast<VmafDeviceKind>(0)), 0);
    EXPECT_EQ(vmaf_feature_runs_on(nullptr, VMAF_DEVICE_VULKAN), 0);
}

TEST_F(VulkanSessions, ChecksAreChosenForAState)
{
    EXPECT_EQ(vmaf_vulkan_state_check(nullptr, VMAF_VULKAN_CHECK_FAIL), -EINVAL);
    EXPECT_EQ(vmaf_vulkan_state_check(state.get(), static_cast<VmafVulkanCheck>(3)), -EINVAL);
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const VmafVulkanCheck check : {VMAF_VULKAN_CHECK_FAIL, VMAF_VULKAN_CHECK_NONE}) {
        EXPECT_EQ(vmaf_vulkan_state_check(state.get(), check), 0);
        EXPECT_EQ(scores(clip, state.get(), {kVif, kPsnr}), scores(clip, nullptr, {kVif, kPsnr})) << check;
    }
}

/// Runs on a driver that miscompiles psnr (test/vulkan/faulty_driver).
class MiscompiledVulkan : public VulkanSessions {
  protected:
    void SetUp() override
    {
        VulkanSessions::SetUp();
        vmaf_set_log_callback(
            [](void *opaque, VmafLogLevel level, const char *message) {
                if (level <= VMAF_LOG_LEVEL_WARNING)
                    static_cast<std::vector<std::string> *>(opaque)->emplace_back(message);
            },
            &lines);
    }
    void TearDown() override { vmaf_set_log_callback(nullptr, nullptr); }

    /// Makes the library log what is wrong.
    Context talking_context() const
    {
        VmafConfiguration config{};
        config.log_level = VMAF_LOG_LEVEL_WARNING;
        VmafContext *context = nullptr;
        EXPECT_EQ(vmaf_init(&context, config), 0);
        EXPECT_EQ(vmaf_vulkan_import_state(context, state.get()), 0);
        for (const Request &feature : {kMotion, kPsnr})
            EXPECT_EQ(use(context, feature), 0);
        return Context(context);
    }

    const Clip &clip = Clip::get("tiles_176x144_8");
    std::vector<std::string> lines;
};

TEST_F(MiscompiledVulkan, FeaturesFallBackToTheCpuWithOneLine)
{
    const std::string expected = scores(clip, nullptr, {kMotion, kPsnr});
    for (unsigned session = 0; session < 2; ++session) {
        lines.clear();
        const Context context = talking_context();
        EXPECT_EQ(feed_all(context.get(), clip), 0);
        EXPECT_EQ(json_of(context.get()), expected);
        ASSERT_EQ(lines.size(), 1U) << session;
        EXPECT_TRUE(lines[0].starts_with("psnr runs on the CPU: ")) << lines[0];
        EXPECT_NE(lines[0].find("llvmpipe"), std::string::npos) << lines[0];
    }
}

TEST_F(MiscompiledVulkan, FeaturesOfADemandedDeviceAreAnError)
{
    ASSERT_EQ(vmaf_vulkan_state_check(state.get(), VMAF_VULKAN_CHECK_FAIL), 0);
    const Context context = talking_context();
    EXPECT_EQ(feed_all(context.get(), clip), -EIO);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].starts_with("psnr: ")) << lines[0];
}

TEST_F(MiscompiledVulkan, ScoresAreWrongIfNobodyLooks)
{
    ASSERT_EQ(vmaf_vulkan_state_check(state.get(), VMAF_VULKAN_CHECK_NONE), 0);
    EXPECT_NE(scores(clip, state.get(), {kMotion, kPsnr}), scores(clip, nullptr, {kMotion, kPsnr}));
    EXPECT_EQ(scores(clip, state.get(), {kMotion}), scores(clip, nullptr, {kMotion}));
}

TEST(VulkanMissing, IsNoDevice)
{
    State state;
    EXPECT_EQ(make_state(state), -ENODEV);
    EXPECT_EQ(state, nullptr);
}

} // namespace
} // namespace vmaf::test
