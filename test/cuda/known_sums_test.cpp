#include <gtest/gtest.h>

#include <set>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/known_sums.h"
#include "feature/cuda_backends.h"
#include "support/cuda_client.h"
#include "support/registry.h"

// What known_sums.h promises to other tests.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 3;

class KnownSums : public testing::Test {
  protected:
    void SetUp() override
    {
        std::string why;
        client_ = CudaClient::open(why);
        ASSERT_TRUE(client_) << why;
        driver_->reset();
        if (!install_known_sums(*driver_))
            GTEST_SKIP() << "kernels are the driver's";
    }
    void TearDown() override { driver_->reset(); }

    /// Every frame's scores, by output.
    std::vector<std::vector<double>> scores(const FeatureSpec &spec, const char *clip_name, bool on_device = true) const
    {
        const Clip &clip = Clip::get(clip_name);
        const Context context = open_context(0);
        if (on_device) {
            EXPECT_EQ(client_->attach(context.get(), clip.spec(), Feeding::plain_host), 0);
        }
        EXPECT_EQ(vmaf_use_feature(context.get(), spec.name, nullptr), 0);
        for (unsigned frame = 0; frame < kFrames; ++frame)
            EXPECT_EQ(feed(context.get(), clip, frame, frame), 0);
        EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        std::vector<std::vector<double>> list;
        for (const OutputSpec &output : default_feature(spec)->outputs(clip.format())) {
            if (output.kind != OutputKind::frame)
                continue;
            std::vector<double> of_frames(kFrames, -1);
            for (unsigned frame = 0; frame < kFrames; ++frame)
                EXPECT_EQ(vmaf_feature_score_at_index(context.get(), output.name, &of_frames[frame], frame), 0);
            list.push_back(std::move(of_frames));
        }
        return list;
    }

    const VmafDoubleControl *driver_ = loaded_driver_double();
    std::unique_ptr<CudaClient> client_;
};

TEST_F(KnownSums, AreTheTrueOnesOfPsnr)
{
    const FeatureSpec &psnr = *find_feature("psnr");
    for (const char *clip : {"tiles_177x145_8", "tiles_352x288_10", "tiles_256x192_12", "grey_178x146_10"})
        EXPECT_EQ(scores(psnr, clip), scores(psnr, clip, false)) << clip;
}

class KnownSumsOf : public KnownSums, public testing::WithParamInterface<const CudaBackend *> {};

TEST_P(KnownSumsOf, TellFramesApart)
{
    for (const char *clip : {"tiles_176x144_8", "tiles_352x288_10", "tiles_256x192_16"})
        for (const std::vector<double> &of_frames : scores(*GetParam()->spec, clip))
            EXPECT_EQ(std::set<double>(of_frames.begin(), of_frames.end()).size(), kFrames) << clip;
}

TEST_P(KnownSumsOf, TellPicturesApart)
{
    EXPECT_NE(scores(*GetParam()->spec, "tiles_176x144_8"), scores(*GetParam()->spec, "noise_176x144_8"));
}

INSTANTIATE_TEST_SUITE_P(Every, KnownSumsOf, testing::ValuesIn(cuda_backends().begin(), cuda_backends().end()),
                         [](const testing::TestParamInfo<const CudaBackend *> &backend) {
                             return backend.param->spec->name;
                         });

} // namespace
} // namespace vmaf::test
