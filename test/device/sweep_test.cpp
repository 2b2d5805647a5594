#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>

#include "device/device_models.h"
#include "model/builtin/builtin_table.h"
#include "support/registry.h"

// Scores random pictures with every feature and model that runs on the device, there and on the
// CPU, and expects equal scores. Environment variables: VMAF_SWEEP_CASES (number of cases),
// VMAF_SWEEP_SIDE (the longest side), VMAF_SWEEP_SEED (seed of the first case; the others follow),
// VMAF_SWEEP_SECONDS (no case begins later).

namespace vmaf::test {
namespace {

unsigned setting(const char *name, unsigned otherwise)
{
    const char *value = std::getenv(name);
    return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

enum Content { kNoise, kGradient, kCheckerboard, kTexture, kNearFlat, kLetterbox, kContents };
constexpr const char *kContentNames[] = {"noise", "gradient", "checkerboard", "texture", "near-flat", "letterbox"};

/// A pair of pictures that depends on one seed alone.
class Case {
  public:
    explicit Case(unsigned seed, unsigned longest_side) : random_(seed)
    {
        constexpr unsigned kDepths[] = {8, 8, 10, 12, 16};
        constexpr VmafPixelFormat kFormats[] = {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P,
                                                VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P};
        constexpr Feeding kFeedings[] = {Feeding::device, Feeding::pinned_host, Feeding::plain_host};
        spec_.width = side(longest_side);
        spec_.height = side(longest_side);
        spec_.bits = kDepths[random_() % std::size(kDepths)];
        spec_.pix_fmt = kFormats[random_() % std::size(kFormats)];
        spec_.frames = static_cast<unsigned>(2 + random_() % 3);
        feeding_ = kFeedings[random_() % std::size(kFeedings)];
        content_ = static_cast<Content>(random_() % kContents);
        level_ = uniform();
        strength_ = std::exp2(-8 * uniform());
        period_ = static_cast<unsigned>(1 + random_() % 40);
        clip_.emplace(spec_, [this](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
            return sample(side, frame, plane, x, y);
        });
        subsample_ = static_cast<unsigned>(1 + random_() % 3);
    }
    Case(const Case &) = delete;

    const Clip &clip() const { return *clip_; }
    Feeding feeding() const { return feeding_; }
    unsigned subsample() const { return subsample_; }
    std::string text() const
    {
        constexpr const char *kFormatNames[] = {"", "4:2:0", "4:2:2", "4:4:4", "4:0:0"};
        constexpr const char *kFeedingNames[] = {"plain", "pinned", "device"};
        return std::to_string(spec_.width) + "x" + std::to_string(spec_.height) + ", " + std::to_string(spec_.bits) +
               " bit " + kFormatNames[spec_.pix_fmt] + ", " + std::to_string(spec_.frames) + " frames of " +
               kContentNames[content_] + ", one of " + std::to_string(subsample_) + " scored, " +
               kFeedingNames[static_cast<int>(feeding_)];
    }

  private:
    double uniform() { return static_cast<double>(random_()) / 4294967296.0; }
    /// A random side. Its logarithm is uniform, so small sides are as frequent as large ones.
    unsigned side(unsigned longest)
    {
        constexpr double kShortest = 16;
        return static_cast<unsigned>(kShortest * std::pow(longest / kShortest, uniform()));
    }

    /// Between 0 and 1.
    double scene(unsigned frame, unsigned plane, unsigned x, unsigned y)
    {
        switch (content_) {
        case kNoise:
            return uniform();
        case kGradient:
            return std::fmod(level_ + 0.7 * x / spec_.width + 0.3 * y / spec_.height + 0.01 * frame, 1.0);
        case kCheckerboard:
            return ((x + frame) / period_ + y / period_) % 2 == 0 ? level_ : 1 - level_;
        case kTexture:
            return 0.5 + 0.25 * std::sin(x * (0.05 + 0.01 * period_) + frame) * std::cos(y * 0.11 + plane) +
                   0.2 * (uniform() - 0.5);
        case kLetterbox:
            if (y < spec_.height / 8 || y >= spec_.height - spec_.height / 8)
                return 16.0 / 255;
            [[fallthrough]];
        default:
            return level_ + 0.002 * (uniform() - 0.5);
        }
    }

    // Both pictures of a plane are made one after the other, because the distorted one depends on
    // the reference's values.
    unsigned sample(Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)
    {
        const double peak = (1U << spec_.bits) - 1;
        const bool first = x == 0 && y == 0 && plane == 0 && frame == 0;
        if (side == Side::ref) {
            if (first)
                reference_.clear();
            reference_.push_back(scene(frame, plane, x, y));
        } else if (first) {
            next_ = 0;
        }
        double value = side == Side::ref ? reference_.back() : reference_[next_++];
        if (side == Side::dis)
            value = std::floor(value / strength_ * 64) * strength_ / 64 + 0.1 * strength_ * (uniform() - 0.5);
        return static_cast<unsigned>(std::clamp(value * peak + 0.5, 0.0, peak));
    }

    std::mt19937 random_;
    ClipSpec spec_{};
    Feeding feeding_{};
    Content content_{};
    double level_ = 0, strength_ = 0;
    unsigned period_ = 1;
    std::vector<double> reference_;
    std::size_t next_ = 0;
    std::optional<Clip> clip_;
    unsigned subsample_ = 1;
};

/// A feature whose scores are compared.
struct Measured {
    const FeatureSpec *spec;
    std::vector<std::string> names;
};

/// On a device session, features of the CPU read downloaded planes. They are tested where there are
/// such planes.
bool is_measured(bool runs_on_device)
{
    return runs_on_device || DeviceClient::has_own_memory();
}

std::vector<Measured> features_of(const PictureFormat &format)
{
    std::vector<Measured> list;
    for (const FeatureSpec *spec : scoring_features()) {
        const std::unique_ptr<Feature> feature = default_feature(*spec);
        if (!is_measured(DeviceClient::runs(*spec)) || format.width < spec->min_width_px ||
            format.height < spec->min_height_px || !feature->check_format(format).ok())
            continue;
        Measured measured{spec, {}};
        for (const OutputSpec &output : feature->outputs(format))
            if (output.kind != OutputKind::aggregate)
                measured.names.push_back(output.name);
        list.push_back(measured);
    }
    return list;
}

/// Models that accept pictures in that format. A model refuses what its features refuse.
std::vector<std::string> models_of(const PictureFormat &format)
{
    constexpr unsigned kSmallestOfFloatModels = 32, kSmallestOfChroma = 160, kSmallestOfCambi = 216;
    std::vector<std::string> list;
    for (const BuiltinModel &model : builtin_models()) {
        const std::string version(model.version);
        const bool v1 = version.find("v1.") != std::string::npos;
        if (model.regressions.size() > 1)
            continue; // the version is a collection
        if (v1 && (format.plane_count() == 1 || std::min(format.width, format.height) < 2 * kSmallestOfChroma ||
                   std::min(format.width, format.height) < kSmallestOfCambi))
            continue;
        if (std::min(format.width, format.height) >= kSmallestOfFloatModels &&
            is_measured(model_runs_on_device(version)))
            list.push_back(version);
    }
    return list;
}

/// All scores of a session, by name and frame.
using Scores = std::vector<std::pair<std::string, std::vector<double>>>;

class Session {
  public:
    Session(const Case &given, const std::vector<Measured> &features, const std::vector<std::string> &models,
            const DeviceClient *client)
        : given_(given), client_(client),
          context_(open_context(client != nullptr ? 0 : std::thread::hardware_concurrency(), given.subsample()))
    {
        if (client != nullptr) {
            EXPECT_EQ(client->attach(context_.get(), given.clip().spec(), given.feeding()), 0);
        }
        for (const Measured &feature : features)
            EXPECT_EQ(vmaf_use_feature(context_.get(), feature.spec->name, nullptr), 0) << feature.spec->name;
        for (const std::string &version : models) {
            models_.push_back(load_model(version.c_str()));
            EXPECT_EQ(vmaf_use_features_from_model(context_.get(), models_.back().get()), 0) << version;
        }
    }

    int run() const
    {
        return client_ == nullptr ? feed_all(context_.get(), given_.clip())
                                  : client_->feed_all(context_.get(), given_.clip(), given_.feeding());
    }

    Scores scores(const std::vector<Measured> &features, const std::vector<std::string> &models) const
    {
        Scores all;
        for (const Measured &feature : features)
            for (const std::string &name : feature.names)
                all.emplace_back(name, of_frames([&](unsigned frame, double &score) {
                                     return vmaf_feature_score_at_index(context_.get(), name.c_str(), &score, frame);
                                 }));
        for (std::size_t i = 0; i < models.size(); ++i)
            all.emplace_back(models[i], of_frames([&](unsigned frame, double &score) {
                                 return vmaf_score_at_index(context_.get(), models_[i].get(), &score, frame);
                             }));
        return all;
    }

  private:
    template <class Get> std::vector<double> of_frames(Get &&get) const
    {
        std::vector<double> scores;
        for (unsigned frame = 0; frame < given_.clip().spec().frames; ++frame) {
            double score = 0;
            const int error = get(frame, score);
            scores.push_back(error == 0 ? score : -1e9 + error);
        }
        return scores;
    }

    const Case &given_;
    const DeviceClient *client_;
    Context context_;
    std::vector<ModelHandle> models_;
};

/// Largest allowed difference for a feature with that tolerance.
bool agree(const FeatureSpec *spec, double gpu, double cpu)
{
    if (gpu == cpu || (std::isnan(gpu) && std::isnan(cpu)))
        return true;
    const double tolerance = runs_on_device(spec) ? spec->gpu_tolerance : 0;
    constexpr double kRelative = 2e-5; // for scores far below what the feature is made for
    return tolerance > 0 && std::fabs(gpu - cpu) <= std::max(tolerance, kRelative * (std::fabs(cpu) - 100));
}

/// Number of scores that were compared.
std::size_t compare(const Case &given, const DeviceClient &client)
{
    const PictureFormat format = given.clip().format();
    const std::vector<Measured> features = features_of(format);
    const std::vector<std::string> models = models_of(format);
    const Session cpu(given, features, models, nullptr), gpu(given, features, models, &client);
    const int cpu_error = cpu.run(), gpu_error = gpu.run();
    EXPECT_EQ(gpu_error, cpu_error);
    const Scores expected = cpu.scores(features, models), found = gpu.scores(features, models);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const FeatureSpec *spec = nullptr;
        for (const Measured &feature : features)
            if (std::ranges::find(feature.names, expected[i].first) != feature.names.end())
                spec = feature.spec;
        for (std::size_t frame = 0; frame < expected[i].second.size(); ++frame, ++compared)
            EXPECT_TRUE(agree(spec, found[i].second[frame], expected[i].second[frame]))
                << expected[i].first << " of frame " << frame << ": " << testing::PrintToString(found[i].second[frame])
                << " instead of " << testing::PrintToString(expected[i].second[frame]);
    }
    return compared;
}

TEST(Sweep, EveryFeatureAndModelHasTheCpusScores)
{
    using Clock = std::chrono::steady_clock;
    std::string why;
    const std::unique_ptr<DeviceClient> client = DeviceClient::open(why);
    if (!client)
        GTEST_SKIP() << why;
    const unsigned cases = setting("VMAF_SWEEP_CASES", 12), longest = setting("VMAF_SWEEP_SIDE", 2049);
    const unsigned first = setting("VMAF_SWEEP_SEED", 1), seconds = setting("VMAF_SWEEP_SECONDS", ~0U);
    const Context silent = open_context(0); // the format rules some features out: expects that the library says so
    const Clock::time_point start = Clock::now();
    std::size_t compared = 0;
    unsigned done = 0;
    for (; done < cases && Clock::now() - start < std::chrono::seconds(seconds); ++done) {
        const unsigned seed = first + done;
        const Case given(seed, longest);
        SCOPED_TRACE("VMAF_SWEEP_SEED=" + std::to_string(seed) + ": " + given.text());
        compared += compare(given, *client);
    }
    std::printf("seeds %u to %u, %zu scores\n", first, first + done - 1, compared);
    EXPECT_GT(compared, 0U);
    EXPECT_EQ(client->complaint(), "");
}

} // namespace
} // namespace vmaf::test
