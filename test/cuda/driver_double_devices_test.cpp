#include "cuda/driver_double/fixture.h"

#include <cerrno>

#include "cuda/context.h"
#include "cuda/driver_double/usage.h"

// The driver double's devices and what their memory is counted as.

namespace vmaf::test {
namespace {

constexpr VmafDoubleDevice kLarge{9, 0, std::size_t{80} << 30, 132, 227 * 1024};
constexpr VmafDoubleDevice kSmall{7, 5, 1000, 30, 64 * 1024};

class DriverDoubleDevices : public DriverCalls {
  protected:
    void TearDown() override
    {
        EXPECT_EQ(control->live_total(), 0U);
        EXPECT_EQ(control->violations(), 0U) << control->violation(0);
        EXPECT_EQ(control->set_devices(1, &kLarge), 0);
        control->set_driver_version(13000);
    }

    CUcontext retain(CUdevice device)
    {
        CUcontext context = nullptr;
        EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, device), kSuccess);
        return context;
    }

    void use(CUcontext context)
    {
        CUcontext current = nullptr;
        ASSERT_EQ(driver.cuCtxGetCurrent(&current), kSuccess);
        if (current != nullptr) {
            ASSERT_EQ(driver.cuCtxPopCurrent_v2(&current), kSuccess);
        }
        if (context != nullptr) {
            ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
        }
    }
};

TEST_F(DriverDoubleDevices, AreTheOnesThatTheTestSets)
{
    const VmafDoubleDevice both[] = {kLarge, kSmall};
    ASSERT_EQ(control->set_devices(2, both), 0);
    int count = 0;
    EXPECT_EQ(driver.cuDeviceGetCount(&count), kSuccess);
    EXPECT_EQ(count, 2);
    CUdevice device = -1;
    EXPECT_EQ(driver.cuDeviceGet(&device, 2), kInvalidDevice);
    EXPECT_EQ(driver.cuDeviceGet(&device, 1), kSuccess);
    int major = 0, minor = 0, multiprocessors = 0, shared_bytes = 0;
    EXPECT_EQ(driver.cuDeviceComputeCapability(&major, &minor, device), kSuccess);
    EXPECT_EQ(10 * major + minor, 75);
    EXPECT_EQ(driver.cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
              kSuccess);
    EXPECT_EQ(multiprocessors, 30);
    EXPECT_EQ(driver.cuDeviceGetAttribute(&shared_bytes, static_cast<CUdevice_attribute>(97), device), kSuccess);
    EXPECT_EQ(shared_bytes, 64 * 1024);
}

TEST_F(DriverDoubleDevices, EachHasAPrimaryContextAndMemoryOfItsOwn)
{
    const VmafDoubleDevice both[] = {kLarge, kSmall};
    ASSERT_EQ(control->set_devices(2, both), 0);
    CUcontext first = retain(0), second = retain(1), none = nullptr;
    EXPECT_NE(first, second);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&none, 2), kInvalidDevice);
    CUdevice device = -1;
    CUdeviceptr in_first = 0, in_second = 0, refused = 0;
    std::size_t free = 0, total = 0;

    use(second);
    EXPECT_EQ(driver.cuCtxGetDevice(&device), kSuccess);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(driver.cuMemAlloc_v2(&in_second, 600), kSuccess);
    EXPECT_EQ(driver.cuMemAlloc_v2(&refused, 401), kOutOfMemory);
    EXPECT_EQ(driver.cuMemsetD8Async(in_second, 1, 600, nullptr), kSuccess);
    VmafDoubleWork work{};
    ASSERT_TRUE(control->work(0, &work));
    EXPECT_EQ(work.device, 1);
    EXPECT_EQ(driver.cuMemGetInfo_v2(&free, &total), kSuccess);
    EXPECT_EQ(free, 400U);
    EXPECT_EQ(total, 1000U);
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    int architecture = 0;
    EXPECT_EQ(driver.cuModuleLoadData(&module, "image"), kSuccess);
    EXPECT_EQ(driver.cuModuleGetFunction(&kernel, module, "kernel"), kSuccess);
    EXPECT_EQ(driver.cuFuncGetAttribute(&architecture, 5, kernel), kSuccess);
    EXPECT_EQ(architecture, 75);
    void *arguments[] = {&module};
    EXPECT_EQ(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 65 * 1024, nullptr, arguments, nullptr), kInvalidValue);
    EXPECT_EQ(driver.cuModuleUnload(module), kSuccess);
    use(first);
    EXPECT_EQ(driver.cuCtxGetDevice(&device), kSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(driver.cuMemAlloc_v2(&in_first, 5000), kSuccess);
    EXPECT_EQ(control->live_bytes(), 5600U);

    EXPECT_EQ(driver.cuMemFree_v2(in_first), kSuccess);
    use(second);
    EXPECT_EQ(driver.cuMemFree_v2(in_second), kSuccess);
    EXPECT_EQ(driver.cuMemAlloc_v2(&in_second, 1000), kSuccess) << "freed memory is there again";
    EXPECT_EQ(driver.cuMemFree_v2(in_second), kSuccess);
    use(nullptr);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(1), kSuccess);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
}

TEST_F(DriverDoubleDevices, StayAsTheyAreWhileAContextIsAlive)
{
    retain(0);
    EXPECT_EQ(control->set_devices(1, &kSmall), -1);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
    EXPECT_EQ(control->set_devices(1, &kSmall), 0);
}

TEST_F(DriverDoubleDevices, MayBeNone)
{
    ASSERT_EQ(control->set_devices(0, nullptr), 0);
    CUdevice device = 0;
    CUcontext context = nullptr;
    int count = -1;
    EXPECT_EQ(driver.cuInit(0), kNoDevice);
    EXPECT_EQ(driver.cuDeviceGetCount(&count), kNotInitialized);
    EXPECT_EQ(driver.cuDeviceGet(&device, 0), kNotInitialized);
    EXPECT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), kInvalidDevice);
    EXPECT_EQ(CudaContext::create(nullptr).status().code(), -ENODEV);
}

TEST_F(DriverDoubleDevices, ShowTheLibraryWhatTheyAre)
{
    const VmafDoubleDevice old{7, 0, 1000, 80, 96 * 1024};
    const VmafDoubleDevice later_than_any{99, 0, 1000, 80, 227 * 1024};
    ASSERT_EQ(control->set_devices(1, &old), 0);
    EXPECT_EQ(CudaContext::create(nullptr).status().code(), -ENODEV);
    ASSERT_EQ(control->set_devices(1, &later_than_any), 0);
    EXPECT_TRUE(CudaContext::create(nullptr).ok());
}

TEST_F(DriverDoubleDevices, TheDriverHasTheVersionThatTheTestSets)
{
    int version = 0;
    ASSERT_EQ(control->set_driver_version(11040), 0);
    EXPECT_EQ(driver.cuDriverGetVersion(&version), kSuccess);
    EXPECT_EQ(version, 11040);
}

TEST_F(DriverDouble, CountsWhatIsMadeAndThePeakOfDeviceMemory)
{
    const CUdeviceptr kept = allocate(100);
    control->mark();
    EXPECT_EQ(control->peak_bytes(), 100U);
    CUevent event = nullptr;
    for (const std::size_t bytes : {300U, 200U}) {
        const CUdeviceptr memory = allocate(bytes);
        EXPECT_EQ(driver.cuEventCreate(&event, 2), kSuccess);
        EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
        EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    }
    EXPECT_EQ(control->peak_bytes(), 400U);
    EXPECT_EQ(control->made(VMAF_DOUBLE_DEVICE_MEMORY), 2U);
    EXPECT_EQ(control->made(VMAF_DOUBLE_EVENT), 2U);
    EXPECT_EQ(control->made(VMAF_DOUBLE_STREAM), 0U);
    control->reset();
    EXPECT_EQ(control->peak_bytes(), 100U);
    EXPECT_EQ(control->made(VMAF_DOUBLE_EVENT), 0U);
    EXPECT_EQ(driver.cuMemFree_v2(kept), kSuccess);
}

TEST_F(DriverDouble, TellsWhetherCyclesKeepMemoryConstant)
{
    std::vector<CUdeviceptr> leaked;
    std::size_t once = 100;
    const auto use_for_a_while = [&] {
        const CUdeviceptr memory = allocate(once);
        EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
    };
    EXPECT_TRUE(memory_stays_constant(*control, 5, [&] {
        use_for_a_while();
        if (leaked.empty())
            leaked.push_back(allocate(1)); // what the first cycle keeps is not growth
    }));
    EXPECT_FALSE(memory_stays_constant(*control, 5, [&] { leaked.push_back(allocate(1)); }));
    EXPECT_FALSE(memory_stays_constant(*control, 5, [&] {
        use_for_a_while();
        once += 100;
    }));
    for (const CUdeviceptr memory : leaked)
        EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
}

} // namespace
} // namespace vmaf::test
