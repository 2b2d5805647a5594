#include <gtest/gtest.h>

#include <string>

#include "libvmaf/libvmaf_cuda.h"
#include "support/session.h"

// A machine on which no driver can be opened: the file that is found as libcuda.so.1 is no library.

namespace vmaf::test {
namespace {

TEST(MissingDriver, IsEnodevWithOneLineAndTheCpuGoesOn)
{
    VmafConfiguration config{};
    config.log_level = VMAF_LOG_LEVEL_INFO;
    VmafContext *raw = nullptr;
    ASSERT_EQ(vmaf_init(&raw, config), 0);
    const Context context(raw);
    for (int attempt = 0; attempt < 2; ++attempt) {
        VmafCudaState *state = nullptr;
        testing::internal::CaptureStderr();
        EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{}), -ENODEV);
        const std::string log = testing::internal::GetCapturedStderr();
        EXPECT_EQ(log.rfind("libvmaf INFO ", 0), 0U) << log;
        EXPECT_EQ(log.find('\n'), log.size() - 1) << log;
        EXPECT_NE(log.find("libcuda.so.1"), std::string::npos) << log;
        EXPECT_EQ(state, nullptr);
    }
    ASSERT_EQ(vmaf_use_feature(raw, "vif", nullptr), 0);
    EXPECT_EQ(feed_all(raw, Clip::get("tiles_176x144_8")), 0);
    double score = 0;
    EXPECT_EQ(vmaf_feature_score_at_index(raw, "VMAF_integer_feature_vif_scale0_score", &score, 0), 0);
    EXPECT_EQ(score, 0.43396753072738647); // spec vif 6
}

} // namespace
} // namespace vmaf::test
