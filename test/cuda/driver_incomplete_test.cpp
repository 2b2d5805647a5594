#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include <dlfcn.h>

#include "cuda/driver.h"
#include "cuda/driver_double/loaded_double.h"
#include "libvmaf/libvmaf_cuda.h"

// A driver that lacks an entry point: the driver double, linked without cuStreamWaitEvent.

namespace vmaf::test {
namespace {

TEST(IncompleteDriver, LacksWhatItWasLinkedWithoutAndNothingElse)
{
    ASSERT_NE(loaded_driver_double(), nullptr);
    void *library = dlopen("libcuda.so.1", RTLD_LAZY);
    EXPECT_EQ(dlsym(library, "cuStreamWaitEvent"), nullptr);
    EXPECT_NE(dlsym(library, "cuStreamSynchronize"), nullptr);
}

TEST(IncompleteDriver, IsEnosysWithTheNameInTheLog)
{
    testing::internal::CaptureStderr();
    const Result<const CudaDriver *> driver = CudaDriver::get();
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(driver.status().code(), -ENOSYS);
    EXPECT_NE(log.find("the driver has no cuStreamWaitEvent"), std::string::npos) << log;
}

TEST(IncompleteDriver, GivesNoStateAndSaysSoInOneLineEachTime)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        VmafCudaState *state = nullptr;
        testing::internal::CaptureStderr();
        EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{}), -ENOSYS);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "libvmaf ERROR cuda: the driver has no cuStreamWaitEvent\n");
        EXPECT_EQ(state, nullptr);
    }
}

} // namespace
} // namespace vmaf::test
