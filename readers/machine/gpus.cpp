#include <cstdlib>

#include "base/native.h"
#include "common/platform.h"
#include "common/threads.h"
#include "machine/machine.h"

namespace vmaf::tool {
namespace {

constexpr const char *kVisible = "CUDA_VISIBLE_DEVICES";
constexpr const char *kOrder = "CUDA_DEVICE_ORDER";
constexpr int kSuccess = 0;

/// The driver's calls, of which the library loads others for itself. A device is a number.
struct Driver {
    int (*init)(unsigned flags);
    int (*count)(int *count);
    int (*device)(int *device, int index);
    int (*name)(char *name, int bytes, int device);
    int (*memory)(std::size_t *bytes, int device);
    int (*context_state)(int device, unsigned *flags, int *is_active);
    int (*retain_context)(void **context, int device);
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
           find(library, "cuDeviceTotalMem_v2", driver.memory) &&
           find(library, "cuDevicePrimaryCtxGetState", driver.context_state) &&
           find(library, "cuDevicePrimaryCtxRetain", driver.retain_context);
}

} // namespace

bool count_gpus_in_pci_order()
{
    return std::getenv(kVisible) || std::getenv(kOrder) || set_environment(kOrder, "PCI_BUS_ID");
}

std::vector<GpuFacts> gpus()
{
    std::vector<GpuFacts> found;
    Driver driver{};
    int count = 0;
    if (!count_gpus_in_pci_order() || !open(driver) || driver.init(0) != kSuccess || driver.count(&count) != kSuccess)
        return found;
    for (int index = 0; index < count; ++index) {
        int device = 0;
        char name[256] = "";
        std::size_t bytes = 0;
        if (driver.device(&device, index) == kSuccess && driver.name(name, sizeof name, device) == kSuccess &&
            driver.memory(&bytes, device) == kSuccess)
            found.push_back({static_cast<unsigned>(index), name, bytes});
    }
    return found;
}

std::jthread start_driver()
{
    return start_thread("to start the GPU's driver", [] {
        Driver driver{};
        if (open(driver))
            driver.init(0);
    });
}

void leave_contexts_to_process_end()
{
    Driver driver{};
    int count = 0;
    if (!open(driver) || driver.count(&count) != kSuccess)
        return;
    for (int index = 0; index < count; ++index) {
        int device = 0, is_active = 0;
        unsigned flags = 0;
        void *context = nullptr;
        if (driver.device(&device, index) == kSuccess && driver.context_state(device, &flags, &is_active) == kSuccess &&
            is_active != 0)
            driver.retain_context(&context, device);
    }
}

std::optional<std::string> visible_device(std::string_view visible, unsigned index)
{
    for (;; --index) {
        const std::size_t comma = visible.find(',');
        const std::string_view item = visible.substr(0, comma);
        if (item.empty() || item.front() == '-') // CUDA ignores what follows
            return std::nullopt;
        if (index == 0)
            return std::string(item);
        if (comma == visible.npos)
            return std::nullopt;
        visible.remove_prefix(comma + 1);
    }
}

bool show_only_device(unsigned index)
{
    const char *const visible = std::getenv(kVisible);
    const auto device = visible ? visible_device(visible, index) : std::to_string(index);
    return device && count_gpus_in_pci_order() && set_environment(kVisible, device->c_str());
}

} // namespace vmaf::tool
