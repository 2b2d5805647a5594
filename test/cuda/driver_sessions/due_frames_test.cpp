#include "cuda/driver_sessions/fixture.h"

#include <cmath>
#include <map>
#include <set>

#include "support/registry.h"

// Batches in which some features skip frames. Each score must be that of its own frame (spec cuda
// 6). Every registered feature is tested against the CPU, with the kernels compiled for the host.

namespace vmaf::test {
namespace {

constexpr unsigned kFramesDue = 17; // batches of 1, 8 and 8 frames while the device is busy
/// Needs its picture of the frame before, so it is due at frames that other features skip.
constexpr const char *kDueOften = "motion";

/// Pictures slightly larger than the smallest ones, because some features find nothing in these.
/// None if the feature does not accept the format.
std::vector<PictureFormat> small_format(const FeatureSpec &spec)
{
    constexpr unsigned kSides[] = {32, 48, 64, 96, 128, 176, 192, 224, 256, 320};
    for (const unsigned side : kSides)
        for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV444P})
            if (takes(spec, {pix_fmt, 8, side, side})) {
                const unsigned larger = side + (side < 128 ? 64 : 16);
                return {{pix_fmt, 8, larger, larger}};
            }
    return {};
}

/// Features whose pictures have one format.
struct Group {
    PictureFormat format;
    std::vector<const FeatureSpec *> features;
};

std::vector<Group> make_groups()
{
    const Context silent = open_context(0); // features refuse some of these formats, and log it
    std::map<std::pair<unsigned, unsigned>, Group> found;
    for (const FeatureSpec *spec : scoring_features())
        for (const PictureFormat &format : small_format(*spec)) {
            Group &group = found[{format.pix_fmt, format.width}];
            group.format = format;
            group.features.push_back(spec);
        }
    std::vector<Group> list;
    for (auto &[key, group] : found)
        list.push_back(std::move(group));
    return list;
}

const std::vector<Group> &groups()
{
    static const std::vector<Group> all = make_groups();
    return all;
}

/// Actions that split the frames into other batches.
enum class Split { nothing, scores_asked_for, device_soon_idle };
struct Way {
    unsigned subsample;
    Split split;
};

/// Frames with different scores in every feature. Each is another cut of a large picture that has
/// bands.
unsigned sample(Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)
{
    const Clip &large = Clip::get("tiles_640x360_8");
    const PlaneView view = large.plane(side, frame % large.spec().frames, plane > 0 ? 1 : 0);
    const unsigned cut = view.row<std::uint8_t>(y + 3 * frame)[x + 5 * frame];
    const unsigned ramp = 60 + (x + y / 2 + 7 * frame) / 6 % 64;
    const unsigned step = side == Side::ref ? 1 : 1 + frame % 7;
    return (x / 32 + y / 32) % 2 == 0 ? cut : ramp / step * step;
}

class DueFrames : public DriverSessions, public testing::WithParamInterface<std::tuple<std::size_t, Way>> {
  protected:
    void use_features(VmafContext *vmaf) const
    {
        EXPECT_EQ(use_feature(vmaf, kDueOften), 0);
        for (const FeatureSpec *spec : group_.features)
            EXPECT_TRUE(spec->name == std::string_view(kDueOften) || use_feature(vmaf, spec->name) == 0) << spec->name;
    }

    /// Scores named `name` by frame, for frames that have one.
    static std::map<unsigned, double> scores(VmafContext *vmaf, const std::string &name)
    {
        std::map<unsigned, double> found;
        double score = 0;
        for (unsigned frame = 0; frame < kFramesDue; ++frame)
            if (vmaf_feature_score_at_index(vmaf, name.c_str(), &score, frame) == 0)
                found[frame] = score;
        return found;
    }

    void read_on_device(VmafContext *vmaf, Split split) const
    {
        ASSERT_EQ(client_->feed(vmaf, clip_, 0, 0, Feeding::plain_host), 0);
        set_time(split == Split::device_soon_idle ? VMAF_DOUBLE_AFTER_QUERIES : VMAF_DOUBLE_ON_SYNCHRONISE, 5);
        for (unsigned frame = 1; frame < kFramesDue; ++frame) {
            ASSERT_EQ(client_->feed(vmaf, clip_, frame, frame, Feeding::plain_host), 0);
            if (split == Split::scores_asked_for && frame % 5 == 0) {
                score_error(vmaf, first_score(*group_.features.front()).c_str(), frame);
            }
        }
        ASSERT_EQ(flush(vmaf), 0);
        set_time(VMAF_DOUBLE_AT_ONCE);
    }

    const Group &group_ = groups()[std::get<0>(GetParam())];
    const ClipSpec spec_{"", group_.format.width, group_.format.height, 8, group_.format.pix_fmt, kFramesDue, "", ""};
    const Clip clip_{spec_, sample};
};

TEST_P(DueFrames, HaveTheirOwnScoresOfEveryFeature)
{
    VmafConfiguration config{};
    config.n_subsample = std::get<1>(GetParam()).subsample;
    const Context cpu = open_context(0, config.n_subsample),
                  device = open_on_device(clip_, Feeding::plain_host, config);
    use_features(cpu.get());
    use_features(device.get());
    ASSERT_EQ(feed_all(cpu.get(), clip_), 0);
    read_on_device(device.get(), std::get<1>(GetParam()).split);
    for (const FeatureSpec *spec : group_.features) {
        const double tolerance = spec->gpu_tolerance;
        std::size_t most_values = 0;
        for (const OutputSpec &output : default_feature(*spec)->outputs(group_.format)) {
            if (output.kind == OutputKind::aggregate)
                continue;
            const std::map<unsigned, double> expected = scores(cpu.get(), output.name);
            const std::map<unsigned, double> found = scores(device.get(), output.name);
            ASSERT_EQ(found.size(), expected.size()) << output.name;
            std::set<double> values;
            for (const auto &[frame, score] : expected) {
                EXPECT_TRUE(found.at(frame) == score || std::fabs(found.at(frame) - score) <= tolerance)
                    << output.name << " of frame " << frame << ": " << found.at(frame) << " instead of " << score;
                values.insert(tolerance > 0 ? std::round(score / (4 * tolerance)) : score);
            }
            most_values = std::max(most_values, values.size());
        }
        EXPECT_GT(most_values, kFramesDue / (2 * config.n_subsample)) << spec->name << ": frames look alike";
    }
}

INSTANTIATE_TEST_SUITE_P(All, DueFrames,
                         testing::Combine(testing::Range(std::size_t{0}, groups().size()),
                                          testing::Values(Way{2, Split::nothing}, Way{2, Split::scores_asked_for},
                                                          Way{3, Split::device_soon_idle})));

} // namespace
} // namespace vmaf::test
