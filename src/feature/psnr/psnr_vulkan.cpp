#include "base/round_up.h"
#include "feature/common/picture_size.h"
#include "feature/psnr/psnr.h"
#include "feature/vulkan_backends.h"
#include "psnr_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/psnr.comp.
constexpr unsigned kGroupRows = 16;
struct PsnrArguments : VulkanArguments {
    PictureSize planes[3];
};
static_assert(sizeof(PsnrArguments) == 40);

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    auto program = std::make_unique<VulkanProgram>(request, 0);
    VMAF_TRY(program->add_kernel(vmaf_psnr_spirv, {}));
    PsnrArguments arguments{};
    const unsigned plane_count = psnr_plane_count(request.options, request.format);
    for (unsigned plane = 0; plane < plane_count; ++plane)
        arguments.planes[plane] = {request.format.plane_width(plane), request.format.plane_height(plane)};
    program->run(0, arguments, blocks_for(request.format.height, kGroupRows), plane_count);
    return program;
}

} // namespace

const VulkanBackend kPsnrVulkan{&kPsnr, make};

} // namespace vmaf
