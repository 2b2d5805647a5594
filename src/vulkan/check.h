#pragma once

#include "base/result.h"
#include "vulkan/driver.h"

namespace vmaf {

/// Logs a failed call in one line and gives its errno: -ENOMEM, -ENODEV, -ENOTSUP, or -EIO for the
/// rest. Success is no line and no errno. The first failure of a public call is an error line, the
/// others are debug lines.
Status vulkan_checked(VkResult result, const char *file, int line, const char *text);

/// The only ways to check a driver result, as for CUDA (adr/0007). The call's Status:
#define CHECK_VULKAN(call) ::vmaf::vulkan_checked((call), __FILE__, __LINE__, #call)

/// Returns from the function if the call fails.
#define CHECK_VULKAN_RETURN(call) VMAF_TRY(CHECK_VULKAN(call))

} // namespace vmaf
