#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/driver_double/driver_types.h"
#include "cuda/driver_double/loaded_double.h"

namespace vmaf::test {

using namespace driver_double;

constexpr CUresult kUnknown = CUDA_ERROR_UNKNOWN;

/// The double's entry points, called as a client of the driver calls them.
class DriverCalls : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_NE(control, nullptr) << kDriverName << " is not the double";
        const DriverLibrary library = open_driver();
#define RESOLVE(symbol, Type) driver.symbol = symbol_of<Type>(library, #symbol);
        DRIVER_DOUBLE_ENTRY_POINTS(RESOLVE)
#undef RESOLVE
        control->reset();
    }

    const VmafDoubleControl *control = loaded_driver_double();
    Backend driver{};
};

/// DriverCalls with a context current. The test fails if it leaves objects alive.
class DriverDouble : public DriverCalls {
  protected:
    void SetUp() override
    {
        DriverCalls::SetUp();
        ASSERT_EQ(driver.cuInit(0), kSuccess);
        ASSERT_EQ(driver.cuDevicePrimaryCtxRetain(&context, 0), kSuccess);
        ASSERT_EQ(driver.cuCtxPushCurrent_v2(context), kSuccess);
    }

    void TearDown() override
    {
        control->heal();
        CUcontext popped = nullptr;
        EXPECT_EQ(driver.cuCtxPopCurrent_v2(&popped), kSuccess);
        EXPECT_EQ(popped, context);
        EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), kSuccess);
        EXPECT_EQ(control->live_total(), 0U);
        EXPECT_EQ(control->violations(), expected_violations)
            << (control->violations() > 0 ? control->violation(0) : "none");
    }

    /// The last call was one: a misuse that the test wanted.
    void expect_violation(const std::string &text)
    {
        ASSERT_EQ(control->violations(), ++expected_violations);
        expect_text(text);
    }
    /// That violation says so, too.
    void expect_text(const std::string &text)
    {
        const std::string last = control->violation(expected_violations - 1);
        EXPECT_NE(last.find(text), std::string::npos) << last;
    }

    CUdeviceptr allocate(std::size_t bytes)
    {
        CUdeviceptr memory = 0;
        EXPECT_EQ(driver.cuMemAlloc_v2(&memory, bytes), kSuccess);
        return memory;
    }

    std::vector<std::uint8_t> read(CUdeviceptr memory, std::size_t bytes)
    {
        std::vector<std::uint8_t> copy(bytes);
        EXPECT_EQ(driver.cuMemcpyDtoHAsync_v2(copy.data(), memory, bytes, nullptr), kSuccess);
        return copy;
    }

    CUcontext context = nullptr;
    unsigned long expected_violations = 0;
};

} // namespace vmaf::test
