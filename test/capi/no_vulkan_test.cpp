// The Vulkan functions in a build without Vulkan (spec vulkan 1).

#include <cerrno>

#include <gtest/gtest.h>

#include "client.h"
#include "libvmaf/libvmaf_vulkan.h"

namespace vmaf::test {
namespace {

TEST(NoVulkanContract, EveryCallSaysThatItIsNotThere)
{
    static int storage;
    auto *const stale = reinterpret_cast<VmafVulkanState *>(&storage);
    VmafVulkanState *state = stale;
    EXPECT_EQ(vmaf_vulkan_state_init(&state, VmafVulkanConfiguration{}), -ENOSYS);
    EXPECT_EQ(state, nullptr) << "handles are NULL on failure";
    OpenContext vmaf;
    EXPECT_EQ(vmaf_vulkan_state_check(stale, VMAF_VULKAN_CHECK_FAIL), -ENOSYS);
    EXPECT_EQ(vmaf_vulkan_import_state(vmaf, stale), -ENOSYS);
    EXPECT_EQ(vmaf_vulkan_state_free(nullptr), 0);
}

} // namespace
} // namespace vmaf::test
