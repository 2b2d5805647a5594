#include "machine/machine.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "cuda/driver_double/loaded_double.h"
#include "frames/library.h"
#include "libvmaf/libvmaf_cuda.h"

/// Which device the driver sees (spec cli 10.6).
namespace vmaf::tool {
namespace {

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "(unset)";
}

class GpuSelectionVariables : public testing::Test {
  protected:
    void SetUp() override
    {
        ::unsetenv("CUDA_VISIBLE_DEVICES");
        ::unsetenv("CUDA_DEVICE_ORDER");
    }
    void TearDown() override { SetUp(); }
};

TEST_F(GpuSelectionVariables, AloneAreSetToTheIndexInPciOrder)
{
    EXPECT_TRUE(show_only_device(3));
    EXPECT_EQ(variable("CUDA_VISIBLE_DEVICES"), "3");
    EXPECT_EQ(variable("CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
}

TEST_F(GpuSelectionVariables, AListIsReducedToItsItemAndTheOrderKept)
{
    ::setenv("CUDA_VISIBLE_DEVICES", "5,GPU-8932f937,2", 1);
    EXPECT_TRUE(show_only_device(1));
    EXPECT_EQ(variable("CUDA_VISIBLE_DEVICES"), "GPU-8932f937");
    EXPECT_EQ(variable("CUDA_DEVICE_ORDER"), "(unset)");
}

TEST_F(GpuSelectionVariables, StayWhenTheListIsTooShort)
{
    ::setenv("CUDA_VISIBLE_DEVICES", "5,2", 1);
    EXPECT_FALSE(show_only_device(2));
    EXPECT_EQ(variable("CUDA_VISIBLE_DEVICES"), "5,2");
}

TEST(VisibleDevice, IsTheItemOfTheList)
{
    EXPECT_EQ(visible_device("4", 0), "4");
    EXPECT_EQ(visible_device("4,7,1", 2), "1");
    EXPECT_EQ(visible_device("4,7,1", 3), std::nullopt);
    EXPECT_EQ(visible_device("4", 4294967295U), std::nullopt);
}

TEST(VisibleDevice, EndsWhereCudaStopsReading)
{
    EXPECT_EQ(visible_device("", 0), std::nullopt);
    EXPECT_EQ(visible_device("-1", 0), std::nullopt);
    EXPECT_EQ(visible_device("3,-1,1", 2), std::nullopt);
    EXPECT_EQ(visible_device("3,,1", 2), std::nullopt);
}

TEST(ContextsInUse, StayUntilTheProcessEnds)
{
    const VmafDoubleControl *const driver = test::loaded_driver_double();
    if (driver == nullptr)
        GTEST_SKIP() << "no driver double";
    start_driver().join();
    leave_contexts_to_process_end();
    EXPECT_EQ(driver->live(VMAF_DOUBLE_CONTEXT), 0U) << "none is in use";
    {
        VmafCudaState *state = nullptr;
        ASSERT_EQ(vmaf_cuda_state_init_device(&state, 0), 0);
        const CudaState owner(state);
        leave_contexts_to_process_end();
    }
    EXPECT_EQ(driver->live(VMAF_DOUBLE_CONTEXT), 1U);
}

} // namespace
} // namespace vmaf::tool
