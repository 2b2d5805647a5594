#include "cuda/driver_sessions/fixture.h"

// Copies over the bus (spec cuda 5): each plane that features read, once, for frames on which they
// are due.

namespace vmaf::test {
namespace {

constexpr unsigned kFramesMoved = 10;

struct Copies {
    unsigned luma = 0, chroma = 0;

    bool operator==(const Copies &) const = default;
};

void PrintTo(const Copies &copies, std::ostream *out)
{
    *out << copies.luma << " of luma, " << copies.chroma << " of chroma";
}

/// Features of a session, and what the bus carries for kFramesMoved frames.
struct Traffic {
    std::string name;
    std::vector<std::pair<const char *, std::vector<std::pair<const char *, const char *>>>> features; ///< with options
    Copies copies;
    unsigned subsample = 0;
    bool on_cpu_unless_demanded = false;
};

class Transfers : public DriverSessions, public testing::WithParamInterface<Traffic> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        driver_->reset(); // the kernels do nothing
    }

    /// Copies that the library made of planes: uploads of host pictures, downloads of device
    /// pictures.
    Copies copies_of_a_session(Feeding feeding) const
    {
        VmafConfiguration config{};
        config.n_subsample = GetParam().subsample;
        config.gpumask = GetParam().on_cpu_unless_demanded ? 1 : 0;
        const Context context = open_on_device(clip_, feeding, config);
        const unsigned long before = driver_->works();
        for (const auto &[feature, options] : GetParam().features) {
            VmafFeatureDictionary *dictionary = nullptr;
            for (const auto &[key, value] : options)
                EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, key, value), 0);
            EXPECT_EQ(vmaf_use_feature(context.get(), feature, dictionary), 0);
        }
        EXPECT_EQ(feed_frames(context.get(), clip_, feeding, 0, kFramesMoved), 0);
        EXPECT_EQ(flush(context.get()), 0);
        Copies copies;
        for (const RanWork &copy : work_named(*driver_, "cuMemcpy2DAsync_v2")) {
            if (copy.number < before)
                continue;
            const bool luma = copy.bytes == clip_.plane(Side::ref, 0, 0).row_bytes() * clip_.spec().height;
            EXPECT_TRUE(luma ||
                        copy.bytes == clip_.plane(Side::ref, 0, 1).row_bytes() * clip_.format().plane_height(1));
            ++(luma ? copies.luma : copies.chroma);
        }
        return copies;
    }

    const Clip &clip_ = Clip::get("tiles_352x288_10");
};

class Uploads : public Transfers {};

TEST_P(Uploads, AreOfThePlanesThatDeviceFeaturesReadEachOnce)
{
    for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host})
        EXPECT_EQ(copies_of_a_session(feeding), GetParam().copies);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Uploads,
    testing::Values(
        Traffic{"vmaf_v061", {{"vif", {}}, {"adm", {}}, {"motion", {}}}, {2 * kFramesMoved, 0}},
        Traffic{"motion", {{"motion", {}}}, {kFramesMoved, 0}},
        Traffic{"motion_over_five_frames", {{"motion", {{"motion_five_frame_window", "true"}}}}, {kFramesMoved, 0}},
        Traffic{"motion_measuring_nothing", {{"motion", {{"motion_force_zero", "true"}}}}, {0, 0}},
        Traffic{"psnr", {{"psnr", {}}}, {2 * kFramesMoved, 4 * kFramesMoved}},
        Traffic{"psnr_of_luma", {{"psnr", {{"enable_chroma", "false"}}}}, {2 * kFramesMoved, 0}},
        Traffic{"psnr_and_motion", {{"psnr", {}}, {"motion", {}}}, {2 * kFramesMoved, 4 * kFramesMoved}},
        Traffic{"ssimulacra2", {{"ssimulacra2", {}}}, {2 * kFramesMoved, 4 * kFramesMoved}},
        Traffic{"features_on_the_cpu", {{"float_psnr", {}}, {"ciede", {}}, {"speed_temporal", {}}}, {0, 0}, 0, true},
        Traffic{"vif_of_every_third_frame", {{"vif", {}}}, {2 * 4, 0}, 3},
        Traffic{"vif_of_every_third_frame_and_motion", {{"vif", {}}, {"motion", {}}}, {kFramesMoved + 4, 0}, 3}),
    [](const testing::TestParamInfo<Traffic> &tested) { return tested.param.name; });

class Downloads : public Transfers {};

TEST_P(Downloads, AreOfThePlanesThatCpuFeaturesReadEachOnce)
{
    EXPECT_EQ(copies_of_a_session(Feeding::device), GetParam().copies);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Downloads,
    testing::Values(
        Traffic{"vmaf_v061", {{"vif_cuda", {}}, {"adm_cuda", {}}, {"motion_cuda", {}}}, {0, 0}, 0, true},
        Traffic{"cambi", {{"cambi", {}}}, {kFramesMoved, 0}, 0, true},
        Traffic{"cambi_of_both", {{"cambi", {{"full_ref", "true"}}}}, {2 * kFramesMoved, 0}, 0, true},
        Traffic{"speed_temporal", {{"speed_temporal", {}}}, {2 * kFramesMoved, 0}, 0, true},
        Traffic{"float_motion", {{"float_motion", {}}}, {kFramesMoved, 0}, 0, true},
        Traffic{"ciede", {{"ciede", {}}}, {2 * kFramesMoved, 4 * kFramesMoved}, 0, true},
        Traffic{"speed_chroma", {{"speed_chroma", {}}}, {0, 4 * kFramesMoved}, 0, true},
        Traffic{"many",
                {{"float_psnr", {}}, {"cambi", {}}, {"speed_temporal", {}}, {"float_motion", {}}, {"psnr_cuda", {}}},
                {2 * kFramesMoved, 0},
                0,
                true},
        Traffic{"cambi_of_every_third_frame", {{"cambi", {}}}, {4, 0}, 3, true},
        Traffic{"cambi_of_every_third_frame_and_psnr", {{"cambi", {}}, {"psnr_cuda", {}}}, {4, 0}, 3, true}),
    [](const testing::TestParamInfo<Traffic> &tested) { return tested.param.name; });

// Tells which picture goes over the bus.
TEST_F(DriverSessions, DownloadsAreOfThePictureThatTheFeatureReads)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    const Context cpu = open_context(0), device = open_on_device(clip, Feeding::device, on_cpu_unless_demanded());
    for (VmafContext *vmaf : {cpu.get(), device.get()}) {
        ASSERT_EQ(use_feature(vmaf, "cambi", {{"full_ref", "true"}}), 0);
        ASSERT_EQ(use_feature(vmaf, "float_moment"), 0);
        ASSERT_EQ(use_feature(vmaf, "float_motion"), 0);
    }
    ASSERT_EQ(feed_all(cpu.get(), clip), 0);
    ASSERT_EQ(client_->feed_all(device.get(), clip, Feeding::device), 0);
    for (const char *name : {"Cambi_feature_cambi_score", "cambi_source", "float_moment_ref1st", "float_moment_dis1st",
                             "VMAF_feature_motion2_score"})
        EXPECT_EQ(scores_of(device.get(), name, 0, clip.spec().frames),
                  scores_of(cpu.get(), name, 0, clip.spec().frames))
            << name;
}

} // namespace
} // namespace vmaf::test
