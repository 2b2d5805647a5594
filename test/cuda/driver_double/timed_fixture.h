#pragma once

#include <array>
#include <cstring>
#include <memory>

#include "cuda/driver_double/fixture.h"

namespace vmaf::test {

/// Streams, events and buffers for tests of queued work; ends the modes of time and releases all.
class DriverTime : public DriverDouble {
  protected:
    static constexpr unsigned kBlocking = 0, kNonBlocking = 1;
    static constexpr std::size_t kBytes = 64;

    void TearDown() override
    {
        control->set_time(VMAF_DOUBLE_AT_ONCE, 0);
        for (CUevent event : events_)
            EXPECT_EQ(driver.cuEventDestroy_v2(event), kSuccess);
        for (CUstream stream : streams_)
            EXPECT_EQ(driver.cuStreamDestroy_v2(stream), kSuccess);
        for (const CUdeviceptr memory : memory_)
            EXPECT_EQ(driver.cuMemFree_v2(memory), kSuccess);
        for (unsigned char *pinned : pinned_)
            EXPECT_EQ(driver.cuMemFreeHost(pinned), kSuccess);
        if (module_ != nullptr) {
            EXPECT_EQ(driver.cuModuleUnload(module_), kSuccess);
        }
        DriverDouble::TearDown();
    }

    CUstream stream(unsigned flags = kNonBlocking)
    {
        streams_.push_back(nullptr);
        EXPECT_EQ(driver.cuStreamCreate(&streams_.back(), flags), kSuccess);
        return streams_.back();
    }

    CUevent event()
    {
        events_.push_back(nullptr);
        EXPECT_EQ(driver.cuEventCreate(&events_.back(), 2), kSuccess);
        return events_.back();
    }

    /// kBytes of it, all 0.
    CUdeviceptr device_memory()
    {
        memory_.push_back(allocate(kBytes));
        std::memset(host(memory_.back()), 0, kBytes);
        return memory_.back();
    }

    unsigned char *pinned_memory()
    {
        void *memory = nullptr;
        EXPECT_EQ(driver.cuMemHostAlloc(&memory, kBytes, 1), kSuccess);
        pinned_.push_back(static_cast<unsigned char *>(memory));
        std::memset(memory, 0, kBytes);
        return pinned_.back();
    }

    CUfunction kernel(const char *name)
    {
        if (module_ == nullptr) {
            EXPECT_EQ(driver.cuModuleLoadData(&module_, "image"), kSuccess);
        }
        CUfunction function = nullptr;
        EXPECT_EQ(driver.cuModuleGetFunction(&function, module_, name), kSuccess);
        return function;
    }

    template <class Params> CUresult launch(CUfunction function, CUstream on, const Params &params)
    {
        void *arguments[] = {const_cast<Params *>(&params)};
        return driver.cuLaunchKernel(function, 3, 2, 1, 32, 4, 1, 0, on, arguments, nullptr);
    }

    CUresult fill(CUdeviceptr memory, unsigned char value, CUstream on)
    {
        return driver.cuMemsetD8Async(memory, value, kBytes, on);
    }

    CUresult download(unsigned char *to, CUdeviceptr from, CUstream on)
    {
        return driver.cuMemcpyDtoHAsync_v2(to, from, kBytes, on);
    }

    CUresult upload(CUdeviceptr to, const unsigned char *from, CUstream on)
    {
        return driver.cuMemcpyHtoDAsync_v2(to, from, kBytes, on);
    }

    /// What a kernel would find there.
    static unsigned char *host(CUdeviceptr memory)
    {
        return reinterpret_cast<unsigned char *>(static_cast<std::uintptr_t>(memory));
    }

    /// The names of what ran since the last reset, in order.
    std::vector<std::string> ran() const
    {
        std::vector<std::string> names;
        VmafDoubleWork work{};
        for (unsigned long index = 0; control->work(index, &work); ++index)
            names.emplace_back(work.name);
        return names;
    }

    std::string last_wait() const { return control->waits() > 0 ? control->wait(control->waits() - 1) : ""; }

    /// Released by the test itself.
    void forget(CUdeviceptr memory) { std::erase(memory_, memory); }
    void forget(unsigned char *pinned) { std::erase(pinned_, pinned); }
    void forget(CUstream released) { std::erase(streams_, released); }
    void forget(CUevent released) { std::erase(events_, released); }
    void forget_module() { module_ = nullptr; }
    CUmodule module() const { return module_; }

  private:
    std::vector<CUstream> streams_;
    std::vector<CUevent> events_;
    std::vector<CUdeviceptr> memory_;
    std::vector<unsigned char *> pinned_;
    CUmodule module_ = nullptr;
};

} // namespace vmaf::test
