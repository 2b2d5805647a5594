#include "scoring/gpu_probe.h"

#include <algorithm>
#include <cerrno>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"
#include "machine/machine.h"

namespace vmaf::tool {
namespace {

/// Log level for the probe. Only a user who demanded a GPU sees that there is none. The last
/// context's level holds for the process.
int set_log_level(GpuUse use)
{
    VmafConfiguration config{};
    config.log_level = use == GpuUse::demanded ? VMAF_LOG_LEVEL_INFO : VMAF_LOG_LEVEL_WARNING;
    VmafContext *raw = nullptr;
    const int error = vmaf_init(&raw, config);
    const Context sets_log_level(raw);
    return error;
}

std::vector<Gpu> open_named(const std::vector<unsigned> &devices)
{
    std::vector<Gpu> opened(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const int error = open_cuda(GpuUse::demanded, devices[i], opened[i]);
        if (error == -EINVAL)
            throw Failure(kExitSetup, formatted("there is no GPU {}: CUDA_VISIBLE_DEVICES shows fewer", devices[i]));
        if (error)
            throw Failure(kExitSetup, formatted("GPU {}: {}", devices[i], gpu_reason(error)));
    }
    return opened;
}

std::vector<Gpu> open_all()
{
    std::vector<Gpu> opened;
    int first_error = 0;
    unsigned device = 0;
    do { // the library says why there is no first one
        Gpu gpu;
        const int error = open_cuda(GpuUse::demanded, device, gpu);
        if (error == 0)
            opened.push_back(std::move(gpu));
        else if (first_error == 0)
            first_error = error;
    } while (++device < usable_gpus().size());
    if (opened.empty())
        throw Failure(kExitSetup, gpu_reason(first_error));
    if (opened.size() < device)
        say("note: {} of {} GPUs can be used\n", opened.size(), device);
    return opened;
}

} // namespace

int GpuState::import_into(VmafContext *context) const
{
    return cuda ? vmaf_cuda_import_state(context, cuda.get()) : vmaf_vulkan_import_state(context, vulkan.get());
}

void choose_gpu(const GpuSelection &gpu)
{
    if (gpu.use == GpuUse::none || gpu.kind == GpuKind::vulkan)
        return;
    if (!count_gpus_in_pci_order())
        throw Failure(kExitSetup, "the order of GPUs cannot be set");
    if (gpu.device && !show_only_device(*gpu.device))
        throw Failure(kExitSetup, formatted("there is no GPU {}: CUDA_VISIBLE_DEVICES shows fewer", *gpu.device));
}

int open_cuda(GpuUse use, unsigned device, Gpu &gpu)
{
    if (const int error = set_log_level(use))
        return error;
    VmafCudaState *state = nullptr;
    const int error = vmaf_cuda_state_init_device(&state, static_cast<int>(device));
    if (error == 0)
        gpu = std::make_shared<GpuState>(GpuState{CudaState(state), nullptr});
    return error;
}

int open_vulkan(GpuUse use, unsigned device, Gpu &gpu)
{
    if (const int error = set_log_level(use))
        return error;
    VmafVulkanConfiguration config{};
    config.device = device;
    VmafVulkanState *state = nullptr;
    const int error = vmaf_vulkan_state_init(&state, config);
    if (error == 0)
        gpu = std::make_shared<GpuState>(GpuState{nullptr, VulkanState(state)});
    if (error == 0 && use == GpuUse::demanded)
        return vmaf_vulkan_state_check(state, VMAF_VULKAN_CHECK_FAIL);
    return error;
}

std::vector<const VmafVulkanDeviceInfo *> vulkan_devices()
{
    if (set_log_level(GpuUse::if_possible) != 0)
        return {};
    return library_vulkan_devices();
}

const VmafVulkanDeviceInfo *vulkan_device_of(const GpuSelection &selection)
{
    if (set_log_level(GpuUse::if_possible) != 0)
        return nullptr;
    if (selection.kind != GpuKind::vulkan)
        return default_vulkan_device();
    const std::vector<const VmafVulkanDeviceInfo *> devices = library_vulkan_devices();
    const auto found = std::ranges::find(devices, selection.device.value_or(0), &VmafVulkanDeviceInfo::device);
    return found == devices.end() ? nullptr : *found;
}

int find_gpu(const GpuSelection &selection, Gpu &gpu)
{
    if (selection.kind == GpuKind::vulkan)
        return open_vulkan(selection.use, selection.device.value_or(0), gpu);
    const int error = open_cuda(selection.use, 0, gpu); // the only one that the driver shows
    if (error == 0 || selection.use == GpuUse::demanded)
        return error;
    const VmafVulkanDeviceInfo *const device = vulkan_device_of(selection);
    return device && open_vulkan(selection.use, device->device, gpu) == 0 ? 0 : error;
}

std::vector<Gpu> open_gpus(const GpuSelection &selection)
{
    if (!selection.wants_several())
        return {};
    return selection.all ? open_all() : open_named(selection.devices);
}

std::vector<GpuFacts> usable_gpus()
{
    return VMAF_TOOL_USES_GPUS ? gpus() : std::vector<GpuFacts>();
}

const char *gpu_reason(int error)
{
    return error == -ENOSYS ? "no support for GPUs in this vmaf or in the driver" : "the GPU cannot be used";
}

} // namespace vmaf::tool
