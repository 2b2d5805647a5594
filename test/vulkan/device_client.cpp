#include "support/device_client.h"

#include "feature/vulkan_backends.h"
#include "libvmaf/libvmaf_vulkan.h"

namespace vmaf::test {
namespace {

class OnVulkan final : public DeviceClient {
  public:
    explicit OnVulkan(VmafVulkanState *state) : state_(state) {}
    ~OnVulkan() override { vmaf_vulkan_state_free(state_); }

    int attach(VmafContext *vmaf, const ClipSpec &, Feeding) const override
    {
        return vmaf_vulkan_import_state(vmaf, state_);
    }
    int feed_all(VmafContext *vmaf, const Clip &clip, Feeding) const override { return test::feed_all(vmaf, clip); }

  private:
    VmafVulkanState *state_;
};

} // namespace

std::unique_ptr<DeviceClient> DeviceClient::open(std::string &why)
{
    VmafVulkanState *state = nullptr;
    if (const int error = vmaf_vulkan_state_init(&state, {}); error != 0) {
        why = "no usable Vulkan device (errno " + std::to_string(-error) + ")";
        return nullptr;
    }
    return std::make_unique<OnVulkan>(state);
}

bool DeviceClient::runs(const FeatureSpec &feature)
{
    return find_vulkan_backend(feature) != nullptr;
}

bool DeviceClient::has_own_memory()
{
    return false;
}

} // namespace vmaf::test
