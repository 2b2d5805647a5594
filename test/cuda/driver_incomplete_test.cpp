#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include <dlfcn.h>

#include "cuda/driver.h"
#include "cuda/driver_double/loaded_double.h"

// A driver without an entry point that the library needs: the driver double, linked without cuStreamWaitEvent.

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

} // namespace
} // namespace vmaf::test
