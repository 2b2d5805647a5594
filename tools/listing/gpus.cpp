#include "listing/gpus.h"

#include <cstddef>

#include "base/native.h"
#include "cli/gpu_selection.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr bool kUsesGpus = VMAF_TOOL_USES_GPUS;
constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr int kSuccess = 0;

/// The driver's calls, of which the library loads others for itself. A device is a number.
struct Driver {
    int (*init)(unsigned flags);
    int (*count)(int *count);
    int (*device)(int *device, int index);
    int (*name)(char *name, int bytes, int device);
    int (*memory)(std::size_t *bytes, int device);
};

template <class Function> bool find(void *library, const char *symbol, Function *&function)
{
    function = reinterpret_cast<Function *>(library_symbol(library, symbol));
    return function != nullptr;
}

/// Never closed: a driver does not like that.
bool open(Driver &driver)
{
    void *const library = open_library(kCudaDriver);
    return library && find(library, "cuInit", driver.init) && find(library, "cuDeviceGetCount", driver.count) &&
           find(library, "cuDeviceGet", driver.device) && find(library, "cuDeviceGetName", driver.name) &&
           find(library, "cuDeviceTotalMem_v2", driver.memory);
}

int count_of_gpus(const Driver &driver)
{
    int count = 0;
    return driver.init(0) == kSuccess && driver.count(&count) == kSuccess ? count : 0;
}

std::string list_of_gpus(const Driver &driver)
{
    std::string text;
    for (int index = 0; index < count_of_gpus(driver); ++index) {
        int device = 0;
        char name[256] = "";
        std::size_t bytes = 0;
        if (driver.device(&device, index) == kSuccess && driver.name(name, sizeof name, device) == kSuccess &&
            driver.memory(&bytes, device) == kSuccess)
            text += formatted("{} {} {} MiB\n", index, static_cast<const char *>(name), bytes / kMiB);
    }
    return text;
}

/// In the order in which --gpu counts them. False if there is none that could be used.
bool open_in_order(Driver &driver)
{
    return kUsesGpus && count_in_pci_order() && open(driver);
}

} // namespace

std::string list_of_gpus()
{
    Driver driver{};
    return open_in_order(driver) ? list_of_gpus(driver) : "";
}

unsigned count_of_gpus()
{
    Driver driver{};
    return open_in_order(driver) ? static_cast<unsigned>(count_of_gpus(driver)) : 0;
}

} // namespace vmaf::tool
