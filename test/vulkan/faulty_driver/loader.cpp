// A Vulkan loader with a faulty driver. It is Mesa's software driver, whose calls fail when a test
// asks for it (control.h). In kernels that contain a certain function (VMAF_TEST_MISCOMPILED),
// every `-` becomes `+`. Tests make the library find it as libvulkan.so.1.

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "vulkan/driver.h"
#include "vulkan/faulty_driver/control.h"

namespace {

struct Failure {
    unsigned long call;
    VkResult result;
    bool lasts;
};
std::mutex g_mutex;
unsigned long g_calls = 0;
std::vector<Failure> g_failures;
std::atomic<void (*)(const char *)> g_hook{nullptr};
std::atomic<long> g_live{0};
std::atomic<unsigned> g_number{0};
std::atomic<VkDevice> g_device{VK_NULL_HANDLE};
std::atomic<void (*)()> g_before{nullptr}, g_after{nullptr};
PFN_vkGetDeviceProcAddr g_find_device_call;
PFN_vkDeviceWaitIdle g_wait_idle;

/// While it lives, the calling thread does the driver's work.
class DriversWork {
  public:
    DriversWork()
    {
        if (before_ != nullptr)
            before_();
    }
    ~DriversWork()
    {
        if (after_ != nullptr)
            after_();
    }
    DriversWork(const DriversWork &) = delete;
    DriversWork &operator=(const DriversWork &) = delete;

  private:
    void (*const before_)() = g_before;
    void (*const after_)() = g_after;
};

PFN_vkGetInstanceProcAddr driver()
{
    void *const library = dlopen("libvulkan_lvp.so", RTLD_NOW);
    return library == nullptr
               ? nullptr
               : reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
}

VkResult result_of_next_call()
{
    const std::lock_guard lock(g_mutex);
    ++g_calls;
    for (const Failure &failure : g_failures)
        if (g_calls == failure.call || (failure.lasts && g_calls > failure.call))
            return failure.result;
    return VK_SUCCESS;
}

/// The result that the next call returns instead of being made. A lost device stays lost. The
/// software driver then has no work left that might use destroyed objects.
VkResult next_failure(const char *name)
{
    if (void (*const hook)(const char *) = g_hook; hook != nullptr)
        hook(name);
    const VkResult result = result_of_next_call();
    if (result == VK_SUCCESS)
        return result;
    if (g_wait_idle != nullptr && g_device != VK_NULL_HANDLE)
        g_wait_idle(g_device);
    return result;
}

VkResult create_shader_module(PFN_vkCreateShaderModule create, VkDevice device, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkShaderModule *made)
{
    constexpr std::size_t kHeaderWords = 5;
    constexpr std::uint32_t kName = 5, kAdd = 128, kSubtract = 130;
    const char *const function = std::getenv("VMAF_TEST_MISCOMPILED");
    std::vector<std::uint32_t> code(info->pCode, info->pCode + info->codeSize / sizeof(std::uint32_t));
    bool is_meant = false;
    for (std::size_t at = kHeaderWords; at < code.size() && code[at] >> 16 != 0; at += code[at] >> 16) {
        const std::uint32_t operation = code[at] & 0xffff;
        if (operation == kName && function != nullptr)
            is_meant |= std::string_view(reinterpret_cast<const char *>(&code[at + 2])).starts_with(function);
        else if (operation == kSubtract && is_meant) // names come before the code
            code[at] = (code[at] & 0xffff0000) | kAdd;
    }
    VkShaderModuleCreateInfo changed = *info;
    changed.pCode = code.data();
    return create(device, &changed, allocator, made);
}

void rename(VkPhysicalDeviceProperties2 &device)
{
    char *const name = device.properties.deviceName;
    const std::size_t length = std::strlen(name);
    if (const unsigned number = g_number; number != 0)
        std::snprintf(name + length, sizeof device.properties.deviceName - length, " %u", number);
}

/// Replaces an entry point of the driver.
template <class Entry, class Function> struct Wrapper;
template <class Entry, class Return, class... Arguments> struct Wrapper<Entry, Return (*)(Arguments...)> {
    static Return call(Arguments... arguments)
    {
        const DriversWork work;
        constexpr std::string_view kName = Entry::kName;
        if constexpr (std::is_same_v<Return, VkResult>) {
            if (const VkResult failure = next_failure(Entry::kName); failure != VK_SUCCESS)
                return failure;
        }
        if constexpr (kName.starts_with("vkDestroy") || kName == "vkFreeMemory") {
            --g_live;
            if constexpr (kName == "vkDestroyDevice")
                g_device = VK_NULL_HANDLE;
            Entry::real(arguments...);
        } else if constexpr (kName.starts_with("vkCreate") || kName == "vkAllocateMemory") {
            Return result;
            if constexpr (kName == "vkCreateShaderModule")
                result = create_shader_module(Entry::real, arguments...);
            else
                result = Entry::real(arguments...);
            if (result == VK_SUCCESS)
                ++g_live;
            if constexpr (kName == "vkCreateDevice")
                g_device = result == VK_SUCCESS ? *std::get<3>(std::tuple(arguments...)) : VK_NULL_HANDLE;
            return result;
        } else if constexpr (kName == "vkGetPhysicalDeviceProperties2") {
            Entry::real(arguments...);
            rename(*std::get<1>(std::tuple(arguments...)));
        } else {
            return Entry::real(arguments...);
        }
    }
};

#define VMAF_ENTRY(name)                                                                                               \
    struct name##Entry {                                                                                               \
        static constexpr const char *kName = "vk" #name;                                                               \
        static inline PFN_vk##name real = nullptr;                                                                     \
    };
VMAF_VULKAN_GLOBAL_ENTRY_POINTS(VMAF_ENTRY)
VMAF_VULKAN_INSTANCE_ENTRY_POINTS(VMAF_ENTRY)
VMAF_VULKAN_DEVICE_ENTRY_POINTS(VMAF_ENTRY)

/// The replacement for the driver's function of that name, or the function itself if the library
/// does not use it.
PFN_vkVoidFunction stand_in(const char *name, PFN_vkVoidFunction found)
{
#define VMAF_STAND_IN(entry)                                                                                           \
    if (std::strcmp(name, "vk" #entry) == 0) {                                                                         \
        entry##Entry::real = reinterpret_cast<PFN_vk##entry>(found);                                                   \
        return reinterpret_cast<PFN_vkVoidFunction>(&Wrapper<entry##Entry, PFN_vk##entry>::call);                      \
    }
    if (found == nullptr)
        return nullptr;
    VMAF_VULKAN_GLOBAL_ENTRY_POINTS(VMAF_STAND_IN)
    VMAF_VULKAN_INSTANCE_ENTRY_POINTS(VMAF_STAND_IN)
    VMAF_VULKAN_DEVICE_ENTRY_POINTS(VMAF_STAND_IN)
    return found;
}

PFN_vkVoidFunction device_call(VkDevice device, const char *name)
{
    const DriversWork work;
    g_wait_idle = reinterpret_cast<PFN_vkDeviceWaitIdle>(g_find_device_call(device, "vkDeviceWaitIdle"));
    return stand_in(name, g_find_device_call(device, name));
}

} // namespace

extern "C" __attribute__((visibility("default"))) PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance,
                                                                                           const char *name)
{
    const DriversWork work;
    static const PFN_vkGetInstanceProcAddr kDriver = driver();
    const PFN_vkVoidFunction found = kDriver == nullptr ? nullptr : kDriver(instance, name);
    if (found == nullptr || std::strcmp(name, "vkGetDeviceProcAddr") != 0)
        return stand_in(name, found);
    g_find_device_call = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(&device_call);
}

extern "C" __attribute__((visibility("default"))) void vmaf_faulty_fail(unsigned long call, int result, bool lasts)
{
    const std::lock_guard lock(g_mutex);
    g_failures.push_back({call, static_cast<VkResult>(result), lasts});
}

extern "C" __attribute__((visibility("default"))) void vmaf_faulty_heal()
{
    const std::lock_guard lock(g_mutex);
    g_failures.clear();
    g_calls = 0;
}

extern "C" __attribute__((visibility("default"))) void vmaf_faulty_on_calls(void (*hook)(const char *name))
{
    g_hook = hook;
}

extern "C" __attribute__((visibility("default"))) void vmaf_faulty_rename(unsigned number)
{
    g_number = number;
}

extern "C" __attribute__((visibility("default"))) long vmaf_faulty_live()
{
    return g_live;
}

extern "C" __attribute__((visibility("default"))) void vmaf_faulty_around(void (*before)(), void (*after)())
{
    g_before = before;
    g_after = after;
}
