// A Vulkan loader with a driver that miscompiles: Mesa's software driver, which is given `+` for
// every `-` of the kernels that have a certain function (VMAF_TEST_MISCOMPILED). Tests let it be
// found as libvulkan.so.1.

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <vulkan/vulkan_core.h>

namespace {

PFN_vkGetDeviceProcAddr g_device_calls;
PFN_vkCreateShaderModule g_create_shader_module;

PFN_vkGetInstanceProcAddr driver()
{
    void *const library = dlopen("libvulkan_lvp.so", RTLD_NOW);
    return library == nullptr
               ? nullptr
               : reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
}

VkResult create_shader_module(VkDevice device, const VkShaderModuleCreateInfo *info,
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
        else if (operation == kSubtract && is_meant) // names stand before the code
            code[at] = (code[at] & 0xffff0000) | kAdd;
    }
    VkShaderModuleCreateInfo changed = *info;
    changed.pCode = code.data();
    return g_create_shader_module(device, &changed, allocator, made);
}

PFN_vkVoidFunction device_call(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction found = g_device_calls(device, name);
    if (std::strcmp(name, "vkCreateShaderModule") != 0)
        return found;
    g_create_shader_module = reinterpret_cast<PFN_vkCreateShaderModule>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(&create_shader_module);
}

} // namespace

extern "C" __attribute__((visibility("default"))) PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance,
                                                                                           const char *name)
{
    static const PFN_vkGetInstanceProcAddr kDriver = driver();
    const PFN_vkVoidFunction found = kDriver == nullptr ? nullptr : kDriver(instance, name);
    if (found == nullptr || std::strcmp(name, "vkGetDeviceProcAddr") != 0)
        return found;
    g_device_calls = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(&device_call);
}
