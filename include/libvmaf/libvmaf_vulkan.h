#ifndef VMAF_LIBVMAF_VULKAN_H
#define VMAF_LIBVMAF_VULKAN_H

/**
 * @file
 * Scoring on a GPU of any vendor, through Vulkan: sessions of libvmaf.h, with a Vulkan state
 * imported.
 *
 * Call vmaf_vulkan_state_init(), then vmaf_init(), and before the first picture
 * vmaf_vulkan_import_state(). Then use the session as on the CPU. At the end call vmaf_close(),
 * then vmaf_vulkan_state_free(). Features that have a Vulkan version (vmaf_feature_runs_on() of
 * libvmaf_ext.h) run on the device, the others on the CPU, in one session. Scores are the same, bit
 * for bit. Pictures are in host memory. Import the state before vmaf_preallocate_pictures(): the
 * device then copies these pictures itself.
 *
 * Work is queued: vmaf_read_pictures() does not wait for its frame. If the driver fails later,
 * later reads, getters of the lost scores, and the flush return the error.
 *
 * Every build of the library has these functions. In a build without Vulkan they return -ENOSYS;
 * vmaf_vulkan_state_free(NULL) returns 0. You need no Vulkan header, and no library to link with:
 * the loader (libvulkan.so.1) is opened at run time.
 */

#include "libvmaf/libvmaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A device to score on; opaque. The client owns the handle from vmaf_vulkan_state_init() to
 * vmaf_vulkan_state_free(), also after contexts imported it.
 */
typedef struct VmafVulkanState VmafVulkanState;

/** Which device to use. All zero is valid. */
typedef struct VmafVulkanConfiguration {
    /**
     * Number of the device in vmaf_vulkan_device_list(), from 0 as vkEnumeratePhysicalDevices lists
     * them; ignored if handles are given.
     */
    unsigned device;
    /**
     * The client's VkInstance, VkPhysicalDevice and VkDevice: all three, or NULL for none. They
     * stay the client's. They must live until vmaf_vulkan_state_free() was called, every context
     * that imported the state is closed, and pictures that it preallocated are released. The
     * instance has Vulkan 1.2 at least. The device has shaderInt64, storageBuffer8BitAccess,
     * storageBuffer16BitAccess, timelineSemaphore and bufferDeviceAddress enabled.
     */
    void *instance, *physical_device, *logical_device;
    /**
     * With handles: the device's queue that the library uses, of a family with compute. No other
     * thread may submit to it during calls on the contexts that imported the state.
     */
    unsigned queue_family, queue_index;
} VmafVulkanConfiguration;

/**
 * Make a Vulkan state.
 *
 * @param state   Set to the new handle, which the client owns and frees with
 *                vmaf_vulkan_state_free(); NULL on failure. Not NULL.
 * @param config  Copied.
 *
 * Threads: any.
 * Source: spec vulkan 1, 2.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `state` NULL, or only some of the handles
 *         - `-ENODEV`: no loader, no driver or no device of that number (one line at info level
 *           says which; a client can go on with the CPU)
 *         - `-ENOTSUP`: the device lacks a feature (one line names it)
 *         - `-ENOMEM`
 *         - `-ENOSYS`: a build without Vulkan or a driver that lacks a needed function
 *         - `-EIO`: any other failure of the driver
 */
int vmaf_vulkan_state_init(VmafVulkanState **state, VmafVulkanConfiguration config);

/** What to do with a feature that a device computes wrongly because of a defective driver. */
enum VmafVulkanCheck {
    VMAF_VULKAN_CHECK_FALL_BACK = 0, /**< it runs on the CPU, and a line at warning level says so */
    VMAF_VULKAN_CHECK_FAIL = 1,      /**< reading pictures fails with -EIO and a line at error level */
    VMAF_VULKAN_CHECK_NONE = 2       /**< no check: for tests of the device */
};

/**
 * Choose how contexts that import the state from now on check the device. The library checks each
 * feature once in a process, for each device name and driver version. It compares the device's
 * results with the CPU's on one small picture pair, before the device first runs the feature.
 *
 * @param state  Not NULL.
 * @param check  Without this call: VMAF_VULKAN_CHECK_FALL_BACK.
 *
 * Threads: any, but not while another thread imports or frees the state.
 * Source: spec vulkan 5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: `state` NULL or an unknown `check`
 *         - `-ENOSYS`: a build without Vulkan
 */
int vmaf_vulkan_state_check(VmafVulkanState *state, enum VmafVulkanCheck check);

/**
 * Let a context use a state. Several contexts may import one state. A context imports only one, of
 * CUDA or of Vulkan.
 *
 * @param vmaf   Open context that has read no picture and imported no state. Not NULL.
 * @param state  Not NULL. Stays the client's, on failure too.
 *
 * Threads: one at a time per context; one state may be imported by several threads at once, but not
 * while it is freed.
 * Source: spec vulkan 1.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument, after the first picture, or a second time
 *         - `-ENOMEM`
 *         - `-ENOSYS`: a build without Vulkan
 */
int vmaf_vulkan_import_state(VmafContext *vmaf, VmafVulkanState *state);

/**
 * Free a state. First close every context that imported it. Contexts that are still open go on.
 *
 * @param state  State, or NULL: nothing happens. Gone after the call.
 *
 * Threads: any, but not while another thread imports the state.
 * Source: spec vulkan 1.
 *
 * @return 0, or `-ENOSYS`: a build without Vulkan.
 */
int vmaf_vulkan_state_free(VmafVulkanState *state);

#ifdef __cplusplus
}
#endif

#endif
