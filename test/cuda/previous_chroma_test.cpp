#include <gtest/gtest.h>

#include <vector>

#include "support/cuda_client.h"

// On the CPU, float_motion reads the chroma of the reference picture that was fed one call earlier
// (spec motion 7, step 5), also if it is in device memory. Runs on the driver double, whose copies
// are real.

namespace vmaf::test {
namespace {

constexpr const char *kOutput = "motion_mau";
constexpr const char *kClip = "tiles_352x288_10";

void use_features(const Context &context, bool on_device)
{
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "motion_add_uv", "true"), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "float_motion", options), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), on_device ? "vif_cuda" : "vif", nullptr), 0); // reads luma alone
}

std::vector<double> scores(const Context &context)
{
    std::vector<double> list(Clip::get(kClip).spec().frames, -1);
    for (unsigned index = 0; index < list.size(); ++index)
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), kOutput, &list[index], index), 0);
    return list;
}

class PreviousChromaCuda : public testing::TestWithParam<Feeding> {};

TEST_P(PreviousChromaCuda, ReachesFeaturesOnTheCpu)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    ASSERT_TRUE(client) << why;
    const Clip &clip = Clip::get(kClip);
    const Context cpu = open_context(0);
    use_features(cpu, false);
    ASSERT_EQ(feed_all(cpu.get(), clip), 0);
    for (const unsigned n_threads : {0U, 2U}) {
        const Context context = open_with_features_on_cpu(n_threads);
        ASSERT_EQ(client->attach(context.get(), clip.spec(), GetParam()), 0);
        use_features(context, true);
        ASSERT_EQ(client->feed_all(context.get(), clip, GetParam()), 0);
        EXPECT_EQ(scores(context), scores(cpu)) << n_threads;
    }
}

INSTANTIATE_TEST_SUITE_P(All, PreviousChromaCuda,
                         testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device));

} // namespace
} // namespace vmaf::test
