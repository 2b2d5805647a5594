#include <gtest/gtest.h>

#include <cerrno>
#include <string_view>

#include "cuda/driver_double/loaded_double.h"
#include "support/cuda_client.h"

// Features on the CPU get the pair that was fed one call earlier, also from device memory. The
// engine keeps its pictures out of the pool until then. Runs on the driver double, whose copies are
// real.

namespace vmaf::test {
namespace {

constexpr const char *kTemporal = "Speed_temporal_feature_speed_temporal_score";

class PreviousPairCuda : public testing::TestWithParam<Feeding> {};

TEST_P(PreviousPairCuda, ReachesFeaturesOnTheCpu)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    ASSERT_TRUE(client) << why;
    const Clip &clip = Clip::get("tiles_352x288_10");
    for (const unsigned n_threads : {0U, 2U}) {
        const Context context = open_with_features_on_cpu(n_threads);
        ASSERT_EQ(client->attach(context.get(), clip.spec(), GetParam()), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "speed_temporal", nullptr), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "psnr_cuda", nullptr), 0);
        for (unsigned index = 0; index < 200; ++index)
            ASSERT_EQ(client->feed(context.get(), clip, index % 3, index, GetParam()), 0);
        ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        const double expected[] = {0, 7.4550747871398926, 6.5612139701843262}; // spec speed 6.2
        for (unsigned index = 0; index < 200; ++index) {
            double score = -1;
            ASSERT_EQ(vmaf_feature_score_at_index(context.get(), kTemporal, &score, index), 0);
            if (index == 0 || index % 3 != 0) { // the other frames follow the clip's last frame
                EXPECT_EQ(score, expected[index % 3]) << index << ", " << n_threads << " threads";
            }
        }
    }
}

/// Driver calls since the last reset whose names start with this text.
unsigned long calls_since_reset(const VmafDoubleControl &driver, std::string_view start)
{
    unsigned long count = 0;
    for (unsigned long call = 0; driver.call_name(call) != nullptr; ++call)
        count += std::string_view(driver.call_name(call)).starts_with(start);
    return count;
}

unsigned long copies_of_a_session(const CudaClient &client, const std::vector<const char *> &features)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    const VmafDoubleControl &driver = *loaded_driver_double();
    driver.reset();
    const Context context = open_with_features_on_cpu(0);
    EXPECT_EQ(client.attach(context.get(), clip.spec(), Feeding::device), 0);
    for (const char *feature : features)
        EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
    for (unsigned index = 0; index < 10; ++index)
        EXPECT_EQ(client.feed(context.get(), clip, index % 3, index, Feeding::device), 0);
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    return calls_since_reset(driver, "cuMemcpy2D");
}

TEST(DownloadsCuda, APlaneIsDownloadedOnceWhoeverReadsItAndWhenever)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    ASSERT_TRUE(client) << why;
    if (loaded_driver_double() == nullptr)
        GTEST_SKIP() << "a real driver does not count its calls";
    const unsigned long expected = copies_of_a_session(*client, {"float_psnr"});
    EXPECT_GT(expected, copies_of_a_session(*client, {"psnr_cuda"}) + 10) << "psnr runs on the device";
    EXPECT_EQ(copies_of_a_session(*client, {"float_psnr", "speed_temporal", "float_motion", "float_ssim"}), expected);
}

unsigned long launches_of_a_frame(const CudaClient &client, bool after_a_refused_pair)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    const VmafDoubleControl &driver = *loaded_driver_double();
    const Context context = open_context(0);
    EXPECT_EQ(client.attach(context.get(), clip.spec(), Feeding::plain_host), 0);
    for (const char *feature : {"psnr", "motion"})
        EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
    if (after_a_refused_pair) {
        VmafPicture pictures[2];
        for (VmafPicture &picture : pictures)
            EXPECT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 2, 2), 0);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], 0), -EINVAL) << "too small for motion";
        for (VmafPicture &picture : pictures)
            EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    }
    driver.reset();
    EXPECT_EQ(client.feed(context.get(), clip, 0, 0, Feeding::plain_host), 0);
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    return calls_since_reset(driver, "cuLaunchKernel");
}

TEST(RefusedPairCuda, WhatItStartedIsNotLaunchedForTheNextOnes)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    ASSERT_TRUE(client) << why;
    if (loaded_driver_double() == nullptr)
        GTEST_SKIP() << "a real driver does not count its calls";
    const unsigned long expected = launches_of_a_frame(*client, false);
    EXPECT_GT(expected, 0U);
    EXPECT_EQ(launches_of_a_frame(*client, true), expected);
}

INSTANTIATE_TEST_SUITE_P(All, PreviousPairCuda,
                         testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device));

} // namespace
} // namespace vmaf::test
