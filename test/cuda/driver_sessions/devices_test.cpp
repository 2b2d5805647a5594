#include "cuda/driver_sessions/fixture.h"

// Machines whose devices the library cannot use (spec cuda 1): facts that a client goes on from, said in one line at info level.

namespace vmaf::test {
namespace {

std::string capability(int number)
{
    return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

class Devices : public DriverSessions {
  protected:
    /// What vmaf_cuda_state_init() says as it answers -ENODEV.
    static std::string said_instead_of_a_state(CUcontext context)
    {
        const Clip &clip = Clip::get("tiles_176x144_8");
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, logging_at(VMAF_LOG_LEVEL_INFO)), 0);
        const Context session(raw);
        VmafCudaState *state = nullptr;
        const std::vector<std::string> lines =
            log_of([&] { EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{context}), -ENODEV); });
        EXPECT_EQ(state, nullptr);
        EXPECT_EQ(use_feature(raw, "psnr"), 0);
        EXPECT_EQ(feed_all(raw, clip), 0) << "on the CPU";
        EXPECT_EQ(lines.size(), 1U);
        const std::vector<std::string> info = lines_at("INFO", lines);
        return info.size() == 1 ? info[0] : "";
    }
};

TEST_F(Devices, OlderThanTheOldestKernelsAreEnodevWithBothNumbers)
{
    constexpr int kOldest = VMAF_OLDEST_GPU_ARCHITECTURE, kOlder = kOldest - 1;
    VmafDoubleDevice older = kDevice;
    older.major = kOlder / 10;
    older.minor = kOlder % 10;
    set_devices({older});
    open_client();
    for (CUcontext context : {CUcontext{nullptr}, client_->context()}) {
        const std::string line = said_instead_of_a_state(context);
        EXPECT_NE(line.find(" " + capability(kOlder) + ","), std::string::npos) << line;
        EXPECT_NE(line.find(" " + capability(kOldest) + ":"), std::string::npos) << line;
        EXPECT_EQ(driver_->live_total(), 1U) << "the client's retain";
    }
}

TEST_F(Devices, AsOldAsTheOldestKernelsAreUsed)
{
    VmafDoubleDevice oldest = kDevice;
    oldest.major = VMAF_OLDEST_GPU_ARCHITECTURE / 10;
    oldest.minor = VMAF_OLDEST_GPU_ARCHITECTURE % 10;
    set_devices({oldest});
    for (const bool own_context : {true, false}) {
        open_client();
        VmafCudaState *state = nullptr;
        EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{own_context ? nullptr : client_->context()}), 0);
        EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    }
}

TEST_F(Devices, NoneIsEnodev)
{
    set_devices({});
    EXPECT_NE(said_instead_of_a_state(nullptr).find("no usable device"), std::string::npos);
}

// The client's context says which device it is.
TEST_F(Devices, OfTheClientsContextIsTheOneThatCounts)
{
    VmafDoubleDevice older = kDevice;
    older.major = 5;
    older.minor = 0;
    set_devices({older, kDevice});
    open_client();
    CUcontext second = nullptr;
    ASSERT_EQ(client_->cuda().cuDevicePrimaryCtxRetain(&second, 1), CUDA_SUCCESS);
    VmafCudaState *state = nullptr;
    EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{second}), 0);
    const Clip &clip = Clip::get("tiles_176x144_8");
    {
        const Context context = open_context(0);
        ASSERT_EQ(vmaf_cuda_import_state(context.get(), state), 0);
        ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
        EXPECT_EQ(feed_all(context.get(), clip), 0);
    }
    EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    for (const RanWork &work : work_named(*driver_, "vmaf_psnr_sse_8bit"))
        EXPECT_EQ(work.device, 1);
    EXPECT_EQ(said_instead_of_a_state(client_->context()).find("compute capability 5.0"),
              std::string("cuda: device 0 has ").size());
    EXPECT_EQ(client_->cuda().cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
}

} // namespace
} // namespace vmaf::test
