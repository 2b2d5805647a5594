// The CUDA functions in a build without CUDA (spec abi 1, 3.7).

#include <cerrno>
#include <cstdint>

#include <gtest/gtest.h>

#include "client.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::test {
namespace {

TEST(NoCudaContract, EveryCallSaysThatItIsNotThere)
{
    static int storage;
    auto *stale = reinterpret_cast<VmafCudaState *>(&storage);
    VmafCudaState *state = stale;
    EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{}), -ENOSYS);
    EXPECT_EQ(state, nullptr) << "handles are NULL on failure";
    state = stale;
    EXPECT_EQ(vmaf_cuda_state_init_device(&state, 0), -ENOSYS);
    EXPECT_EQ(state, nullptr) << "handles are NULL on failure";

    OpenContext vmaf;
    VmafPicture pic{};
    const VmafCudaPictureConfiguration cfg{{16, 16, 8, VMAF_PIX_FMT_YUV420P},
                                           VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE};
    EXPECT_EQ(vmaf_cuda_import_state(vmaf, stale), -ENOSYS);
    EXPECT_EQ(vmaf_cuda_preallocate_pictures(vmaf, cfg), -ENOSYS);
    EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(vmaf, &pic), -ENOSYS);
    EXPECT_EQ(pic.ref, nullptr);

    auto *const no_boxes = reinterpret_cast<VmafLumaBoxes *>(&storage);
    VmafLumaBoxes *boxes = no_boxes;
    EXPECT_EQ(vmaf_luma_boxes_create(&boxes, vmaf, VmafLumaGrid{1, 1, 1}, 1), -ENOSYS);
    EXPECT_EQ(boxes, nullptr) << "handles are NULL on failure";
    std::uint32_t sum = 0;
    EXPECT_EQ(vmaf_luma_boxes_add(no_boxes, &pic, 0, 0), -ENOSYS);
    EXPECT_EQ(vmaf_luma_boxes_read(no_boxes, 0, &sum), -ENOSYS);
    EXPECT_EQ(vmaf_luma_boxes_destroy(nullptr), 0);
}

TEST(NoCudaContract, FreeingNoStateSucceeds)
{
    EXPECT_EQ(vmaf_cuda_state_free(nullptr), 0);
}

} // namespace
} // namespace vmaf::test
