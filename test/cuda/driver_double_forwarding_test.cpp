#include "cuda/driver_double/timed_fixture.h"

#include <cstdlib>

// The driver double in front of another driver; here a second double, VMAF_DOUBLE_FORWARD.

namespace vmaf::test {
namespace {

class DriverForwarding : public DriverTime {
  protected:
    void SetUp() override
    {
        DriverTime::SetUp();
        const char *path = std::getenv("VMAF_DOUBLE_FORWARD");
        ASSERT_NE(path, nullptr);
        void *library = dlopen(path, RTLD_LAZY);
        ASSERT_NE(library, nullptr) << dlerror();
        const auto table = reinterpret_cast<decltype(&vmaf_driver_double)>(dlsym(library, "vmaf_driver_double"));
        ASSERT_NE(table, nullptr);
        behind = table();
        ASSERT_NE(behind, control);
        behind->reset();
    }

    const VmafDoubleControl *behind = nullptr;
};

TEST_F(DriverForwarding, CallsGoOnAndAreCountedInBoth)
{
    EXPECT_TRUE(control->forwarding());
    EXPECT_FALSE(behind->forwarding());
    control->reset();
    const CUdeviceptr memory = allocate(8);
    EXPECT_EQ(behind->live_bytes(), control->live_bytes());
    control->fail(1, kUnknown, VMAF_DOUBLE_ONCE, "cuMemFree_v2");
    EXPECT_EQ(driver.cuMemFree_v2(memory), kUnknown);
    EXPECT_EQ(control->calls(), 2U);
    EXPECT_EQ(behind->calls(), 2U);
    EXPECT_EQ(behind->live(VMAF_DOUBLE_DEVICE_MEMORY), 0U) << "a release is made, then reported as failed";
}

TEST_F(DriverForwarding, TimeOrderDevicesAndKernelsAreTheDrivers)
{
    EXPECT_EQ(control->set_time(VMAF_DOUBLE_HELD, 0), -1);
    EXPECT_EQ(control->set_pageable_reads(VMAF_DOUBLE_WHEN_IT_RUNS), -1);
    EXPECT_EQ(control->set_patience(1), -1);
    EXPECT_EQ(control->set_devices(0, nullptr), -1);
    EXPECT_EQ(control->set_driver_version(1), -1);
    EXPECT_EQ(control->on_kernel("kernel", nullptr, 0, nullptr, nullptr), -1);

    CUstream on = stream();
    CUevent done = event();
    const CUdeviceptr memory = device_memory();
    unsigned char *result = pinned_memory();
    EXPECT_EQ(behind->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0), 0);
    EXPECT_EQ(fill(memory, 1, on), kSuccess);
    EXPECT_EQ(download(result, memory, on), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(done, on), kSuccess);
    EXPECT_EQ(driver.cuEventQuery(done), kNotReady);
    EXPECT_EQ(result[0], 0);
    EXPECT_EQ(driver.cuEventSynchronize(done), kSuccess);
    EXPECT_EQ(result[0], 1);
    EXPECT_EQ(control->works(), 0U);
    EXPECT_EQ(behind->works(), 3U);
    EXPECT_EQ(behind->violations(), 0U) << behind->violation(0);
}

} // namespace
} // namespace vmaf::test
